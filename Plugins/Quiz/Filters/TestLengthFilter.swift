internal import CardFeed
internal import CardFeedPsychometrics

/// Ends a test: asks each card once, and none any more when the ability is known well enough or
/// enough was asked.
struct TestLengthFilter: FilterStrategy {
  typealias D = QuizDeck

  let examination: Examination
  /// The standard error of the ability with which the test is over.
  let standardError: Double
  /// Answers before which it is not, however small the error.
  let least: Int
  /// Answers with which it is over, however great the error.
  let most: Int

  var needs: ContextNeeds { .answersGiven }

  /// No: the answer itself takes a card out of the hand, and the past, which a rewind brings back,
  /// would be judged by the answers that are to be taken back.
  var revalidates: Bool { false }

  var reasons: [String] {
    [
      "asked in this test", "no difficulty is known",
      "the test is over: the ability is known within a standard error of \(standardError)",
      "the test is over: \(most) answers were given",
    ]
  }

  /// O(n), and the ability once.
  func verdicts(for slate: Slate<QuizDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    let standing = examination.standing(of: slate)
    let items = examination.items(of: slate.table)
    let over = whyOver(standing)
    return zip(slate.rows, slate.numbers).map { row, number in
      if let time = standing.asked[number] {
        return .remove(
          reason: 0, due: examination.span.map { time.advanced(byMilliseconds: $0) })
      }
      if items.item(at: row) == nil { return .remove(reason: 1) }
      return over.map { .remove(reason: $0) } ?? .keep
    }
  }

  /// The reason why the test is over; nil while it is not.
  private func whyOver(_ standing: Examination.Standing) -> Int? {
    let count = standing.asked.count
    if count >= least, standing.estimate.error <= standardError { return 2 }
    if count >= most { return 3 }
    return nil
  }
}
