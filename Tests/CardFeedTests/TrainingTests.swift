import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Strategies that are trained on the whole log")
struct TrainingTests {
  private struct Refused: Error {}

  private func open(
    _ store: InMemoryStore = InMemoryStore(), states: LearnerStates = LearnerStates(),
    _ rankings: TallyRanking...
  ) async throws -> TestBench<InMemoryStore> {
    func pipeline(_ ranking: TallyRanking) -> Pipeline<ToyDeck> {
      var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
      builder.hand = HandPolicy(size: 8, refillBelow: 8, rewind: 10, ties: .id)
      builder.ranking = ranking
      return builder.build()
    }
    let variants = rankings.dropFirst().enumerated().map { index, ranking in
      PipelineSet<ToyDeck>.Variant(name: "\(index)", share: 0.1, pipeline: pipeline(ranking))
    }
    let first = try #require(rankings.first)
    return try await TestBench(
      store, cards: ToyCard.numbered(8), states: states,
      pipelines: PipelineSet(base: pipeline(first), variants: variants))
  }

  private func record(
    _ bench: TestBench<InMemoryStore>, _ viewer: ViewerID, _ answers: [(CardID, ToyAnswer)]
  ) async throws {
    _ = try await bench.feed.record(
      answers.map { card, answer in
        RecordedSwipe(
          Swipe(viewer: viewer, card: card, answer: answer, event: bench.counter.next()))
      })
  }

  @Test("A training sees the last answers that stand, and their order in the log")
  func standingAnswers() async throws {
    let states = LearnerStates()
    let ranking = TallyRanking(states: states)
    let bench = try await open(states: states, ranking)
    try await record(bench, "7", [("1", .like), ("2", .like), ("3", .pass)])
    try await record(bench, "8", [("2", .like), ("3", .like), ("2", .pass)])
    let top = try #require(try await bench.hand("6").first)
    try await bench.swipe(top, .like, by: "6")
    _ = try await bench.rewind("6")
    let report = try await bench.feed.train()
    #expect(report.answers == 5)
    #expect(ranking.slot.model?.likes == ["1": [1, 0], "2": [1, 1], "3": [1, 1]])
    #expect(report.scored == [["tally"]])
    #expect(report.position == (try await bench.store.lastPosition()))
    // The next deal goes by the new model.
    #expect(try await bench.feed.redeal(for: "5").ids.prefix(3) == ["1", "2", "3"])
  }

  @Test("Two trainings of one log give the same bytes, a later answer others")
  func determinism() async throws {
    let states = LearnerStates()
    let bench = try await open(states: states, TallyRanking(states: states))
    try await record(bench, "7", [("1", .like), ("2", .like)])
    let first = try await bench.feed.train().file
    #expect(try await bench.feed.train().file.bytes == first.bytes)
    try await record(bench, "7", [("3", .like)])
    #expect(try await bench.feed.train().file.bytes != first.bytes)
  }

