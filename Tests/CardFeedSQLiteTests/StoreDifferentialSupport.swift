import CardFeed
import CardFeedSQLite
import Testing

/// Invents operations from a seed and applies each to two stores, which must answer alike.
struct StoreDuel {
  var random: SplitMix64
  let reference = InMemoryStore()
  var store: SQLiteStore
  private var numbers: [CardNumber] = []
  private var swipes: [LogPosition] = []
  private var sentSwipes: [SwipeCommand] = []
  private var sentRewinds: [RewindCommand] = []
  private var deals: [LogPosition] = []
  private var lastDeals: [CardNumber: LogPosition] = [:]
  private var moment: Int64 = 0
  /// What was decided, by name: a duel in which nothing happens proves nothing.
  private(set) var decisions: [String: Int] = [:]
  private let learners = ["elo/1", "popularity/2", "é"]
  private let names: [CardID] = (0..<14).map { index in
    index % 2 == 0 ? CardID("person-\(index)") : CardID(bytes: [0, UInt8(index), 255])
  }

  init(seed: UInt64, store: SQLiteStore) {
    random = SplitMix64(seed: seed)
    self.store = store
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  private mutating func any<Element>(of elements: some Collection<Element>) -> Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  private mutating func pair() -> (CardNumber, CardNumber) {
    let one = below(numbers.count)
    let other = (one + 1 + below(numbers.count - 1)) % numbers.count
    return (numbers[one], numbers[other])
  }

  /// Few enough that events are repeated and clash.
  private mutating func eventID() -> EventID { EventID("event-\(below(250))") }

  private mutating func now() -> Timestamp {
    moment += Int64(below(3))
    return time(moment)
  }

  private mutating func increments() -> [Increment] {
    (0..<below(4)).map { _ in
      let owner = chance(20) ? nil : any(of: numbers)
      return Increment(
        LearnedKey(owner: owner, slot: UInt8(below(256))), Int64(below(2_000)) - 1_000)
    }
  }

  private mutating func stack() -> StoredStack {
    let top = Int64(below(4))
    return StoredStack(
      generation: Int64(below(2)), top: top, imageStart: top - Int64(below(3)),
      image: chance(10) ? [] : [1] + (0..<below(40)).map { UInt8($0) })
  }

  mutating func start() async throws {
    numbers = try await alike { try await $0.numbers(for: names) }
  }

  mutating func step() async throws {
    switch below(100) {
    case ..<4: try await put()
    case ..<18: try await deal()
    case ..<58: try await swipe()
    case ..<72: try await rewind()
    case ..<77: try await block()
    case ..<82: try await impression()
    case ..<86: try await saveStack()
    case ..<90: try await saveLearning()
    case ..<93: try await maintain()
    default: try await read()
    }
  }

  private mutating func count(_ decision: String) { decisions[decision, default: 0] += 1 }

  private mutating func put() async throws {
    let cards = (0..<1 + below(3)).map { _ in
      StoredCard(
        id: any(of: names), payload: (0..<below(5)).map { UInt8($0) }, isWithdrawn: chance(20))
    }
    let moment = now()
    try await alike { try await $0.put(cards, at: moment) }
    let gone = [any(of: numbers)]
    if chance(50) { try await alike { try await $0.withdraw(gone) } }
    let revised = cards.map { card in
      StoredCard(
        id: card.id, number: chance(50) ? any(of: numbers) : nil, payload: card.payload.reversed())
    }
    if chance(50) { try await alike { try await $0.revise(revised, at: moment) } }
    if chance(50) { try await alike { try await $0.reinstate(gone + [CardNumber(999)]) } }
  }

  private mutating func deal() async throws {
    let viewer = any(of: numbers)
    let (start, length) = (below(numbers.count), below(5))
    let cards = (0..<length).map { numbers[(start + $0) % numbers.count] }.filter { $0 != viewer }
    let exposures = cards.enumerated().map { place, card in
      Exposure(
        card: card, position: place, score: chance(20) ? nil : random.unit(),
        probability: chance(20) ? nil : random.unit(), propensity: random.unit())
    }
    let stack = stack()
    let basis = try await basis(of: viewer)
    let command = DealCommand(
      viewer: viewer, time: now(), fingerprint: "print-\(below(3))", exposures: exposures,
      basis: basis,
      stack: { position in
        var stack = stack
        stack.image += position.rawValue.description.utf8
        return stack
      })
    let decision = try await alike { try await $0.commit(command) }
    switch decision {
    case .dealt(let position):
      deals.append(position)
      lastDeals[viewer] = position
      count("dealt")
    case .blocked: count("deal blocked")
    case .stale: count("deal stale")
    }
  }

  /// The hand that is there, another one, or none in particular.
  private mutating func basis(of viewer: ViewerNumber) async throws -> HandRevision? {
    if chance(40) { return nil }
    let record = try await reference.viewer(viewer, swipes: 0)
    let stack = record.stack
    return HandRevision(
      generation: stack?.generation ?? 0, top: (stack?.top ?? 0) + (chance(20) ? 1 : 0),
      deals: record.deals + (chance(20) ? 1 : 0))
  }

  private mutating func swipe() async throws {
    var commands: [SwipeCommand] = []
    for _ in 0..<1 + below(3) {
      let isSentAgain = chance(15) && !sentSwipes.isEmpty
      commands.append(isSentAgain ? any(of: sentSwipes.suffix(20)) : swipeCommand())
    }
    sentSwipes += commands
    let decisions = try await alike { [commands] store in try await store.commit(commands) }
    for decision in decisions {
      switch decision {
      case .applied(let receipt):
        swipes.append(receipt.event)
        count(receipt.match == receipt.event ? "match made" : "swipe applied")
      case .repeated: count("swipe repeated")
      case .conflict: count("swipe conflict")
      case .stale: count("swipe stale")
      case .overQuota: count("over quota")
      }
    }
  }

  private mutating func swipeCommand() -> SwipeCommand {
    let (viewer, card) = pair()
    let meaning: AnswerMeaning =
      chance(60) ? .positive : any(of: [.neutral, .negative])
    let isOfHand = chance(50)
    let rule: any MatchRule = chance(90) ? MutualRule() : OneSidedRule()
    return SwipeCommand(
      viewer: viewer, card: card, event: eventID(), answer: "\(meaning)", meaning: meaning,
      time: now(),
      expectation: isOfHand && chance(80)
        ? .top(generation: Int64(below(2)), position: Int64(below(4))) : .recorded,
      deal: isOfHand ? lastDeals[viewer] ?? .start : nil,
      compatibility: chance(50) ? random.unit() : nil,
      remaining: below(6), matchRule: rule,
      learned: learners.filter { _ in chance(30) }.map {
        LearnerDelta(learner: $0, increments: increments())
      }, isOverQuota: chance(5))
  }

  private mutating func rewind() async throws {
    // Mostly a recent swipe; sometimes one that cannot be rewound (any more).
    let recent = Array(swipes.suffix(6))
    let swipe =
      recent.isEmpty || chance(15)
      ? LogPosition(Int64(below(max(1, swipes.count * 2)))) : any(of: recent)
    var viewer = any(of: numbers)
    if chance(90),
      let event = try await reference.events(
        after: LogPosition(max(0, swipe.rawValue - 1)), limit: 1
      ).first
    {
      viewer = event.viewer
    }
    var command = RewindCommand(
      viewer: viewer, event: eventID(), swipe: swipe, time: now(), stack: stack())
    if chance(15), !sentRewinds.isEmpty { command = any(of: sentRewinds.suffix(10)) }
    sentRewinds.append(command)
    switch try await alike({ try await $0.commit(command) }) {
    case .applied(_, _, _, let unlearned, let endedMatch):
      count(endedMatch ? "match ended" : unlearned.isEmpty ? "rewind" : "rewind of learning")
    case .repeated: count("rewind repeated")
    case .conflict: count("rewind conflict")
    case .stale: count("rewind stale")
    }
  }

  private mutating func block() async throws {
    let (viewer, card) = pair()
    let command = BlockCommand(
      viewer: viewer, card: card, event: eventID(), kind: any(of: [.report, .block, .unmatch]),
      time: now())
    let decision = try await alike { try await $0.commit(command) }
    if command.kind == .unmatch {
      count(decision == .noMatch ? "no match" : "unmatch \(decision == .repeated)")
    }
  }

  private mutating func impression() async throws {
    let (viewer, card) = pair()
    let (event, moment) = (eventID(), now())
    let dwell = try any(of: [nil, 0, 1, Dwell.longest] as [Int64?]).map {
      try Dwell(milliseconds: $0)
    }
    try await alike {
      try await $0.recordImpression(
        viewer: viewer, card: card, event: event, time: moment, dwell: dwell)
    }
  }

  private mutating func saveStack() async throws {
    let (stack, viewer) = (stack(), any(of: numbers))
    let basis = try await basis(of: viewer)
    let isSaved = try await alike { try await $0.save(stack, of: viewer, basis: basis) }
    count("save \(isSaved)")
  }

  private mutating func saveLearning() async throws {
    let learner = any(of: learners)
    let blob = LearnerBlob(
      position: try await reference.lastPosition(), stride: 256, numbers: increments())
    try await alike { try await $0.save(blob, of: learner) }
    let standing = try await reference.events(after: .start, limit: .max / 2).filter {
      $0.kind == .swipe && !$0.isRewound
    }
    guard !standing.isEmpty else { return }
    let (swipe, late) = (any(of: standing).position, increments())
    try await alike { try await $0.save([(position: swipe, increments: late)], of: learner) }
  }

  private mutating func maintain() async throws {
    let (person, horizon) = (any(of: numbers), time(moment - Int64(below(60))))
    let (negatives, likes) = (chance(80) ? horizon : nil, chance(80) ? horizon : nil)
    switch below(10) {
    case ..<1:
      let report = try await maintainAlike { try await $0.erase(person: person) }
      count(report.events > 0 ? "erased" : "erased nothing")
    case ..<3:
      let removed = try await maintainAlike { try await $0.prune(exposuresBefore: horizon) }
      count(removed > 0 ? "pruned" : "pruned nothing")
    case ..<8:
      let report = try await maintainAlike {
        try await $0.ageOut(negativesBefore: negatives, unansweredLikesBefore: likes)
      }
      if report.negatives > 0 { count("pass folded") }
      if report.likes > 0 { count("like expired") }
    default:
      try await maintainAlike { store in
        let export = try await store.export(person: person)
        return Facts(
          export.id, export.card, export.events, export.seen, export.answersReceived,
          export.matches, export.stack, export.deals, export.learned,
          export.exposures.map { Facts($0.deal, $0.exposure) })
      }
    }
  }

  /// Reads everything that can be read from both.
  mutating func read() async throws {
    let (limit, known) = (below(7), numbers + [CardNumber(99), CardNumber(0)])
    let start = LogPosition(Int64(below(swipes.count + 1)))
    try await alike { try await $0.ids(for: known) }
    try await alike { try await $0.cards(after: limit == 0 ? nil : known[limit], limit: 1_000) }
    try await alike { try await $0.cards(after: nil, limit: limit) }
    for number in known {
      try await alike { store in
        let record = try await store.viewer(number, swipes: limit)
        return Facts(
          record.seen, record.stack, record.recentSwipes, record.deals)
      }
      try await alike { try await $0.answersReceived(by: number, limit: limit) }
      try await alike { try await $0.unsafe(for: number) }
      let horizon = time(moment - Int64(limit) * 20)
      try await alike { try await $0.handAnswers(of: number, since: horizon) }
      try await alike { try await $0.answersGiven(by: number) }
      try await alike { try await $0.impressions(of: number) }
      try await alike { try await $0.matches(of: number) }
    }
    try await alike { try await $0.events(after: .start, limit: 1_000_000) }
    try await alike { try await $0.events(after: start, limit: limit) }
    try await alike { try await $0.lastPosition() }
    for deal in deals.suffix(5) + [start] {
      try await alike { try await $0.exposures(of: deal) }
    }
    for learner in learners + ["nobody"] {
      try await alike { try await $0.learnerBlob(learner) }
      for (position, limit) in [(LogPosition.start, 1_000_000), (start, limit)] {
        try await alike { store in
          try await store.learnerDeltas(of: learner, after: position, limit: limit).map {
            Facts($0.position, $0.increments)
          }
        }
      }
    }
  }

  /// Applies `operation` to both stores and returns what both answer.
  @discardableResult
  private func alike<Answer: Equatable>(
    _ operation: (any FeedStore) async throws -> Answer
  ) async throws -> Answer {
    let expected = try await operation(reference)
    let found = try await operation(store)
    try #require(found == expected)
    return expected
  }

  @discardableResult
  private func maintainAlike<Answer: Equatable>(
    _ operation: (any MaintainableStore) async throws -> Answer
  ) async throws -> Answer {
    let expected = try await operation(reference)
    let found = try await operation(store)
    try #require(found == expected)
    return expected
  }

  private func alike(_ operation: (any FeedStore) async throws -> Void) async throws {
    try await operation(reference)
    try await operation(store)
  }
}

/// Several values that are compared as one.
struct Facts<each Value: Equatable & Sendable>: Equatable, Sendable {
  let values: (repeat each Value)

  init(_ values: repeat each Value) { self.values = (repeat each values) }

  static func == (left: Facts, right: Facts) -> Bool {
    for (one, other) in repeat (each left.values, each right.values) {
      if one != other { return false }
    }
    return true
  }
}

extension SplitMix64 {
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
