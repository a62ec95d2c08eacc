import CardFeedTesting

@testable import CardFeed

/// How often each card was liked and passed.
struct TallyModel: TrainedModel {
  var likes: [CardID: [Int]] = [:]

  init(_ likes: [CardID: [Int]]) { self.likes = likes }

  init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    for _ in 0..<(try reader.count()) {
      likes[CardID(bytes: try reader.blob())] = [try reader.count(), try reader.count()]
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.count(likes.count)
    for (id, counts) in likes.sorted(by: { $0.key < $1.key }) {
      writer.blob(id.bytes)
      for count in counts { writer.count(count) }
    }
    // `count` reads may not exceed what is left.
    return writer.bytes + Array(repeating: 0, count: 64)
  }

  func forgetting(_ id: CardID) -> TallyModel {
    var model = self
    model.likes[id] = nil
    return model
  }

  var scored: [String] { ["tally"] }
}

/// Scores cards by a tally that is trained.
struct TallyRanking: RankingStrategy, TrainableStrategy {
  typealias D = ToyDeck

  let slot: ModelSlot<TallyModel>
  /// Runs in the middle of each fit.
  var during: @Sendable () async throws -> Void = {}

  init(
    states: LearnerStates, identity: String = "tally/1", origin: String = "",
    during: @escaping @Sendable () async throws -> Void = {}
  ) {
    slot = states.slot(for: identity, origin: origin, of: TallyModel.self)
    self.during = during
  }

  func fit(
    _ history: TrainingHistory<ToyDeck>, progress: TrainingProgress
  ) async throws -> TallyModel {
    var tally: [CardID: [Int]] = [:]
    for (step, answer) in history.answers.enumerated() {
      guard let row = history.table.row(of: answer.card) else { continue }
      tally[history.table.id(at: row), default: [0, 0]][answer.meaning == .positive ? 0 : 1] += 1
      try await progress.step(step, of: history.answers.count)
    }
    try await during()
    try await progress.step(history.answers.count, of: history.answers.count)
    return TallyModel(tally)
  }

  func scores(
    for slate: Slate<ToyDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let model = slot.model
    return SlateScores(
      values: slate.rows.map { row in
        model.map { Double($0.likes[slate.table.id(at: row)]?[0] ?? 0) } ?? .nan
      })
  }
}
