import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// Random lives of a few people, with restarts: what must hold after every step, whatever happened.
@Suite struct PairLifePropertyTests {
  private static let names = (0..<8).map { "p\($0)" }
  private let members: JSONObject = [
    "hand": ["size": 3, "refillBelow": 2, "rewind": 50],
    "sources": [["use": "likes-received"], ["use": "all", "limit": 3]],
    "filters": [
      ["use": "already-swiped", "negativeReturnsAfterDays": 2], ["use": "legal-age"],
      ["use": "mutual-preferences", "whenExhausted": "relax"],
      ["use": "within-distance", "kilometres": 20, "relax": [60]],
    ],
  ]

  private func person(_ name: String, _ random: inout SplitMix64) -> Person {
    let genders = ["woman", "man"]
    return Person(
      id: name, age: 17 + Double(random.next() % 30), gender: genders[Int(random.next() % 2)],
      seeks: random.next() % 2 == 0 ? [genders[Int(random.next() % 2)]] : [],
      minimumAge: random.next() % 3 == 0 ? 25 : nil,
      place: random.next() % 6 == 0
        ? nil : Place(latitude: 52 + Double(random.next() % 100) / 100, longitude: 13),
      intents: random.next() % 2 == 0 ? [["love", "friends"][Int(random.next() % 2)]] : [])
  }

  @Test(arguments: UInt64(1)...10)
  func symmetricIdempotentNeverSelfNeverKeptApart(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let clock = ManualClock()
    let store = InMemoryStore()
    var feed = try await datingFeed(
      Self.names.map { person($0, &random) }, members, clock: clock, store: store)
    var apart: Set<Set<String>> = []
    var withdrawn: Set<String> = []
    var matches = 0
    for step in 0..<120 {
      let (one, other) = (
        Self.names[Int(random.next() % 8)], Self.names[Int(random.next() % 8)]
      )
      let (viewer, card) = (ViewerID(one), CardID(other))
      let event = EventID("\(step)")
      // Everything is sent twice; the second time changes nothing.
      switch random.next() % 16 {
      case 0 where one != other:
        for _ in 0..<2 { try await feed.block(card, by: viewer, event: event) }
        apart.insert([one, other])
      case 1 where one != other:
        let outcomes = [
          try await feed.unmatch(card, by: viewer, event: event),
          try await feed.unmatch(card, by: viewer, event: event),
        ]
        #expect(outcomes == [.applied, .repeated] || outcomes == [.noMatch, .noMatch])
        if outcomes[0] == .applied { apart.insert([one, other]) }
      case 2:
        for _ in 0..<2 { try await feed.withdraw([card]) }
        withdrawn.insert(other)
      case 3, 4:
        for _ in 0..<2 { try await feed.reinstate([card]) }
        withdrawn.remove(other)
      case 5: try await feed.revise([person(other, &random)])
      case 6, 7:
        let first = try await feed.rewind(for: viewer, event: event)
        let hand = try await feed.people(for: viewer)
        if case .applied = first {
          guard case .repeated = try await feed.rewind(for: viewer, event: event) else {
            throw Unexpected()
          }
          #expect(try await feed.people(for: viewer) == hand)
        }
      case 8: clock.advance(byMilliseconds: Timestamp.day)
      case 9 where step % 3 == 0:
        feed = try await datingFeed([], members, clock: clock, store: store)
      default:
        guard let top = try await feed.people(for: viewer).first else { break }
        let answer = DatingDeck.Answer.allCases[Int(random.next() % 3)]
        let swipe = Swipe(viewer: viewer, card: top, answer: answer, event: event)
        let receipts = [
          try await feed.swipe(swipe).receipt, try await feed.swipe(swipe).receipt,
        ]
        #expect(receipts[0] == receipts[1] && receipts[0] != nil)
        if receipts[0]?.match == receipts[0]?.event { matches += 1 }
      }
      try await check(feed, apart, withdrawn)
    }
    #expect(matches > 0)
    #expect(try await store.check() == [])
    // The counter keeps its word, whatever happened.
    for name in Self.names where !withdrawn.contains(name) {
      let counted = try await feed.likesReceived(for: ViewerID(name))
      #expect(counted.isExact)
      #expect(try await feed.likersWhoCome(to: ViewerID(name)) == counted.count)
    }
  }

  private func check(
    _ feed: DatingFeed, _ apart: Set<Set<String>>, _ withdrawn: Set<String>
  ) async throws {
    for name in Self.names {
      let viewer = ViewerID(name)
      for card in try await feed.people(for: viewer).map({ "\($0)" }) {
        #expect(card != name, "never self")
        #expect(!apart.contains([name, card]), "never kept apart")
        #expect(!withdrawn.contains(card), "never withdrawn")
      }
      for match in try await feed.matchedCards(of: viewer) {
        let other = "\(match.id)"
        #expect(try await feed.matches(of: ViewerID(other)).contains(CardID(name)), "symmetric")
        #expect(!apart.contains([name, other]))
        #expect((match.card == nil) == withdrawn.contains(other))
      }
    }
  }
}
