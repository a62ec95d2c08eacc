#if XGBoost
  public import CardFeed

  /// P(match) in a deck with two sides, by boosted trees that are fitted to who liked whom.
  ///
  /// Each decision of the log is a row: numbers of the one who decides, of the other, how far the two
  /// lie apart, and both people's like rates, given and received, without what the two said of each
  /// other. The rates run on between two trainings: each swipe counts, and a rewind takes it back.
  /// In a training a row's rates are those of the other four fifths of the pairs. P(match) is the
  /// product of the two sides. Sensitive traits are fitted only where a list names
  /// them.
  ///
  /// Source: Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016. How many trees
  /// there are is chosen by a fifth of the pairs, if nothing else is said, and all are grown anew from
  /// all of them.
  ///
  /// When not to use it: where people are all that is known, `social-relations` says the same with
  /// less. There is no standard error. A fit holds a matrix of answers · features in memory, four bytes
  /// a number.
  ///
  /// Deliberately absent: a fit on several threads; its sums, and so its bytes, would depend on the
  /// machine.
  public struct GradientBoostingProbability<D: Deck>: MatchProbabilityStrategy, TrainableStrategy {
    private let settings: GradientBoostingSettings
    private let rates: LikeRates<D>
    /// Where the current trees lie.
    public let slot: ModelSlot<GradientBoostingModel>

    init(
      _ settings: GradientBoostingSettings, slot: ModelSlot<GradientBoostingModel>,
      states: LearnerStates
    ) {
      self.settings = settings
      self.slot = slot
      rates = LikeRates(states: states)
    }

    /// What others said of the viewer, so that the pair's own answers can be left out.
    public var needs: ContextNeeds { settings.hasRates ? .answersReceived : [] }

    /// The like rates.
    public var learners: [any Learner<D>] { settings.hasRates ? [rates] : [] }

    /// Grows the trees. O(answers · features · depth) for each tree.
    public func fit(
      _ history: TrainingHistory<D>, progress: TrainingProgress
    ) async throws -> GradientBoostingModel {
      let data = DecisionData(history)
      let features = data.features(settings, deck: history.deck)
      guard !data.decisions.isEmpty, !features.isEmpty else {
        return GradientBoostingModel(features: features, column: settings.column, trees: nil)
      }
      do {
        let fit = TreeFit(settings: settings.boosting)
        var rounds = settings.rounds ?? 0
        if settings.rounds == nil {
          rounds = try await fit.rounds(
            data.rowsOfFolds(
              Array(1..<DecisionData<D>.folds), features: features, column: settings.column),
            held: data.rows(
              { $0.fold == 0 }, known: { $0.fold != 0 }, features: features,
              column: settings.column), progress.part(0, of: 2))
        }
        let rows = data.rowsOfFolds(
          Array(0..<DecisionData<D>.folds), features: features, column: settings.column)
        return GradientBoostingModel(
          features: features, column: settings.column,
          trees: try await fit.trees(
            rows, rounds: rounds, settings.rounds == nil ? progress.part(1, of: 2) : progress))
      } catch let error as XGBoostError {
        throw FeedError(.training, "'gradient-boosting' has no fit: \(error)")
      }
    }

    /// Unknown: trees have no posterior, and how far several fits lie apart would be no standard error.
    public var uncertainty: MatchUncertainty { TreeFit.uncertainty }

    /// P(match) and both sides; without trees all are unknown. O(candidates · (features + trees)).
    public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
      var estimates = MatchEstimates(count: slate.count)
      guard let model = slot.model, let trees = model.trees,
        let matrix = rows(of: slate, model)
      else { return estimates }
      let sides = try trees.probabilities(matrix)
      for index in 0..<slate.count {
        let forward = sides[2 * index]
        let backward = sides[2 * index + 1]
        estimates[index] = MatchEstimate(
          match: Probability(forward * backward), forward: Probability(forward),
          backward: Probability(backward))
      }
      return estimates
    }

    /// What each feature adds to the log-odds of both sides: `viewer` for the viewer's decision, `card`
    /// for the card's, with what all decisions share as `base`. O(candidates · trees · depth²).
    public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] {
      guard let model = slot.model, let trees = model.trees,
        let matrix = rows(of: slate, model)
      else { return [] }
      let parts = try trees.contributions(matrix)
      let names = model.features.map(\.name) + ["base"]
      return ["viewer", "card"].enumerated().flatMap { side, who in
        names.enumerated().map { place, name in
          EstimatePart(
            name: "\(who) \(name)",
            values: (0..<slate.count).map { parts[(2 * $0 + side) * names.count + place] })
        }
      }
    }

    /// Two rows for each candidate, the viewer's decision and the card's; nil where there are none.
    private func rows(
      of slate: Slate<D>, _ model: GradientBoostingModel
    ) -> FeatureMatrix? {
      guard let viewer = slate.context.row, slate.count > 0 else { return nil }
      let reader = DecisionReader(model.features, table: slate.table, column: model.column)
      let numbers = slate.numbers
      let counts = rates.counts(of: [slate.context.number] + numbers)
      let received = slate.context.lastReceived
      let own = reader.values(of: viewer)
      var matrix = FeatureMatrix(columns: model.features.count, capacity: 2 * slate.count)
      for (index, row) in slate.rows.enumerated() {
        let other = reader.values(of: row)
        let pair = DecisionData<D>.without(
          own: counts[0], other: counts[index + 1],
          given: slate.context.seen[numbers[index]]?.answer?.meaning.isLike,
          received: received[numbers[index]]?.isLike)
        matrix.append(reader.row(own, other, counts: pair))
        matrix.append(reader.row(other, own, counts: (pair.other, pair.own)))
      }
      return matrix
    }
  }

  extension AnswerMeaning {
    /// Nil for a neutral answer.
    fileprivate var isLike: Bool? {
      switch self {
      case .positive: true
      case .negative: false
      case .neutral: nil
      }
    }
  }

  extension DealContext {
    /// What each card last said of the viewer.
    fileprivate var lastReceived: [CardNumber: AnswerMeaning] {
      var last: [CardNumber: AnswerMeaning] = [:]
      for answer in answersReceived where last[answer.from] == nil {
        last[answer.from] = answer.meaning
      }
      return last
    }
  }
#endif
