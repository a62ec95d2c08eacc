#if XGBoost
  public import CardFeed

  /// P(match) in a deck with one side, by boosted trees that are fitted to what viewers answered.
  ///
  /// Each answer of the log that has an outcome (`DeckPolicy.outcome(of:)`) is a row, with what was
  /// known before it and nothing that came after: numbers and names of the card; how often the card was
  /// wanted, by anybody; how often the viewer wanted a card, and one with the same name in a column; how
  /// often the viewer wanted this very card, how long ago, and how regularly. A deal makes the same
  /// numbers by the same code, the rates out of a learner's sums, which a rewind takes back, and the rest
  /// out of the viewer's answers. P(match) is the probability that the viewer's own answer is positive.
  ///
  /// Rates are drawn to those of the whole deck, a viewer's rate among the cards with a name to the
  /// viewer's own, by ten answers. How many trees there are is chosen by the last fifth of the answers,
  /// if nothing else is said, and all are grown anew from all of them. Sensitive traits are fitted only
  /// where a list names them.
  ///
  /// Source: Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016.
  ///
  /// When not to use it: on a few hundred answers, where `match-rate` says as much. What cards say is
  /// what they say at the time of the training, so leave out numbers that change, such as a stock, and
  /// where answers are folded away, a training counts less than deals do. A training that is younger
  /// than the answers it forecasts knows rates of its own time: calibrate it (`calibrated`). There is no
  /// standard error. A deal reads all answers of the viewer. A fit holds a matrix of answers · features
  /// in memory, four bytes a number.
  public struct AnswerBoostingProbability<D: Deck>: MatchProbabilityStrategy, TrainableStrategy {
    /// One of so many rows, the last ones, chooses how many trees there are.
    private static var heldOut: Int { 5 }

    private let settings: GradientBoostingSettings
    private let sums: AnswerSums<D>
    /// Where the current trees lie.
    public let slot: ModelSlot<AnswerBoostingModel>

    init(
      _ settings: GradientBoostingSettings, slot: ModelSlot<AnswerBoostingModel>,
      states: LearnerStates
    ) {
      self.settings = settings
      self.slot = slot
      sums = AnswerSums(states: states)
    }

    /// All answers of the viewer.
    public var needs: ContextNeeds { settings.hasRates ? .answersGiven : [] }

    /// The sums that rates are made of.
    public var learners: [any Learner<D>] { settings.hasRates ? [sums] : [] }

    /// Grows the trees. O(answers · features · depth) for each tree.
    public func fit(
      _ history: TrainingHistory<D>, progress: TrainingProgress
    ) async throws -> AnswerBoostingModel {
      let data = AnswerRows(history, settings)
      func model(_ trees: BoostedTrees?) -> AnswerBoostingModel {
        AnswerBoostingModel(
          features: data.features, numbers: data.numbers, column: settings.column, trees: trees)
      }
      guard !data.features.isEmpty || !data.numbers.isEmpty else { return model(nil) }
      let parts = settings.rounds == nil ? 3 : 2
      var (rows, held) = try await data.rows(
        column: settings.column, holdingOutOneOf: settings.rounds == nil ? Self.heldOut : nil,
        progress.part(0, of: parts))
      guard !rows.outcomes.isEmpty else { return model(nil) }
      do {
        let fit = TreeFit(settings: settings.boosting)
        var rounds = settings.rounds ?? 0
        if settings.rounds == nil {
          rounds = try await fit.rounds(rows, held: held, progress.part(1, of: parts))
          rows.append(held)
        }
        return model(
          try await fit.trees(rows, rounds: rounds, progress.part(parts - 1, of: parts)))
      } catch let error as XGBoostError {
        throw FeedError(.training, "'gradient-boosting' has no fit: \(error)")
      }
    }

    /// Unknown: trees have no posterior, and how far several fits lie apart would be no standard error.
    public var uncertainty: MatchUncertainty { TreeFit.uncertainty }

    /// P(match), which is what the viewer wants; without trees all are unknown. O(answers of the viewer
    /// + candidates · (features + trees)).
    public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
      var estimates = MatchEstimates(count: slate.count)
      guard let model = slot.model, let trees = model.trees, slate.count > 0 else {
        return estimates
      }
      for (index, value) in try trees.probabilities(rows(of: slate, model)).enumerated() {
        estimates[index] = MatchEstimate(match: Probability(value), forward: Probability(value))
      }
      return estimates
    }

    /// What each feature adds to the log-odds, with what all answers share as `base`.
    /// O(candidates · trees · depth²).
    public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] {
      guard let model = slot.model, let trees = model.trees, slate.count > 0 else { return [] }
      let parts = try trees.contributions(rows(of: slate, model))
      let names = model.scored + ["base"]
      return names.enumerated().map { place, name in
        EstimatePart(
          name: name, values: (0..<slate.count).map { parts[$0 * names.count + place] })
      }
    }

    /// One row for each candidate.
    func rows(of slate: Slate<D>, _ model: AnswerBoostingModel) -> FeatureMatrix {
      let reader = AnswerReader(
        model.features, model.numbers, table: slate.table, column: model.column)
      let context = slate.context
      var answers = reader.nothing
      for given in context.answersGiven {
        guard let outcome = context.deck.policy.outcome(of: given.meaning) else { continue }
        reader.add(given.card, outcome, at: given.time, to: &answers)
      }
      let tallies = sums.tallies(of: context.number, cards: slate.numbers)
      var matrix = FeatureMatrix(
        columns: model.features.count + model.numbers.count, capacity: slate.count)
      for (row, tallies) in zip(slate.rows, tallies) {
        matrix.append(
          reader.row(
            reader.start(of: row), row, tallies: tallies, answers: answers, now: context.now))
      }
      return matrix
    }
  }
#endif
