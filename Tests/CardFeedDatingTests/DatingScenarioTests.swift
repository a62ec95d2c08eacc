import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Foundation
import Testing

/// The scenarios by id; nil without the folder of measuring data beside the package.
private let scenarios: [String: JSONValue]? = {
  let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let folder =
    ProcessInfo.processInfo.environment["CARDFEED_SHARED"]
    ?? package.deletingLastPathComponent().appendingPathComponent("shared").path
  guard let data = FileManager.default.contents(atPath: folder + "/scenarios/dating.json"),
    let document = try? JSONDocument(parsing: Array(data))
  else { return nil }
  let scenarios = (document.root.array ?? []).compactMap { scenario in
    scenario["id"]?.string.map { ($0, scenario) }
  }
  return Dictionary(uniqueKeysWithValues: scenarios)
}()

/// Faults that other software had, with input and expectation read from the scenarios themselves.
/// The same facts, with figures of their own, stand in the other tests of this module.
@Suite(.enabled(if: scenarios != nil, "skipped: no ../shared")) struct DatingScenarioTests {
  /// Runs `body` with the input and the expectation of a scenario.
  private func with(
    _ id: String, _ body: (JSONValue, JSONValue) async throws -> Void
  ) async throws {
    let scenario = try #require(scenarios?[id], "the scenario is gone")
    try await body(try #require(scenario["input"]), try #require(scenario["expected"]))
  }

  @Test func d02MeetingsHaveNoDirection() async throws {
    try await with("D02") { input, expected in
      let history = try #require(input["history"]?[0])
      let query = try #require(input["query"])
      let people = [try history.text("user1"), try history.text("user2")]
      let hours = try #require(query["rematch_interval_h"]?.double)
      for (first, second) in [(people[0], people[1]), (people[1], people[0])] {
        let clock = ManualClock(now: try query.moment("now"))
        let feed = try await datingFeed(
          people.map { Person(id: $0, age: 30) },
          [
            "filters": [
              [
                "use": "met-before", "forHours": JSONValue(orNull: hours),
                "received": ["negative", "neutral", "positive"],
              ]
            ]
          ], clock: clock)
        let met = Swipe(
          viewer: ViewerID(first), card: CardID(second), answer: DatingDeck.Answer.pass,
          event: "met", time: try history.moment("t"))
        _ = try await feed.record([RecordedSwipe(met)])
        for person in people {
          #expect(
            try await feed.people(for: ViewerID(person)).count
              == expected["candidates"]?.array?.count)
        }
        clock.advance(byMilliseconds: Int64(hours * 3_600_000))
        for person in people { #expect(try await feed.people(for: ViewerID(person)).count == 1) }
      }
    }
  }

  @Test func d05ALikeStandsWhenPreferencesMove() async throws {
    try await with("D05") { input, expected in
      let age = try #require(input["A"]?["age"]?.double)
      let bounds = try #require(input["B"]?["age_pref"]?.array).compactMap(\.double)
      let event = try #require(input["events"]?[0]?.array).compactMap(\.string)
      #expect(event == ["B", "like", "A"])
      let feed = try await datingFeed([Person(id: "A", age: age), Person(id: "B", age: 45)])
      try await feed.answer("B", .like, "A")
      try await feed.put([Person(id: "B", age: 45, minimumAge: bounds[0], maximumAge: bounds[1])])
      let may = try await feed.people(for: "A").contains("B")
      #expect(may == expected["A_may_like_B"]?.bool)
      let swipe = Swipe(viewer: "A", card: "B", answer: DatingDeck.Answer.like, event: "back")
      #expect((try await feed.swipe(swipe).receipt?.match != nil) == expected["match"]?.bool)
    }
  }

  @Test func d06LikersWhoCannotBeDealtAreNotCounted() async throws {
    try await with("D06") { input, expected in
      let a = Person(
        id: "A", age: 30, gender: try #require(input["A"]).text("gender"),
        intents: [try #require(input["A"]).text("seeks")])
      let b = Person(id: "B", age: 30, intents: [try #require(input["B"]).text("seeks")])
      let feed = try await datingFeed([a, b])
      try await feed.answer("B", .like, "A")
      let visible = try await feed.likesReceived(for: "A")
      #expect(visible.isExact)
      #expect(try await visible.count == feed.people(for: "A").count)
      #expect(Int64(visible.count) == expected["likes_received_visible_count(A)"]?.int64)
    }
  }

  @Test func d10NobodyIsDealtToThemselves() async throws {
    try await with("D10") { input, expected in
      let pool = try #require(input["pool"]?.array).compactMap(\.string)
      let feed = try await datingFeed(pool.map { Person(id: $0, age: 30) })
      let viewer = ViewerID(try input.text("viewer"))
      #expect(try await feed.people(for: viewer) == expected.ids("deck"))
    }
  }

  @Test func d12TheUpperBoundKeepsTheWholeYear() async throws {
    try await with("D12") { input, expected in
      let today = try #require(CalendarDate(try input.text("today")))
      let born = try #require(CalendarDate(try input.text("dob")))
      let maximum = try #require(input["max_age"]?.double)
      #expect(born.fullYears(until: today).map(Int64.init) == expected["age"]?.int64)
      let fit = MutualPreferences().fit(
        of: Person(id: "viewer", maximumAge: maximum), with: Person(id: "card", birthDate: born),
        at: try noon(today.description))
      #expect((fit == .fits) == expected["accepted"]?.bool)
      // What a query compares says the same.
      let tooEarly = CalendarDate.latestBirth(ofAge: Int(maximum) + 1, on: today)
      #expect((born > (try #require(tooEarly))) == expected["accepted"]?.bool)
    }
  }

  @Test func d13LeapDays() async throws {
    try await with("D13") { input, expected in
      let cases = try #require(input["cases"]?.array).map { pair in
        try (pair.array ?? []).map { try #require(CalendarDate($0.string ?? "")) }
      }
      #expect(
        cases.map { $0[0].fullYears(until: $0[1]).map(Int64.init) }
          == expected["ages"]?.array?.map(\.int64))
      // The option of the note: the birthday of the first case is a day earlier.
      #expect(cases[0][0].fullYears(until: cases[0][1], leapDay: .february28) == 18)
    }
  }

  @Test(arguments: ["D15", "D16"])
  func d15d16DistancesHaveUnits(id: String) async throws {
    try await with(id) { input, expected in
      let value = try #require(input["limit"]?["value"]?.double)
      let isMiles = input["limit"]?["unit"]?.string == "mi"
      let limit: Distance = isMiles ? .miles(value) : .kilometres(value)
      let distances: [Distance] =
        input["distance_m"]?.double.map { [.metres($0)] }
        ?? (input["distances_km"]?.array ?? []).compactMap { $0.double.map(Distance.kilometres) }
      let accepted =
        expected["accepted"]?.bool.map { [$0] }
        ?? (expected["accepted"]?.array ?? []).compactMap(\.bool)
      #expect(!distances.isEmpty && distances.count == accepted.count)
      #expect(distances.map { $0 <= limit } == accepted)
      for (distance, isAccepted) in zip(distances, accepted) {
        let here = Place(latitude: 0, longitude: 13)
        let there = Place(latitude: distance.kilometres / 20_015.114_4 * 180, longitude: 13)
        let people = [
          Person(id: "A", age: 30, place: here), Person(id: "B", age: 30, place: there),
        ]
        let feed = try await datingFeed(
          people,
          [
            "filters": [
              [
                "use": "within-distance",
                isMiles ? "miles" : "kilometres": JSONValue(orNull: value),
              ]
            ]
          ])
        #expect(try await feed.people(for: "A").contains("B") == isAccepted)
        var choosy = people[0]
        choosy.maximumDistance = limit
        let fit = MutualPreferences().fit(of: choosy, with: people[1], at: noonOfTheFeed)
        #expect((fit == .fits) == isAccepted)
      }
    }
  }

  @Test func d18TheRadiusAtThePoles() async throws {
    try await with("D18") { input, expected in
      for (index, query) in try #require(input["queries"]?.array).enumerated() {
        let (centre, point) = (try query.place("center"), try query.place("point"))
        let radius = Distance.kilometres(try #require(query["radius_km"]?.double))
        let distance = centre.distance(to: point)
        let given = try #require(expected["distance_km"]?[index]?.double)
        #expect(abs(distance.kilometres - given) < 0.001)
        #expect(
          (PlaceBox(around: centre, within: radius).contains(point) && distance <= radius)
            == expected["accepted"]?[index]?.bool)
      }
    }
  }

  @Test func d19DistancesAreNumbers() async throws {
    try await with("D19") { input, expected in
      for (index, pair) in try #require(input["pairs"]?.array).enumerated() {
        let distance = try pair.place(0).distance(to: pair.place(1)).kilometres
        let given = try #require(expected["km"]?[index]?.double)
        // The scenario gives a micrometre's digits for near places and a metre's for far ones.
        #expect(abs(distance - given) <= max(given * 1e-7, given == 0 ? 0 : 1e-6))
        #expect(distance.isNaN == expected["nan"]?.bool)
      }
    }
  }

  @Test func d21AMissingPlaceIsUnknown() async throws {
    try await with("D21") { input, expected in
      let (a, b) = (try input.place("A"), try input.place("B"))
      #expect(input["C"]?.isNull == true)
      #expect(Distance.between(a, b)?.kilometres == expected["distance(A,B)"]?.double)
      #expect(Distance.between(a, nil) == nil)
      let near = Person(id: "A", place: a, maximumDistance: .kilometres(1))
      let fits = [b, nil].map { place in
        MutualPreferences().fit(of: near, with: Person(id: "B", place: place), at: noonOfTheFeed)
      }
      #expect(fits == [.fits, .unknown])
    }
  }

  @Test func d22WhoLeftIsDealtToNobody() async throws {
    try await with("D22") { input, expected in
      let gone = try #require(input["events"]?[0]?[0]?.string)
      let deck = try input.ids("prefetched_deck(A)")
      let people = ["A"] + deck.map { "\($0)" }
      let feed = try await datingFeed(people.map { Person(id: $0, age: 30) })
      #expect(try await Set(feed.people(for: "A")) == Set(deck))
      try await feed.withdraw([CardID(gone)])
      #expect(try await feed.people(for: "A") == expected.ids("deck(A)"))
      // An old match keeps the identity and nothing else of the person.
      let pair = try input.ids("old_match")
      let other = try await datingFeed(people.map { Person(id: $0, name: "secret", age: 30) })
      try await other.answer("A", .like, pair[1])
      try await other.answer(ViewerID("\(pair[1])"), .like, "A")
      try await other.withdraw([pair[1]])
      #expect(try await other.matches(of: "A") == [pair[1]])
      #expect(try await other.matchedCards(of: "A").map(\.card) == [nil])
    }
  }

  @Test func d25NoEmptyDeckWhilePeopleRemain() async throws {
    try await with("D25") { input, expected in
      let pool = Int(try #require(input["server_pool"]?.int64))
      let page = try #require(input["page"])
      let store = InMemoryStore()
      let people = (0..<pool).map { Person(id: "p\($0)", age: 30) } + [Person(id: "A", age: 30)]
      let members: JSONObject = [
        "hand": ["size": page, "refillBelow": 3], "sources": [["use": "all", "limit": page]],
      ]
      var dealt: [CardID] = []
      var wasEmptyBefore = false
      visits: for visit in 0... {
        // The viewer left; a new process opens what the store holds.
        let feed = try await datingFeed(
          visit == 0 ? people : [], members, store: store)
        for _ in 0..<3 {
          guard let top = try await feed.people(for: "A").first else {
            wasEmptyBefore = dealt.count < pool
            break visits
          }
          dealt.append(top)
          _ = try await feed.swipe(
            Swipe(
              viewer: "A", card: top, answer: DatingDeck.Answer.pass, event: EventID("\(top)")))
        }
      }
      #expect(Int64(Set(dealt).count) == expected["distinct_cards_dealt_over_session"]?.int64)
      #expect(Int64(dealt.count - Set(dealt).count) == expected["dealt_twice"]?.int64)
      #expect(wasEmptyBefore == expected["empty_state_shown_before_40"]?.bool)
    }
  }

  @Test func d29TheNearestOfAllAndTheOnlyOneThatFits() async throws {
    try await with("D29") { input, expected in
      let page = try #require(input["page"])
      let count = Int(try #require(page.int64))
      let here = Place(latitude: 0, longitude: 0)
      func person(_ id: String, _ kilometres: Double, _ intent: String) -> Person {
        Person(
          id: id, age: 30, place: Place(latitude: kilometres / 111.195, longitude: 0),
          intents: [intent])
      }
      let far = (0..<count).map { person("\($0)", 40, "friends") }
      let viewer = Person(id: "A", age: 30, place: here)
      for source in ["nearest", "all"] as [JSONValue] {
        // A page of `all` must hold everybody whom a ranking shall compare.
        let limit: JSONValue = source == "all" ? 2000 : page
        let feed = try await datingFeed(
          [viewer] + far + [person("the person at 1 km", 1, "love")],
          [
            "sources": [["use": source, "limit": limit]],
            "ranking": ["use": JSONValue("nearest")],
          ])
        #expect(
          try await feed.people(for: "A").first == CardID(try expected.text("first_card")))
      }
      var loving = viewer
      loving.intents = ["love"]
      let feed = try await datingFeed(
        [loving] + far + [person("31st", 1, "love")], ["sources": [["use": "all", "limit": page]]])
      let isEmpty = try await feed.people(for: "A").isEmpty
      #expect(isEmpty == expected["empty_when_31st_shares_interest"]?.bool)
    }
  }
}

/// The clock of feeds in tests stands there.
private let noonOfTheFeed = Timestamp(milliseconds: 1_000_000_000_000)

/// Reads `2025-03-30T00:30+01:00` or `…Z`.
private func moment(_ text: String) throws -> Timestamp {
  let (day, rest) = (text.prefix(10), text.dropFirst(11))
  let clock = rest.prefix(5).split(separator: ":").compactMap { Int64($0) }
  let zone = String(rest.dropFirst(5))
  let offset = try ZoneDatabase().rules(named: zone == "Z" ? "UTC" : zone)
  let midnight = offset.start(of: try #require(CalendarDate(String(day))))
  return midnight.advanced(byMilliseconds: (clock[0] * 60 + clock[1]) * 60_000)
}

extension JSONValue {
  fileprivate func text(_ key: String) throws -> String { try #require(self[key]?.string) }

  fileprivate func moment(_ key: String) throws -> Timestamp {
    try CardFeedDatingTests.moment(try text(key))
  }

  fileprivate func ids(_ key: String) throws -> [CardID] {
    try #require(self[key]?.array).compactMap { $0.string.map { CardID($0) } }
  }

  fileprivate var place: Place? {
    guard let north = self[0]?.double, let east = self[1]?.double else { return nil }
    return Place(latitude: north, longitude: east)
  }

  fileprivate func place(_ key: String) throws -> Place { try #require(self[key]?.place) }
  fileprivate func place(_ index: Int) throws -> Place { try #require(self[index]?.place) }
}