  @Test("A failed fit changes nothing, for any strategy of the feed")
  func failure() async throws {
    let states = LearnerStates()
    let fails = Lock(false)
    let good = TallyRanking(states: states)
    let bad = TallyRanking(states: states, identity: "other/1") {
      if fails.withLock({ $0 }) { throw Refused() }
    }
    let bench = try await open(states: states, good, bad)
    try await record(bench, "7", [("1", .like)])
    try await bench.feed.train()
    fails.withLock { $0 = true }
    try await record(bench, "7", [("2", .like)])
    await #expect(throws: Refused.self) { try await bench.feed.train() }
    for ranking in [good, bad] { #expect(ranking.slot.model?.likes == ["1": [1, 0]]) }
    // And the next training is not held up by it.
    fails.withLock { $0 = false }
    try await bench.feed.train()
    for ranking in [good, bad] { #expect(ranking.slot.model?.likes.count == 2) }
  }

  @Test("A cancelled training ends, and changes nothing")
  func cancellation() async throws {
    let states = LearnerStates()
    let (began, beginning) = AsyncStream<Void>.makeStream()
    let ranking = TallyRanking(states: states) {
      beginning.yield()
      while !Task.isCancelled { await Task.yield() }
    }
    let bench = try await open(states: states, ranking)
    try await record(bench, "7", [("1", .like)])
    let training = Task { try await bench.feed.train() }
    for await _ in began { break }
    training.cancel()
    await #expect(throws: CancellationError.self) { try await training.value }
    #expect(ranking.slot.model == nil)
  }

  @Test("Who is erased leaves the model at once, and no training brings them back")
  func erasure() async throws {
    let states = LearnerStates()
    let ranking = TallyRanking(states: states)
    let bench = try await open(states: states, ranking)
    try await record(bench, "7", [("1", .like), ("2", .like)])
    try await bench.feed.train()
    try await bench.feed.erase("1")
    #expect(ranking.slot.model?.likes == ["2": [1, 0]])
    let report = try await bench.feed.train()
    #expect(ranking.slot.model?.likes == ["2": [1, 0]])
    #expect(report.answers == 1)
    try await bench.feed.erase("7")
    #expect(try await bench.feed.train().answers == 0)
  }

  @Test("Who is erased while a training runs is in none of its models")
  func erasureMeanwhile() async throws {
    let states = LearnerStates()
    let reference = Lock<TestBench<InMemoryStore>?>(nil)
    let ranking = TallyRanking(states: states) {
      guard let bench = reference.withLock({ $0 }) else { return }
      reference.withLock { $0 = nil }
      try await bench.feed.erase("1")
    }
    let bench = try await open(states: states, ranking)
    try await record(bench, "7", [("1", .like), ("2", .like)])
    reference.withLock { $0 = bench }
    let report = try await bench.feed.train()
    #expect(report.answers == 2, "the log was read before")
    #expect(ranking.slot.model?.likes == ["2": [1, 0]])
    let written = try #require(report.file.entries.first)
    #expect(try TallyModel(bytes: written.model).likes == ["2": [1, 0]])
  }

  @Test("A model outlives a reload that keeps its strategy, and no other")
  func reload() async throws {
    let states = LearnerStates()
    let bench = try await open(states: states, TallyRanking(states: states))
    try await record(bench, "7", [("1", .like)])
    try await bench.feed.train()
    func pipelines(_ ranking: some RankingStrategy<ToyDeck>) -> PipelineSet<ToyDeck> {
      var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(bench.store))
      builder.ranking = ranking
      return builder.buildSet()
    }
    let again = TallyRanking(states: states)
    try await bench.feed.reload(pipelines(again))
    #expect(again.slot.model?.likes == ["1": [1, 0]])
    let other = TallyRanking(states: states, origin: "another file")
    #expect(other.slot.model == nil)
    try await bench.feed.reload(pipelines(other))
    // The first slot was let go, so that models of the past do not pile up.
    #expect(TallyRanking(states: states).slot.model == nil)
  }

  @Test("Models go into the slots of the same identity, all or none")
  func installing() async throws {
    let states = LearnerStates()
    let one = TallyRanking(states: states)
    let two = TallyRanking(states: states, identity: "other/1")
    let bench = try await open(states: states, one, two)
    let model = TallyModel(["5": [2, 3]])
    func entry(_ identity: String, _ bytes: [UInt8]) -> ModelFile.Entry {
      ModelFile.Entry(identity: identity, position: .start, answers: 0, model: bytes)
    }
    #expect(throws: ByteReader.Damage.self) {
      try bench.feed.install(
        ModelFile(deck: "toy", entries: [entry("tally/1", model.bytes), entry("other/1", [9])]))
    }
    #expect(one.slot.model == nil)
    let file = ModelFile(
      deck: "toy", entries: [entry("tally/1", model.bytes), entry("unknown/1", [9])])
    #expect(try bench.feed.install(file) == 1)
    #expect(one.slot.model?.likes == ["5": [2, 3]])
    #expect(two.slot.model == nil)
  }

