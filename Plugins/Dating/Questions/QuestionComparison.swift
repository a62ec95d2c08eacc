internal import CardFeed

/// One person's answers laid out so that another person's list can be held against them.
struct QuestionComparison {
  private let column: QuestionColumn
  /// For each question the code of the own answer; −1 without one.
  private var answers: [Int32]
  /// For each question its points.
  private var points: [Int]
  /// For each code whether the person would like to hear it.
  private var accepts: [Bool]

  /// Lays a person's answers out. O(texts of all questions).
  init(_ column: QuestionColumn, of row: Row) {
    self.column = column
    answers = Array(repeating: -1, count: column.questionCount)
    points = Array(repeating: 0, count: column.questionCount)
    accepts = Array(repeating: false, count: column.questions.count)
    let own = column.rows[row.index]
    for (code, number) in zip(own.codes, own.values) {
      let entry = QuestionColumn.Entry(number)
      if entry.isAccepted { accepts[Int(code)] = true }
      if entry.isOwn {
        let question = Int(column.questions[Int(code)])
        answers[question] = code
        points[question] = entry.importance.rawValue
      }
    }
  }

  /// How content the two are with each other's answers. O(entries of the other).
  func agreement(with row: Row) -> QuestionAgreement {
    var agreement = QuestionAgreement()
    let other = column.rows[row.index]
    for (code, number) in zip(other.codes, other.values) {
      let question = Int(column.questions[Int(code)])
      guard answers[question] >= 0 else { continue }
      let entry = QuestionColumn.Entry(number)
      if entry.isOwn {
        agreement.common += 1
        agreement.own.possible += points[question]
        agreement.other.possible += entry.importance.rawValue
        if accepts[Int(code)] { agreement.own.earned += points[question] }
      }
      if entry.isAccepted, answers[question] == code {
        agreement.other.earned += entry.importance.rawValue
      }
    }
    return agreement
  }
}

/// What two people's answers come to.
struct QuestionAgreement: Hashable, Sendable {
  /// Points that one side gives.
  struct Points: Hashable, Sendable {
    /// For answers that the side accepts.
    var earned = 0
    /// For all common questions.
    var possible = 0

    /// The share that was earned; nil from a side that asks for nothing.
    var satisfaction: Double? { possible > 0 ? Double(earned) / Double(possible) : nil }
  }

  /// How many questions both answered.
  var common = 0
  /// What the person gives the other.
  var own = Points()
  /// What the other gives the person.
  var other = Points()

  /// √(satisfaction · satisfaction) − 1 / common, at least 0; nil where there are fewer common
  /// questions than `least`, or one of the two asks for nothing.
  func percentage(least: Int) -> Double? {
    guard common >= max(least, 1), let own = own.satisfaction, let other = other.satisfaction
    else { return nil }
    return max(0, (own * other).squareRoot() - 1 / Double(common))
  }
}
