internal import CardFeed

/// Tells people who like nearly everybody from people who like many.
///
/// A like of somebody who likes everybody says nothing about whom they like. The test is an exact,
/// one-sided binomial one: of n answers k are likes; were the share of likes no more than
/// `ordinary`, k or more of them would come with probability P(X ≥ k), X ~ Binomial(n, ordinary). A
/// person is indiscriminate when that probability is below `significance`.
///
/// With the defaults, 0.9 and 0.01, that takes 44 likes out of 44 answers, or 97 out of 100: a few
/// likes in a row are no sign, and nobody is suspected who passes on one in ten.
///
/// `EloTwoScale` needs no such test: it believes of such a person that P(like) is near 1, and a like
/// with P = 1 adds nothing to anybody's numbers.
struct IndiscriminateLikes: Hashable, Sendable {
  /// The greatest share of likes that is no sign of anything, above 0 and below 1.
  var ordinary = 0.9
  /// How improbable the likes have to be.
  var significance = 0.01

  /// Whether so many likes of so many answers are too many. O(n − k).
  func isIndiscriminate(likes: Int64, answers: Int64) -> Bool {
    guard answers > 0, likes <= answers, Double(likes) > ordinary * Double(answers) else {
      return false
    }
    return tail(likes: likes, answers: answers) < significance
  }

  /// P(X ≥ likes), from the least probable term, all likes, towards the mean. In logarithms, since
  /// the first term of many answers is too small for a number.
  func tail(likes: Int64, answers: Int64) -> Double {
    let odds = naturalLogarithm((1 - ordinary) / ordinary)
    var term = Double(answers) * naturalLogarithm(ordinary)
    var sum = exponential(term)
    var count = answers
    while count > likes {
      term += naturalLogarithm(Double(count) / Double(answers - count + 1)) + odds
      sum += exponential(term)
      count -= 1
    }
    return min(1, sum)
  }
}
