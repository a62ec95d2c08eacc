/// A strategy with a model that is fitted to all answers of the log at once.
///
/// A learner moves with every swipe; a trainable strategy stands still between two trainings. What
/// a viewer did since then it may take from the context of the deal, without storing anything, so
/// that a rewind is exact for it, too.
///
/// The model lies in a slot of the `LearnerStates`, where it outlives a reload. It is swapped whole,
/// and only for one whose fit succeeded.
public protocol TrainableStrategy<D>: Strategy {
  /// What a fit makes.
  associatedtype Model: TrainedModel

  /// Where the current model lies. Taken from the `LearnerStates` under which the strategy was
  /// built, by the strategy's identity.
  var slot: ModelSlot<Model> { get }

  /// Whether the fit asks the pipeline, `TrainingHistory.pipeline`. It then comes after the fits of
  /// all strategies that do not, and sees their new models. False by default.
  var asksPipeline: Bool { get }

  /// Fits a model. Equal histories give equal models, bit for bit.
  ///
  /// - Parameters:
  ///   - history: The answers that stand.
  ///   - progress: Is told how far the fit is, lets others run meanwhile, and ends a cancelled fit.
  /// - Throws: `FeedError.Code.training` if there is no fit; what `progress` throws.
  func fit(
    _ history: TrainingHistory<D>, progress: TrainingProgress
  ) async throws -> Model
}

extension TrainableStrategy {
  /// No.
  public var asksPipeline: Bool { false }

  /// Itself.
  public var trainables: [any TrainableStrategy<D>] { [self] }
}

/// A fitted model: a value, keyed by the identities of cards and viewers, since numbers belong to
/// one store.
public protocol TrainedModel: Sendable {
  /// Reads what `bytes` wrote; damaged bytes throw, never trap.
  init(bytes: [UInt8]) throws

  /// The model with its version. Equal models give equal bytes.
  var bytes: [UInt8] { get }

  /// The model without what it knows of one card or viewer.
  func forgetting(_ id: CardID) -> Self

  /// What of cards and viewers it scores beside their answers, by name, for audits. Nothing by
  /// default.
  var scored: [String] { get }
}

extension TrainedModel {
  /// Nothing.
  public var scored: [String] { [] }
}

extension ByteReader {
  /// Reads the version that the bytes of a model begin with.
  ///
  /// - Parameters:
  ///   - version: The one that can be read.
  ///   - model: What error texts call the model, such as "a market plan".
  /// - Throws: `FeedError.Code.model` for another version.
  package mutating func modelVersion(_ version: UInt64, of model: String) throws {
    let found = try unsigned()
    guard found == version else {
      throw FeedError(
        .model, "\(model) has version \(found); this version of CardFeed reads \(version)",
        hint: "train again with this version")
    }
  }
}

/// One answer of the log that stands.
public struct TrainingAnswer: Hashable, Sendable {
  /// Who answered.
  public let viewer: ViewerNumber
  /// About which card.
  public let card: CardNumber
  /// The raw value of the deck's answer; empty where only its meaning is known.
  public let answer: String
  /// What the answer says.
  public let meaning: AnswerMeaning
  /// When.
  public let time: Timestamp
  /// Its place in the log.
  public let event: LogPosition

  /// One answer of the log.
  public init(
    viewer: ViewerNumber, card: CardNumber, answer: String = "", meaning: AnswerMeaning,
    time: Timestamp, event: LogPosition
  ) {
    self.viewer = viewer
    self.card = card
    self.answer = answer
    self.meaning = meaning
    self.time = time
    self.event = event
  }
}

/// What a model is fitted to.
public struct TrainingHistory<D: Deck>: Sendable {
  /// Of each viewer about each card the last answer that stands, in the order of the log. Answers
  /// of erased people, and those that were folded away, are not among them.
  public let answers: [TrainingAnswer]
  /// Every answer that stands, in the order of the log: more than `answers` where cards return.
  public let log: [TrainingAnswer]
  /// The identities of those who answered, by which models know them.
  public let viewers: [ViewerNumber: CardID]
  /// The cards at the time of the training.
  public let table: CardTable<D>
  /// The deck.
  public let deck: D
  /// When the training began.
  public let now: Timestamp
  /// The place of the log up to which it was read.
  public let position: LogPosition
  /// What the strategy's pipeline thinks, for a strategy that asks it; nil for any other.
  public let pipeline: TrainingPipeline<D>?

  /// What a model is fitted to.
  public init(
    answers: [TrainingAnswer], log: [TrainingAnswer]? = nil,
    viewers: [ViewerNumber: CardID] = [:], table: CardTable<D>, deck: D, now: Timestamp,
    position: LogPosition = .start, pipeline: TrainingPipeline<D>? = nil
  ) {
    self.pipeline = pipeline
    self.answers = answers
    self.log = log ?? answers
    self.viewers = viewers
    self.table = table
    self.deck = deck
    self.now = now
    self.position = position
  }
}

/// How far a training is.
public struct TrainingStep: Hashable, Sendable {
  /// The identity of the strategy that is fitted; empty while the log is read.
  public let strategy: String
  /// Steps done.
  public let done: Int
  /// Steps altogether, as far as is known; 0 if it is not.
  public let total: Int
}

/// Takes the reports of a fit. CPU-bound work that never waits would hold up every other task of the
/// process, so a fit calls `step` every few milliseconds.
public struct TrainingProgress: Sendable {
  private let strategy: String
  private let report: @Sendable (TrainingStep) -> Void

  /// Takes the reports of the fit of one strategy.
  public init(
    strategy: String = "", report: @escaping @Sendable (TrainingStep) -> Void = { _ in }
  ) {
    self.strategy = strategy
    self.report = report
  }

  /// The progress of one of several equal parts of a fit.
  ///
  /// - Parameters:
  ///   - index: Which part, from 0.
  ///   - count: How many there are.
  public func part(_ index: Int, of count: Int) -> TrainingProgress {
    let report = report
    return TrainingProgress(strategy: strategy) { step in
      report(
        TrainingStep(
          strategy: step.strategy, done: index * max(step.total, step.done) + step.done,
          total: count * step.total))
    }
  }

  /// Reports, and lets other tasks run.
  ///
  /// - Throws: `CancellationError` when the task of the training was cancelled.
  public func step(_ done: Int, of total: Int) async throws {
    try Task.checkCancellation()
    report(TrainingStep(strategy: strategy, done: done, total: total))
    await Task.yield()
  }
}

extension TrainableStrategy {
  var anySlot: any AnyModelSlot { slot }
}
