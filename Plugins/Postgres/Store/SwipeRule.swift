#if Postgres
  internal import CardFeed

  /// A match rule as a truth table, so that the database can apply it to what the other side said
  /// at the moment of the decision: bit 0 for "said nothing", bit 1 + raw value for each meaning.
  /// Rules are pure, so asking ahead changes nothing.
  ///
  /// Two bits above the table say what the swipe found: the pair's canonical row, and in it an answer
  /// of the smaller number that this one replaced.
  enum SwipeRule {
    static let found: Int64 = 1 << 14
    static let foundAnswer: Int64 = 1 << 13

    static func wasThere(_ rule: Int64) -> Bool { rule & found != 0 }

    static func table(_ command: SwipeCommand) -> Int64 {
      var table: Int64 = 0
      for reverse in [nil] + AnswerMeaning.allCases.map(Optional.some) {
        let isMatch = command.matchRule.isMatch(
          MatchCircumstances(
            meaning: command.meaning, reverse: reverse, compatibility: command.compatibility))
        if isMatch { table |= 1 << bit(reverse) }
      }
      return table
    }

    static func isMatch(_ table: Int64, reverse: AnswerMeaning?) -> Bool {
      table >> bit(reverse) & 1 == 1
    }

    private static func bit(_ reverse: AnswerMeaning?) -> Int64 {
      reverse.map { Int64($0.rawValue) + 1 } ?? 0
    }
  }
#endif
