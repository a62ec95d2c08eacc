import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// Faults of other dating software as properties over random histories: what was answered or met stays
/// away, who is kept apart leaves hands that were dealt, and nobody can tell a block from a pause.
@Suite struct PairLifeControlTests {
  private static let names = (0..<7).map { "p\($0)" }
  private static let day = Timestamp.day

  private func people() -> [Person] { Self.names.map { Person(id: $0, age: 30) } }

  private func name(_ random: inout SplitMix64) -> String {
    Self.names[Int(random.next() % UInt64(Self.names.count))]
  }

  /// D02: who met does not meet again inside the interval, whichever of the two asks.
  @Test(arguments: UInt64(1)...12)
  func d02MeetingsHaveNoDirection(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let hours = 1 + Int64(random.next() % 48)
    let clock = ManualClock()
    let feed = try await datingFeed(
      people(),
      [
        "hand": ["size": 7, "refillBelow": 7],
        "filters": [
          [
            "use": "met-before", "forHours": JSONValue(orNull: Double(hours)),
            "received": ["negative", "neutral", "positive"],
          ]
        ],
      ], clock: clock)
    var met: [Set<String>: Timestamp] = [:]
    for step in 0..<40 {
      clock.advance(byMilliseconds: Int64(random.next() % UInt64(hours)) * 1_200_000)
      let (viewer, card) = (name(&random), name(&random))
      if viewer != card {
        let answer = DatingDeck.Answer.allCases[Int(random.next() % 3)]
        let swipe = Swipe(
          viewer: ViewerID(viewer), card: CardID(card), answer: answer, event: EventID("\(step)"))
        _ = try await feed.record([RecordedSwipe(swipe)])
        met[[viewer, card]] = clock.now
      }
      for one in Self.names {
        let expected = Self.names.filter { other in
          guard other != one, let last = met[[one, other]] else { return other != one }
          return clock.now.milliseconds - last.milliseconds >= hours * 3_600_000
        }
        let dealt = try await feed.redeal(for: ViewerID(one)).cards.map { "\($0.id)" }
        #expect(dealt.sorted() == expected, "\(one) in step \(step)")
      }
    }
    #expect(met.count > 10)
  }

  /// D03: what was answered stays away after a restart, a refill, a rewind and in every fallback, a pass
  /// until its time has come.
  @Test(arguments: UInt64(1)...12)
  func d03WhatWasAnsweredStaysAway(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let days = 1 + Int64(random.next() % 5)
    let members: JSONObject = [
      "hand": ["size": 3, "refillBelow": 2, "rewind": 30],
      "filters": [
        ["use": "already-swiped", "negativeReturnsAfterDays": JSONValue(orNull: Double(days))],
        ["use": "mutual-preferences", "whenExhausted": "relax"],
      ],
    ]
    let clock = ManualClock()
    let store = InMemoryStore()
    let others = (0..<9).map { Person(id: "c\($0)", age: 20 + Double($0) * 4) }
    var feed = try await datingFeed(
      [Person(id: "A", age: 30, maximumAge: 36)] + others, members, clock: clock, store: store)
    var answered: [CardID: (isPass: Bool, time: Timestamp)] = [:]
    var order: [CardID] = []
    var comebacks = 0
    for step in 0..<80 {
      switch random.next() % 8 {
      case 0: feed = try await datingFeed([], members, clock: clock, store: store)
      case 1: clock.advance(byMilliseconds: Self.day / 2)
      case 2:
        // A pass that came back and was answered anew has the time of the new answer; what stood
        // before is the store's to know, so such cards are not taken back here.
        guard let last = order.last, order.count(where: { $0 == last }) == 1 else { break }
        if case .applied(let card?, _) = try await feed.rewind(
          for: "A", event: EventID("back \(step)"))
        {
          #expect(card.id == last)
          answered[last] = nil
          order.removeLast()
        }
      case 3: _ = try await feed.redeal(for: "A")
      default:
        guard let top = try await feed.people(for: "A").first else { break }
        let answer: DatingDeck.Answer = random.next() % 3 == 0 ? .like : .pass
        let swipe = Swipe(viewer: "A", card: top, answer: answer, event: EventID("\(step)"))
        guard try await feed.swipe(swipe).receipt != nil else { throw Unexpected() }
        if answered[top] != nil { comebacks += 1 }
        answered[top] = (answer == .pass, clock.now)
        order.append(top)
      }
      let hand = try await feed.people(for: "A")
      #expect(Set(hand).count == hand.count)
      for card in hand {
        guard let last = answered[card] else { continue }
        #expect(last.isPass, "a like comes back in step \(step)")
        let age = clock.now.milliseconds - last.time.milliseconds
        #expect(age >= days * Self.day, "a pass comes back too early in step \(step)")
      }
    }
    // In the end every pass comes back, and nothing else.
    clock.advance(byMilliseconds: 10 * Self.day)
    var last: Set<CardID> = []
    _ = try await feed.redeal(for: "A")
    while let top = try await feed.people(for: "A").first, !last.contains(top) {
      last.insert(top)
      _ = try await feed.swipe(
        Swipe(viewer: "A", card: top, answer: DatingDeck.Answer.pass, event: EventID("end \(top)")))
    }
    let likes = Set(answered.filter { !$0.value.isPass }.map(\.key))
    #expect(last == Set(others.map(\.id)).subtracting(likes))
  }

