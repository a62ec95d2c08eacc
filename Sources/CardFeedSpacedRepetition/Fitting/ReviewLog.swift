/// The answers of one learner, question by question: what a fit of memory parameters reads.
public struct ReviewLog: Sendable {
  /// One answer.
  public struct Review: Hashable, Sendable {
    /// Days since the answer before to the same question, in the units of the model: whole days
    /// of the learner for FSRS-6, fractions for FSRS-7. Ignored for the first answer.
    public var days: Double
    /// What was answered.
    public var rating: Rating
    /// How much its prediction counts: 0 for an answer that only moves the state.
    public var weight: Double

    /// An answer.
    public init(days: Double, rating: Rating, weight: Double = 1) {
      self.days = days
      self.rating = rating
      self.weight = weight
    }
  }

  /// All answers, one question after the other, each in the order of time.
  private(set) var reviews: [Review] = []
  /// Where each question's answers end.
  private(set) var ends: [Int] = []

  /// No answers yet.
  public init() {}

  /// Adds the answers to one question.
  ///
  /// - Parameter history: In the order of time.
  public mutating func append(_ history: some Sequence<Review>) {
    let before = reviews.count
    reviews.append(contentsOf: history)
    if reviews.count > before { ends.append(reviews.count) }
  }

  /// How many answers are predicted: further answers with a weight.
  public var predictedCount: Int {
    var count = 0
    var start = 0
    for end in ends {
      count += reviews[start..<end].dropFirst().count { $0.weight > 0 }
      start = end
    }
    return count
  }
}
