#if XGBoost
  /// One number about a decision: somebody who decides, and somebody who is decided about.
  enum DecisionFeature: Hashable, Sendable {
    /// A number of the one who decides.
    case own(String)
    /// A number of the other.
    case other(String)
    /// How far two numbers lie apart, |a − b|.
    case difference(String)
    /// Whether a column of the one who decides holds a name.
    case ownIs(column: String, name: String)
    /// The same of the other.
    case otherIs(column: String, name: String)
    /// What is known of both people's answers.
    case rate(Rate)

    /// Numbers about answers. Of the pair itself nothing is counted.
    enum Rate: String, CaseIterable, Sendable {
      case ownGiven = "own-likes-given"
      case ownGivenCount = "own-answers-given"
      case ownReceived = "own-likes-received"
      case ownReceivedCount = "own-answers-received"
      case otherGiven = "other-likes-given"
      case otherGivenCount = "other-answers-given"
      case otherReceived = "other-likes-received"
      case otherReceivedCount = "other-answers-received"
    }

    /// The name in audits, as `difference(age)`.
    var name: String {
      switch self {
      case .own(let trait): "own(\(trait))"
      case .other(let trait): "other(\(trait))"
      case .difference(let trait): "difference(\(trait))"
      case .ownIs(let column, let name): "own(\(column)=\(name))"
      case .otherIs(let column, let name): "other(\(column)=\(name))"
      case .rate(let rate): rate.rawValue
      }
    }

    /// The number that is read off the cards, if it is one.
    var trait: String? {
      switch self {
      case .own(let trait), .other(let trait), .difference(let trait): trait
      case .ownIs, .otherIs, .rate: nil
      }
    }

    /// The column of names that is read, if it is one.
    var category: (column: String, name: String)? {
      switch self {
      case .ownIs(let column, let name), .otherIs(let column, let name): (column, name)
      case .own, .other, .difference, .rate: nil
      }
    }
  }
#endif
