#if XGBoost
  internal import CardFeed

  /// The rows of a training in a deck with one side: the answers of the log, each with what was known
  /// before it. A log is walked once, in its order.
  struct AnswerRows<D: Deck> {
    private let history: TrainingHistory<D>
    let features: [DecisionFeature]
    let numbers: [AnswerNumber]

    /// O(names of the table).
    init(_ history: TrainingHistory<D>, _ settings: GradientBoostingSettings) {
      self.history = history
      let table = history.table
      let names = NumericTraits.names(in: table, deck: history.deck, column: settings.column)
      var features = GradientBoostingSettings.resolved(settings.other, among: names)
        .map(DecisionFeature.other)
      var columns: [String] = []
      for column in settings.categories where !columns.contains(column) {
        guard case .category(_, let names)? = table.column(column) else { continue }
        columns.append(column)
        features += names.names.sorted().map { .otherIs(column: column, name: $0) }
      }
      self.features = features
      numbers = settings.hasRates ? AnswerNumber.all(columns: columns) : []
    }

    /// The rows of the first answers, and those of the last share of them, both in the order of the log.
    /// O(answers · features).
    ///
    /// - Parameter share: How many of the rows are held out, as one of so many; nil holds out none.
    func rows(
      column: String, holdingOutOneOf share: Int?, _ progress: TrainingProgress
    ) async throws -> (known: TreeFit.Rows, held: TreeFit.Rows) {
      let table = history.table
      let reader = AnswerReader(features, numbers, table: table, column: column)
      let columns = features.count + numbers.count
      let total = history.log.count { answer in
        history.deck.policy.outcome(of: answer.meaning) != nil && table.row(of: answer.card) != nil
      }
      let first = total - (share.map { total / $0 } ?? 0)
      var known = TreeFit.Rows(
        matrix: FeatureMatrix(columns: columns, capacity: total), outcomes: [])
      var held = TreeFit.Rows(matrix: FeatureMatrix(columns: columns), outcomes: [])
      var walk = Walk()
      var starts: [Row: [Float]] = [:]
      for (place, answer) in history.log.enumerated() {
        if place.isMultiple(of: 2048) { try await progress.step(place, of: history.log.count) }
        guard let outcome = history.deck.policy.outcome(of: answer.meaning) else { continue }
        if let row = table.row(of: answer.card) {
          let start = starts[row] ?? reader.start(of: row)
          starts[row] = start
          let values = reader.row(
            start, row, tallies: walk.tallies(answer),
            answers: walk.answers[answer.viewer] ?? reader.nothing, now: answer.time)
          if known.outcomes.count < first {
            known.matrix.append(values)
            known.outcomes.append(outcome)
          } else {
            held.matrix.append(values)
            held.outcomes.append(outcome)
          }
        }
        walk.add(answer, outcome, reader)
      }
      return (known, held)
    }

    /// What is known at one place of the log.
    private struct Walk {
      private var deck = AnswerTally()
      private var viewers: [ViewerNumber: AnswerTally] = [:]
      private var cards: [CardNumber: AnswerTally] = [:]
      private(set) var answers: [ViewerNumber: ViewerAnswers] = [:]

      func tallies(_ answer: TrainingAnswer) -> AnswerTallies {
        AnswerTallies(
          deck: deck, viewer: viewers[answer.viewer] ?? AnswerTally(),
          card: cards[answer.card] ?? AnswerTally())
      }

      mutating func add(_ answer: TrainingAnswer, _ outcome: Bool, _ reader: AnswerReader<D>) {
        deck.add(outcome)
        viewers[answer.viewer, default: AnswerTally()].add(outcome)
        cards[answer.card, default: AnswerTally()].add(outcome)
        reader.add(
          answer.card, outcome, at: answer.time,
          to: &answers[answer.viewer, default: reader.nothing])
      }
    }
  }
#endif
