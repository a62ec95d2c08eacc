#if XGBoost
  internal import CardFeed

  /// What one viewer has answered, as a fold over the answers in the order of the log. Answers without
  /// an outcome are not among them.
  struct ViewerAnswers {
    /// What was said of one card.
    struct Pair {
      private(set) var positives = 0
      private var firstPositive: Timestamp?
      private var lastPositive: Timestamp?
      private var last: Timestamp

      fileprivate init(_ time: Timestamp) { last = time }

      fileprivate mutating func add(_ outcome: Bool, at time: Timestamp) {
        // The log holds some answers late.
        last = max(last, time)
        guard outcome else { return }
        positives += 1
        firstPositive = min(firstPositive ?? time, time)
        lastPositive = max(lastPositive ?? time, time)
      }

      func daysSinceAnswer(_ now: Timestamp) -> Double { Self.days(last, now) }

      /// NaN before the first one.
      func daysSincePositive(_ now: Timestamp) -> Double {
        lastPositive.map { Self.days($0, now) } ?? .nan
      }

      /// The mean interval; NaN before the second one.
      var daysBetween: Double {
        guard let firstPositive, let lastPositive, positives > 1 else { return .nan }
        return Self.days(firstPositive, lastPositive) / Double(positives - 1)
      }

      private static func days(_ earlier: Timestamp, _ later: Timestamp) -> Double {
        let milliseconds = Double(later.milliseconds) - Double(earlier.milliseconds)
        return max(0, milliseconds) / Double(Timestamp.day)
      }
    }

    private var pairs: [CardNumber: Pair] = [:]
    /// For each column the tallies of its names, by their codes.
    private var named: [[Int32: AnswerTally]]

    init(columns: Int) { named = Array(repeating: [:], count: columns) }

    /// Adds an answer. O(columns).
    ///
    /// - Parameter codes: The card's names, one for each column; below 0 where there is none.
    mutating func add(
      _ card: CardNumber, _ outcome: Bool, at time: Timestamp, codes: [Int32]
    ) {
      pairs[card, default: Pair(time)].add(outcome, at: time)
      for (column, code) in codes.enumerated() where code >= 0 {
        named[column][code, default: AnswerTally()].add(outcome)
      }
    }

    /// What was said of a card; nil if nothing was.
    subscript(card: CardNumber) -> Pair? { pairs[card] }

    /// What was said of the cards with a name.
    func tally(_ column: Int, _ code: Int32) -> AnswerTally { named[column][code] ?? AnswerTally() }
  }
#endif
