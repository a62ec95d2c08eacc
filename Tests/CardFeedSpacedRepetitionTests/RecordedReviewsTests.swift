import Foundation
import Testing

@testable import CardFeedSpacedRepetition

/// One learner's recorded answers, predicted by the default parameters, where the log is at hand.
@Suite struct RecordedReviewsTests {
  private struct Answer {
    let card: Substring
    let days: Double
    let seconds: Double
    let rating: Rating
    let fold: Int
  }

  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/quiz/josh_items.csv")

  private static let isThere = FileManager.default.fileExists(atPath: path.path)

  private func answers() throws -> [Answer] {
    let text = try String(contentsOf: Self.path, encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",")
      return Answer(
        card: fields[1], days: try #require(Double(fields[5])),
        seconds: try #require(Double(fields[6])),
        rating: try #require(Int(fields[7]).flatMap(Rating.init)),
        fold: try #require(Int(fields[10])))
    }
  }

  /// Mean log loss and area under the curve of the answers of later days.
  private func figures<M: MemoryModel>(
    _ model: M, _ answers: [Answer], _ days: (Answer) -> Double
  ) -> (count: Int, loss: Double, area: Double) {
    var states: [Substring: M.State] = [:]
    var predicted: [(recall: Double, isRecall: Bool)] = []
    for answer in answers {
      guard let state = states[answer.card] else {
        states[answer.card] = model.initial(answer.rating)
        continue
      }
      let passed = max(0, days(answer))
      if answer.fold >= 0 {
        predicted.append(
          (model.retrievability(state, after: passed), answer.rating.isRecall))
      }
      states[answer.card] = model.next(state, after: passed, answer.rating)
    }
    let loss = predicted.reduce(0.0) { sum, one in
      let recall = one.recall.clamped(to: 1e-4...(1 - 1e-4))
      return sum - (one.isRecall ? recall : 1 - recall).logarithm()
    }
    // The rank sum of Mann and Whitney; ties are rare and count half.
    let right = predicted.filter(\.isRecall).map(\.recall).sorted()
    let wrong = predicted.filter { !$0.isRecall }.map(\.recall)
    let below = wrong.reduce(0.0) { sum, recall in
      let upTo = right.partitioningIndex { $0 > recall }
      let from = right.partitioningIndex { $0 >= recall }
      return sum + Double(right.count - upTo) + Double(upTo - from) / 2
    }
    return (
      predicted.count, loss / Double(predicted.count),
      below / Double(right.count) / Double(wrong.count)
    )
  }

  @Test(.enabled(if: isThere, "skipped: no ../shared"))
  func defaultsAreAsGoodAsPublished() throws {
    let answers = try answers()
    let sixth = figures(FSRS6(), answers) { $0.days }
    #expect(sixth.count == 5_310)
    #expect(abs(sixth.loss - 0.4417) < 2e-4)
    #expect(abs(sixth.area - 0.675) < 1e-3)
    let seventh = figures(FSRS7(), answers) { $0.seconds / 86_400 }
    #expect(abs(seventh.loss - 0.4433) < 2e-4)
    #expect(abs(seventh.area - 0.670) < 1e-3)
  }
}

extension Array {
  /// The first index from which on a condition holds, in an array in which it never ceases to.
  fileprivate func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
