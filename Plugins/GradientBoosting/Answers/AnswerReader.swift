#if XGBoost
  internal import CardFeed

  /// Makes the rows of a deck with one side, of trainings and of deals alike.
  struct AnswerReader<D: Deck> {
    private let cards: DecisionReader<D>
    private let table: CardTable<D>
    private let numbers: [(kind: AnswerNumber.Kind, column: Int)]
    /// For each column of names the code of each row.
    private let codes: [[Int32]]

    /// - Parameters:
    ///   - features: Of the card alone; they come first in a row.
    ///   - numbers: Of what was answered before.
    ///   - column: The column of named numbers.
    init(
      _ features: [DecisionFeature], _ numbers: [AnswerNumber], table: CardTable<D>, column: String
    ) {
      cards = DecisionReader(features, table: table, column: column)
      self.table = table
      var columns: [String] = []
      for number in numbers where number.kind.hasColumn && !columns.contains(number.column) {
        columns.append(number.column)
      }
      self.numbers = numbers.map { ($0.kind, columns.firstIndex(of: $0.column) ?? 0) }
      codes = columns.map { name in
        guard case .category(let codes, _)? = table.column(name) else { return [] }
        return codes
      }
    }

    /// A viewer of whom nothing is known.
    var nothing: ViewerAnswers { ViewerAnswers(columns: codes.count) }

    /// Adds an answer to what is known of a viewer; of a card that is gone no name is known. O(columns).
    func add(
      _ card: CardNumber, _ outcome: Bool, at time: Timestamp, to answers: inout ViewerAnswers
    ) {
      answers.add(card, outcome, at: time, codes: table.row(of: card).map(names) ?? [])
    }

    private func names(_ row: Row) -> [Int32] {
      codes.map { $0.indices.contains(row.index) ? $0[row.index] : -1 }
    }

    /// What a row needs of the card alone. O(features).
    func start(of row: Row) -> [Float] {
      let values = cards.values(of: row)
      return cards.row(values, values, counts: (LikeCounts(), LikeCounts()))
    }

    /// One row. O(features).
    ///
    /// - Parameters:
    ///   - start: What `start(of:)` says of the card.
    ///   - tallies: Of the moment.
    ///   - answers: What the viewer had answered until then.
    ///   - now: The moment.
    func row(
      _ start: [Float], _ row: Row, tallies: AnswerTallies, answers: ViewerAnswers, now: Timestamp
    ) -> [Float] {
      let names = names(row)
      let pair = answers[table.number(at: row)]
      let viewerRate = tallies.viewer.rate(towards: tallies.deck.share)
      return start
        + numbers.map { kind, column -> Float in
          switch kind {
          case .cardRate: return Float(tallies.card.rate(towards: tallies.deck.share))
          case .cardAnswers: return Float(tallies.card.answers)
          case .viewerRate: return Float(viewerRate)
          case .viewerAnswers: return Float(tallies.viewer.answers)
          case .viewerRateIn:
            guard names[column] >= 0 else { return .nan }
            return Float(answers.tally(column, names[column]).rate(towards: viewerRate))
          case .viewerAnswersIn:
            guard names[column] >= 0 else { return .nan }
            return Float(answers.tally(column, names[column]).answers)
          case .pairPositives: return Float(pair?.positives ?? 0)
          case .daysSinceAnswer: return Float(pair?.daysSinceAnswer(now) ?? .nan)
          case .daysSincePositive: return Float(pair?.daysSincePositive(now) ?? .nan)
          case .daysBetween: return Float(pair?.daysBetween ?? .nan)
          case .periods: return Self.periods(pair, now)
          }
        }
    }

    /// NaN also where all positive answers were of one moment.
    private static func periods(_ pair: ViewerAnswers.Pair?, _ now: Timestamp) -> Float {
      guard let pair, pair.daysBetween > 0 else { return .nan }
      return Float(pair.daysSincePositive(now) / pair.daysBetween)
    }
  }
#endif