  /// D08: a block, a report or the end of a match empties hands that were dealt, on both sides, and
  /// changes nothing else in anybody's hand.
  @Test(arguments: UInt64(1)...12)
  func d08WhoIsKeptApartLeavesBothHands(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let store = InMemoryStore()
    var feed = try await datingFeed(
      people(), ["hand": ["size": 7, "refillBelow": 1], "filters": []], store: store)
    var apart: Set<Set<String>> = []
    for step in 0..<12 {
      let (viewer, other) = (name(&random), name(&random))
      guard viewer != other, !apart.contains([viewer, other]) else { continue }
      var before: [String: [String]] = [:]
      for one in Self.names { before[one] = try await hand(feed, one) }
      let event = EventID("\(step)")
      switch random.next() % 3 {
      case 0: try await feed.block(CardID(other), by: ViewerID(viewer), event: event)
      case 1: try await feed.report(CardID(other), by: ViewerID(viewer), event: event)
      default:
        for (one, two) in [(viewer, other), (other, viewer)] {
          try await feed.answer(ViewerID(one), .like, CardID(two))
        }
        // An answer takes the card out of the answerer's hand by itself.
        for one in [viewer, other] { before[one] = try await hand(feed, one) }
        #expect(
          try await feed.unmatch(CardID(other), by: ViewerID(viewer), event: event) == .applied)
      }
      apart.insert([viewer, other])
      if random.next() % 3 == 0 { feed = try await datingFeed([], [:], store: store) }
      for one in Self.names {
        let gone = [viewer: other, other: viewer][one]
        #expect(try await hand(feed, one) == before[one]?.filter { $0 != gone }, "\(one)")
      }
    }
    #expect(apart.count > 4)
  }

  private func hand(_ feed: DatingFeed, _ viewer: String) async throws -> [String] {
    try await feed.people(for: ViewerID(viewer)).map { "\($0)" }
  }

  /// D09: whoever was blocked sees what they would see had the other only paused, in everything that
  /// they can read or try. Of a match, what they would see had the other ended it.
  @Test(arguments: UInt64(1)...25)
  func d09ABlockLooksLikeAPause(seed: UInt64) async throws {
    let blocked = try await observed(seed) { try await $0.block("p0", by: "p1", event: "part") }
    let reported = try await observed(seed) { try await $0.report("p0", by: "p1", event: "part") }
    let control = try await observed(seed) { feed in
      if try await feed.matches(of: "p0").contains("p1") {
        #expect(try await feed.unmatch("p0", by: "p1", event: "part") == .applied)
      } else {
        try await feed.withdraw(["p1"])
      }
    }
    #expect(blocked.count == control.count && blocked.count > 12)
    for (step, seen) in control.enumerated() {
      #expect(blocked[step] == seen, "step \(step) after a block")
      #expect(reported[step] == seen, "step \(step) after a report")
    }
  }

  /// The comparison sees what there is to see: without a block or a pause the other still comes.
  @Test func d09TheComparisonSeesWhoIsThere() async throws {
    let blocked = try await observed(3) { try await $0.block("p0", by: "p1", event: "part") }
    let untouched = try await observed(3) { _ in }
    #expect(blocked != untouched)
  }

  /// What p0 sees in a random life after p1 did something.
  private func observed(
    _ seed: UInt64, _ happening: (DatingFeed) async throws -> Void
  ) async throws -> [String] {
    var random = SplitMix64(seed: seed)
    let feed = try await datingFeed(
      people(),
      [
        "hand": ["size": 3, "refillBelow": 2, "rewind": 10],
        "quotas": [["use": "daily-quota", "answers": ["super-like"], "perDay": 2]],
      ])
    // Before: anybody answers anybody, and the observer holds cards and has a past.
    for step in 0..<18 {
      let (viewer, card) = (name(&random), name(&random))
      let answer = DatingDeck.Answer.allCases[Int(random.next() % 3)]
      if viewer != card, viewer != "p0" {
        try await feed.answer(ViewerID(viewer), answer, CardID(card))
      } else if let top = try await feed.people(for: "p0").first, step % 2 == 0 {
        _ = try await feed.swipe(
          Swipe(viewer: "p0", card: top, answer: answer, event: EventID("before \(step)")))
      }
    }
    _ = try await feed.people(for: "p0")
    try await happening(feed)
    var seen: [String] = []
    for step in 0..<12 {
      seen.append(try await everything(of: feed))
      let event = EventID("after \(step)")
      switch random.next() % 8 {
      case 0: seen.append(shown(try await feed.rewind(for: "p0", event: event)))
      case 1: seen.append("\(try await feed.unmatch("p1", by: "p0", event: event))")
      case 2: try await feed.impression(of: "p1", by: "p0", event: event)
      case 3: _ = try await feed.redeal(for: "p0")
      case 4:
        let answer = DatingDeck.Answer.allCases[Int(random.next() % 3)]
        let late = Swipe(viewer: "p0", card: "p1", answer: answer, event: event)
        seen.append(shown(try await feed.swipe(late)))
      default:
        let answer = DatingDeck.Answer.allCases[Int(random.next() % 3)]
        guard let top = try await feed.people(for: "p0").first else { continue }
        let swipe = Swipe(viewer: "p0", card: top, answer: answer, event: event)
        seen.append(shown(try await feed.swipe(swipe)))
      }
    }
    try await feed.block("p1", by: "p0", event: "mine")
    seen.append(try await everything(of: feed))
    return seen
  }

  /// All that a host may show the observer.
  private func everything(of feed: DatingFeed) async throws -> String {
    let hand = try await feed.hand(for: "p0")
    let cards = hand.cards.map { "\($0.id) \($0.card) \($0.reason.forViewer)" }
    let matches = try await feed.matchedCards(of: "p0").map { "\($0.id) \($0.card == nil)" }
    return "\(cards) \(String(describing: hand.shortfall?.forViewer)) \(matches) "
      + "\(try await feed.likesReceived(for: "p0")) \(try await feed.allowances(for: "p0"))"
  }

  private func shown(_ outcome: SwipeOutcome<Person>) -> String {
    switch outcome {
    case .applied(let receipt, let top):
      "applied \(receipt.card) \(receipt.match != nil) \(receipt.remaining) \(shown(top))"
    case .repeated(let receipt): "repeated \(receipt.card)"
    case .stale(let top): "stale \(shown(top))"
    case .overQuota(let allowance, let top): "over quota \(allowance) \(shown(top))"
    }
  }

  private func shown(_ outcome: RewindOutcome<Person>) -> String {
    switch outcome {
    case .applied(let card, let endedMatch): "applied \(shown(card)) \(endedMatch)"
    case .repeated: "repeated"
    case .nothingToRewind: "nothing to rewind"
    case .tooOld: "too old"
    }
  }

  private func shown(_ top: DealtCard<Person>?) -> String {
    top.map { "\($0.id) \($0.reason.forViewer)" } ?? "nothing"
  }
}
