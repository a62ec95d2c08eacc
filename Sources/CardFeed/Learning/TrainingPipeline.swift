/// What a fit may ask the pipeline that its strategy stands in: whom each viewer may be dealt, and
/// how likely matches are.
///
/// Strategies of the pipeline answer with the models that were fitted in the same training.
public struct TrainingPipeline<D: Deck>: Sendable {
  private let pipeline: Pipeline<D>
  private let table: CardTable<D>
  private let context: @Sendable (Row) async throws -> DealContext<D>

  /// A pipeline for a training.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - table: The cards at the time of the training.
  ///   - context: What a deal would know of a viewer, by the row of their card.
  package init(
    _ pipeline: Pipeline<D>, table: CardTable<D>,
    context: @escaping @Sendable (Row) async throws -> DealContext<D>
  ) {
    self.pipeline = pipeline
    self.table = table
    self.context = context
  }

  /// A viewer, as a deal would see them now. Reads the viewer's answers from the store.
  ///
  /// - Parameter row: The viewer's own card, in a deck where viewers are cards.
  /// - Throws: What the store throws.
  public func viewer(_ row: Row) async throws -> Viewer {
    Viewer(pipeline: pipeline, table: table, context: try await context(row))
  }

  /// One viewer of the pipeline.
  public struct Viewer: Sendable {
    private let pipeline: Pipeline<D>
    private let table: CardTable<D>
    private let context: DealContext<D>

    fileprivate init(pipeline: Pipeline<D>, table: CardTable<D>, context: DealContext<D>) {
      self.pipeline = pipeline
      self.table = table
      self.context = context
    }

    /// Which of some cards pass every filter, safety included, nothing relaxed.
    ///
    /// - Parameter rows: Cards, each once.
    /// - Returns: Those that pass, in their order.
    /// - Throws: What a filter throws; `FeedError.Code.strategyFault` if it breaks its contract;
    ///   `FeedError.Code.store` if safety data could not be read.
    public func eligible(among rows: [Row]) async throws -> [Row] {
      var rest = rows
      for named in pipeline.filters where !rest.isEmpty {
        let verdicts = try await named.strategy.verdicts(for: slate(rest), relaxation: 0)
        try check(verdicts.count, rest.count, "filter", named.name)
        // A deal asks again at the next one; a plan would leave the pair out for good.
        if named.strategy is SafetyFilter<D>, verdicts.contains(.unavailable) {
          throw FeedError(
            .store, "the store could not say who must not meet whom; nothing was trained",
            hint: "train again when the store answers")
        }
        let isHard = named.strategy.kind == .hard
        rest = zip(rest, verdicts).compactMap { row, verdict in
          switch verdict {
          case .keep: row
          case .remove: nil
          case .unavailable: isHard ? nil : row
          }
        }
      }
      return rest
    }

    /// How likely a match is with each of some cards.
    ///
    /// - Parameter rows: Cards, each once.
    /// - Returns: One estimate for each, in their order.
    /// - Throws: What the match probability throws; `FeedError.Code.strategyFault` if it breaks its
    ///   contract.
    public func estimates(of rows: [Row]) async throws -> MatchEstimates {
      let named = pipeline.matchProbability
      let estimates = try await named.strategy.estimates(for: slate(rows))
      try check(estimates.count, rows.count, "match probability", named.name)
      return estimates
    }

    private func slate(_ rows: [Row]) -> Slate<D> {
      Slate(table: table, rows: rows, context: context)
    }

    private func check(_ found: Int, _ expected: Int, _ kind: String, _ name: String) throws {
      guard found == expected else {
        throw FeedError(
          .strategyFault,
          "the \(kind) '\(name)' answered with \(found) values for a slate of \(expected) cards",
          hint: "a strategy returns one value for each candidate, in the order of the slate")
      }
    }
  }
}
