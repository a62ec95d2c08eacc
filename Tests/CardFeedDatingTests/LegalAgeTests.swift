import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

@Suite struct LegalAgeTests {
  private func verdict(
    _ viewer: Person, _ card: Person, by filter: LegalAgeFilter = LegalAgeFilter(),
    now: Timestamp = Timestamp(milliseconds: 0)
  ) async throws -> FilterVerdict {
    let slate = datingSlate([viewer, card], viewer: viewer.id, now: now)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    #expect(filter.kind == .hard && filter.relaxations == 0)
    let verdicts = try await filter.verdicts(for: slate, relaxation: 0)
    let back = try await filter.verdicts(
      for: datingSlate([viewer, card], viewer: card.id, now: now), relaxation: 0)
    // Both directions of the pair.
    #expect(verdicts[1] == back[0])
    return verdicts[1]
  }

  private let adult = Person(id: "a", age: 18)
  private let minor = Person(id: "b", age: 17)
  private let unknown = Person(id: "c")

  @Test func adultsAndMinorsNeverMeet() async throws {
    #expect(try await verdict(adult, minor) == .remove())
    #expect(try await verdict(adult, Person(id: "b", age: 99)) == .keep)
    #expect(try await verdict(minor, Person(id: "c", age: 16)) == .keep)
    #expect(try await verdict(adult, Person(id: "b", age: 17.99)) == .remove())
    #expect(
      try await verdict(Person(id: "z", age: 20), adult, by: LegalAgeFilter(years: 21)) == .keep)
    #expect(
      try await verdict(Person(id: "z", age: 21), adult, by: LegalAgeFilter(years: 21))
        == .remove())
  }

  @Test func whoseAgeIsNotKnownMeetsNobody() async throws {
    for other in [adult, minor, Person(id: "d")] {
      #expect(try await verdict(unknown, other) == .unavailable)
    }
    let unborn = Person(id: "e", birthDate: CalendarDate("2100-01-01"), age: 30)
    #expect(try await verdict(unborn, adult) == .unavailable)
    let stranger = datingSlate([adult, minor], viewer: "nobody")
    #expect(
      try await LegalAgeFilter().verdicts(for: stranger, relaxation: 0)
        == [.unavailable, .unavailable])
  }

  @Test func aHostMayVouchForThem() async throws {
    let vouching = LegalAgeFilter(unknownAge: .adult)
    #expect(try await verdict(unknown, adult, by: vouching) == .keep)
    #expect(try await verdict(unknown, Person(id: "d"), by: vouching) == .keep)
    #expect(try await verdict(unknown, minor, by: vouching) == .remove())
    let unborn = Person(id: "e", birthDate: CalendarDate("2100-01-01"), age: 30)
    #expect(try await verdict(unborn, adult, by: vouching) == .unavailable)
  }

  /// The birthday itself, in the declared zone, and the later of two days for leap days.
  @Test func theDayItself() async throws {
    let born = Person(id: "b", birthDate: CalendarDate("2000-05-02"))
    let leap = Person(id: "b", birthDate: CalendarDate("2008-02-29"))
    let east = LegalAgeFilter(zone: try ZoneDatabase().rules(named: "+14:00"))
    let february28 = LegalAgeFilter(leapDay: .february28)
    for (card, filter, day, expected) in [
      (born, LegalAgeFilter(), "2018-05-01", FilterVerdict.remove()),
      (born, LegalAgeFilter(), "2018-05-02", .keep), (born, east, "2018-05-01", .keep),
      (leap, LegalAgeFilter(), "2026-02-28", .remove()),
      (leap, LegalAgeFilter(), "2026-03-01", .keep), (leap, february28, "2026-02-28", .keep),
    ] {
      #expect(
        try await verdict(adult, card, by: filter, now: try noon(day)) == expected, "\(day)")
    }
  }

  /// No like, no relaxation and no source leads around the wall.
  @Test func nothingLeadsAroundIt() async throws {
    for whenExhausted in ["stop", "relax"] as [JSONValue] {
      let feed = try await datingFeed(
        [Person(id: "A", age: 30), Person(id: "B", age: 17), Person(id: "C", age: 40)],
        [
          "filters": [
            ["use": "mutual-preferences", "whenExhausted": whenExhausted], ["use": "legal-age"],
          ]
        ])
      try await feed.answer("B", .like, "A")
      #expect(try await feed.people(for: "A") == ["C"])
      #expect(try await feed.people(for: "B").isEmpty)
    }
  }

  /// A corrected age: the match stands, so that it can be ended, and neither sees the other.
  @Test func aMatchShowsNobodyAcrossTheWall() async throws {
    let people = [Person(id: "A", age: 30), Person(id: "B", age: 20), Person(id: "C", age: 40)]
    let feed = try await datingFeed(people)
    for card in ["B", "C"] as [CardID] {
      try await feed.answer("A", .like, card)
      try await feed.answer(card, .like, "A")
    }
    #expect(try await feed.matchedCards(of: "A").map { $0.card?.id } == ["B", "C"])
    try await feed.revise([Person(id: "B", age: 17)])
    for (viewer, shown) in [("A", [nil, "C"]), ("B", [nil])] as [(ViewerID, [CardID?])] {
      #expect(try await feed.matchedCards(of: viewer).map { $0.card?.id } == shown)
    }
    #expect(try await feed.matchedCards(of: "A").map(\.id) == ["B", "C"])
    try await feed.revise([Person(id: "B", age: 18)])
    #expect(try await feed.matchedCards(of: "B").map { $0.card?.id } == ["A"])
  }

  @Test func theJSONSaysItAll() async throws {
    func dealt(_ filter: JSONValue) async throws -> [CardID] {
      let feed = try await datingFeed(
        [Person(id: "A", age: 30), Person(id: "B"), Person(id: "C", age: 20)],
        ["filters": [filter]])
      return try await feed.people(for: "A").sorted()
    }
    #expect(try await dealt(["use": "legal-age"]) == ["C"])
    #expect(try await dealt(["use": "legal-age", "unknown": "adult"]) == ["B", "C"])
    #expect(try await dealt(["use": "legal-age", "years": 21]).isEmpty)
    let error = await #expect(throws: ZoneError.self) {
      try await dealt(["use": "legal-age", "zone": "../Berlin"])
    }
    #expect(error?.code == .unsafeName)
    await #expect(throws: ConfigurationError.self) {
      try await dealt(["use": "legal-age", "unknown": "keep"])
    }
  }
}
