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
    /// When it was given, in days since any fixed moment: what is earlier is told apart from what is
    /// later by it.
    public var time: Double

    /// An answer.
    public init(days: Double, rating: Rating, weight: Double = 1, time: Double = 0) {
      self.days = days
      self.rating = rating
      self.weight = weight
      self.time = time
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

  /// What was answered before a time.
  func before(_ time: Double) -> ReviewLog {
    var log = ReviewLog()
    var start = 0
    for end in ends {
      log.append(reviews[start..<end].prefix { $0.time < time })
      start = end
    }
    return log
  }

  /// The same answers, of which only those from a time on count.
  func counting(from time: Double) -> ReviewLog {
    var log = self
    for index in log.reviews.indices where log.reviews[index].time < time {
      log.reviews[index].weight = 0
    }
    return log
  }

  /// The times of all answers that are predicted, ascending.
  var predictedTimes: [Double] {
    var times: [Double] = []
    var start = 0
    for end in ends {
      times += reviews[start..<end].dropFirst().filter { $0.weight > 0 }.map(\.time)
      start = end
    }
    return times.sorted()
  }
}
