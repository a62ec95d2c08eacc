internal import CardFeedPsychometrics

/// Students who stand in a data set twice: the same questions with the same answers under another
/// number, perhaps in another order.
///
/// A model that remembers which answers go together would seem to know such a student's answers
/// beforehand. Two students count as one where they share at least 20 questions and half of the
/// shorter one's, agree on nine of ten, and where at least five of the shared questions were
/// answered wrong by either and four of five of these by both: easy questions that all get right say
/// nothing.
struct StudentTwins {
  /// The known students who are one of those who are asked.
  let asked: [Int]
  /// The known students who are one of those before them.
  let repeated: [Int]

  private static let shared = 20

  init(known: [[KnowledgeAnswer]], asked: [[KnowledgeAnswer]]) {
    let lasts = known.map(Self.last)
    var answerers: [Int: [(student: Int, isRight: Bool)]] = [:]
    for (student, last) in lasts.enumerated() {
      for (question, isRight) in last {
        answerers[question, default: []].append((student, isRight))
      }
    }
    func twins(of own: [Int: Bool], before end: Int) -> [Int] {
      guard own.count >= Self.shared else { return [] }
      var counts = Array(repeating: Counts(), count: end)
      for (question, isRight) in own {
        for other in answerers[question] ?? [] {
          // In ascending order.
          guard other.student < end else { break }
          counts[other.student].add(isRight, other.isRight)
        }
      }
      return counts.indices.filter { student in
        let (shared, size) = (counts[student].shared, min(own.count, lasts[student].count))
        return shared >= Self.shared && 2 * shared >= size && counts[student].areOne
      }
    }
    self.asked = Set(asked.flatMap { twins(of: Self.last($0), before: known.count) }).sorted()
    repeated = lasts.indices.filter { !twins(of: lasts[$0], before: $0).isEmpty }
  }

  private struct Counts {
    var shared = 0
    var bothWrong = 0
    var eitherWrong = 0

    mutating func add(_ isRight: Bool, _ otherIsRight: Bool) {
      shared += 1
      if !isRight || !otherIsRight { eitherWrong += 1 }
      if !isRight && !otherIsRight { bothWrong += 1 }
    }

    var areOne: Bool {
      let disagreements = eitherWrong - bothWrong
      return 10 * disagreements <= shared && eitherWrong >= 5 && 5 * bothWrong >= 4 * eitherWrong
    }
  }

  private static func last(_ history: [KnowledgeAnswer]) -> [Int: Bool] {
    var last: [Int: Bool] = [:]
    for answer in history { last[answer.question] = answer.isRight }
    return last
  }
}
