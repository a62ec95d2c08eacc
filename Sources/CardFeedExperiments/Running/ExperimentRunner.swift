internal import CardFeed
public import CardFeedConfiguration

/// Runs experiments: every arm through the public `Feed`, on recorded decisions.
///
/// This module holds data sets, splits, metrics, statistics and replays. It deals with the same
/// engine a server runs, so that a figure is about what would be served. The command line calls it;
/// it must never import a plugin or a store, which arrive as a `PluginSet`.
public struct ExperimentRunner: Sendable {
  private let plugins: PluginSet
  let threads: Int

  /// A runner.
  ///
  /// - Parameters:
  ///   - plugins: The decks and strategies that arms may use.
  ///   - threads: How many parts are computed at a time; the figures do not depend on it.
  public init(plugins: PluginSet, threads: Int) {
    self.plugins = plugins
    self.threads = threads
  }

  /// Runs an experiment.
  ///
  /// - Parameters:
  ///   - specification: What to compare.
  ///   - data: The decisions.
  ///   - references: Predictions made elsewhere, to compare with.
  ///   - progress: Told the parts done and their number, each count once and in ascending order;
  ///     called from any task, one call at a time.
  /// - Throws: What a feed throws; a ``SplitLeak`` when the split would tell a feed what it is
  ///   asked.
  /// - Complexity: arms × seeds × (decisions × budgets, or folds × decisions), and
  ///   the trainings.
  public func run(
    _ specification: ExperimentSpecification, data: SpeedDatingData,
    references: ReferenceFolder? = nil,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let plugins = PluginSet(plugins.plugins + [ReplayPlugin(truth: ReplayTruth(data))])
    var predicted = Predicted()
    let split = specification.split.prediction(data)
    if case .deckReplay(let budgets) = specification.split {
      predicted = try await replay(
        specification, data: data, budgets: budgets, plugins: plugins, progress: progress)
    } else if let split {
      predicted = try await predict(
        specification, split: split, data: data, plugins: plugins, references: references,
        progress: progress)
    }
    let dataSet =
      switch specification.data {
      case .speedDating: "speed-dating"
      case .generatedDating: "generated-dating"
      }
    return ExperimentResult(
      experiment: specification.name, fingerprint: specification.fingerprint, dataSet: dataSet,
      dataChecksum: data.checksum, people: data.persons.count, pairs: data.pairs.count,
      matches: data.pairs.count(where: \.match), seed: specification.seed, arms: predicted.arms,
      differences: predicted.differences, predictsPairs: split?.unit == .pairs,
      predictions: predicted.predictions)
  }

  /// A part of the work, and the seed of its feed.
  func parts(_ specification: ExperimentSpecification, of count: Int) -> [Part] {
    specification.arms.indices.flatMap { arm in
      (0..<specification.arms[arm].seeds).flatMap { seed in
        (0..<count).map { Part(arm: arm, seed: seed, index: $0) }
      }
    }
  }

  struct Part: Sendable {
    let arm: Int
    let seed: Int
    let index: Int
  }

  func seed(_ specification: ExperimentSpecification, _ part: Part) -> UInt64 {
    var hash = StableHash()
    hash.combine(specification.seed)
    hash.combine(part.seed)
    return hash.value
  }

  func deck(
    of arm: ExperimentSpecification.Arm, in plugins: PluginSet
  ) throws -> any DeckPlugin {
    guard let deck = plugins.deck(named: arm.feed.deck) else {
      throw FeedError(.badInput, "no plugin brings the deck '\(arm.feed.deck)'")
    }
    return deck
  }
}

/// Counts finished parts from many tasks.
final class ProgressCounter: Sendable {
  private let done = Lock(0)
  private let total: Int
  private let progress: @Sendable (Int, Int) -> Void

  init(total: Int, _ progress: @escaping @Sendable (Int, Int) -> Void) {
    self.total = total
    self.progress = progress
  }

  @Sendable func advance() {
    // Told under the lock: else a later count could overtake an earlier one.
    done.withLock { done in
      done += 1
      progress(done, total)
    }
  }
}