  @Test("Progress goes from reading to fitting")
  func progress() async throws {
    let states = LearnerStates()
    let bench = try await open(states: states, TallyRanking(states: states))
    try await record(bench, "7", [("1", .like), ("2", .pass)])
    let steps = Lock<[TrainingStep]>([])
    try await bench.feed.train { step in steps.withLock { $0.append(step) } }
    let seen = steps.withLock { $0 }
    #expect(seen.first?.strategy == "")
    #expect(seen.last == TrainingStep(strategy: "tally/1", done: 2, total: 2))
  }
}

@Suite("Files of models")
struct ModelFileTests {
  private let file = ModelFile(
    deck: "toy",
    entries: [
      .init(identity: "tally/1 a=1", position: LogPosition(7), answers: 3, model: [1, 2, 3]),
      .init(identity: "other/2", position: LogPosition(9), answers: 0, model: []),
    ])

  @Test("A file reads back as it was written")
  func roundTrip() throws {
    #expect(try ModelFile(bytes: file.bytes, name: "x") == file)
    #expect(try file.model(of: "tally/1 a=1", deck: "toy", name: "x") == [1, 2, 3])
  }

  @Test("Models begin at multiples of 64, and a head says where")
  func places() throws {
    let bytes = file.bytes
    let place = try ModelFileHead.place(in: Array(bytes.prefix(40)), name: "x")
    let head = try ModelFileHead(
      Array(bytes[..<place.upperBound]), at: place, fileSize: bytes.count, name: "x")
    let range = try head.range(of: "tally/1 a=1", deck: "toy", name: "x")
    #expect(range.lowerBound % 64 == 0)
    #expect(Array(bytes[range]) == [1, 2, 3])
    #expect(head.entries.map(\.answers) == [3, 0])
  }

  @Test("The checksum is CRC-32C, whose check value is published")
  func checksum() {
    #expect(CRC32C.checksum(of: Array("123456789".utf8)) == 0xe306_9283)
    let first = CRC32C.checksum(of: Array("1234".utf8))
    #expect(CRC32C.checksum(of: Array("56789".utf8), after: first) == 0xe306_9283)
  }

  @Test("Every damaged or cut file is refused")
  func damage() {
    let bytes = file.bytes
    for length in 0..<bytes.count {
      #expect(throws: FeedError.self) { try ModelFile(bytes: Array(bytes[..<length]), name: "x") }
    }
    for place in bytes.indices {
      var bytes = bytes
      bytes[place] ^= 0x10
      #expect(throws: FeedError.self, "byte \(place)") { try ModelFile(bytes: bytes, name: "x") }
    }
  }

  private func problem(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return (error as? FeedError).map { "\($0.code): \($0.message)" } ?? "\(error)"
    }
  }

  @Test("Errors say what was found and what is meant")
  func errors() {
    #expect(
      problem { _ = try ModelFile(bytes: Array("{}".utf8), name: "x.json") }
        == "model: x.json is no model file; a model file begins with \"CardFeed model\"")
    var bytes = file.bytes
    bytes[15] = 3
    #expect(
      problem { _ = try ModelFile(bytes: bytes, name: "x") }
        == "model: x has version 3; this version of CardFeed reads 2")
    bytes = file.bytes
    bytes[20] ^= 1
    #expect(
      problem { _ = try ModelFile(bytes: bytes, name: "x") }
        == "model: x is damaged: its checksum does not fit its bytes")
    #expect(
      problem { _ = try file.model(of: "tally/1 a=1", deck: "dating", name: "x") }
        == "model: x holds models of the deck 'toy', not of 'dating'")
    #expect(
      problem { _ = try file.model(of: "tally/1 a=2", deck: "toy", name: "x") }
        == "model: x holds a model of 'tally' with other parameters")
    #expect(
      problem { _ = try file.model(of: "hybrid/1", deck: "toy", name: "x") }
        == "model: x holds no model of 'hybrid', but of 'tally', 'other'")
  }
}
