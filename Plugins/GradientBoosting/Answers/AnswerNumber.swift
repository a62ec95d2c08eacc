#if XGBoost
  /// One number about what was answered before, in a deck with one side.
  struct AnswerNumber: Hashable, Sendable {
    /// What is counted. Only answers with an outcome are, and only those before.
    enum Kind: String, CaseIterable, Sendable {
      /// How often the card was wanted, by anybody.
      case cardRate = "card-rate"
      case cardAnswers = "card-answers"
      /// How often the viewer wanted a card.
      case viewerRate = "viewer-rate"
      case viewerAnswers = "viewer-answers"
      /// How often the viewer wanted a card that has the same name in a column.
      case viewerRateIn = "viewer-rate-in"
      case viewerAnswersIn = "viewer-answers-in"
      /// How often the viewer wanted this very card, since when not, and how regularly.
      case pairPositives = "pair-positives"
      case daysSinceAnswer = "days-since-answer"
      case daysSincePositive = "days-since-positive"
      case daysBetween = "days-between-positives"
      /// How many of those intervals have passed since.
      case periods = "periods-since-positive"

      var hasColumn: Bool { self == .viewerRateIn || self == .viewerAnswersIn }
    }

    let kind: Kind
    /// The column of names; empty where there is none.
    let column: String

    init(_ kind: Kind, column: String = "") {
      self.kind = kind
      self.column = column
    }

    /// The name in audits, as `viewer-rate-in(brand)`.
    var name: String { kind.hasColumn ? "\(kind.rawValue)(\(column))" : kind.rawValue }

    /// All of them, for some columns of names.
    static func all(columns: [String]) -> [AnswerNumber] {
      Kind.allCases.flatMap { kind in
        kind.hasColumn
          ? columns.map { AnswerNumber(kind, column: $0) } : [AnswerNumber(kind)]
      }
    }
  }
#endif
