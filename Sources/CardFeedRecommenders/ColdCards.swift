/// Scores for cards that nobody has swiped yet, from what they have in common with known cards.
///
/// A feature (a category, a tag, a brand) scores as the mean of its known cards that are at least
/// `support` swipes old; a cold card scores as the mean of its features, shrunk to the mean of all
/// cards. Known cards keep their scores: the term vanishes as swipes come in.
public struct ColdCards: Recommender {
  /// The model of known cards.
  public let base: any Recommender
  /// Swipes from which a card counts as known.
  public let support: Int
  /// As how many cards the mean of all counts in the mean of a feature.
  public let strength: Double
  private let featureOffsets: [Int]
  private let features: [Int32]
  private let featureCount: Int
  private let isKnown: [Bool]

  /// Adds a term to a model.
  ///
  /// - Parameters:
  ///   - base: The model.
  ///   - features: For each card its features, numbered from 0.
  ///   - counts: For each card its swipes.
  ///   - support: Swipes from which a card counts as known.
  ///   - strength: As how many cards the mean of all counts in the mean of a feature.
  public init(
    _ base: any Recommender, features: [[Int32]], counts: [Double], support: Int = 1,
    strength: Double = 5
  ) {
    precondition(
      features.count == base.cardCount && counts.count == base.cardCount,
      "Each card has its features and its count.")
    precondition(
      features.allSatisfy { $0.allSatisfy { $0 >= 0 } }, "Features are numbered from 0.")
    self.base = base
    self.support = support
    self.strength = strength
    var offsets = [0]
    for own in features { offsets.append(offsets[offsets.count - 1] + own.count) }
    featureOffsets = offsets
    self.features = features.flatMap { $0 }
    featureCount = (self.features.max().map { Int($0) } ?? -1) + 1
    isKnown = counts.map { $0 >= Double(support) }
  }

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { base.cardCount }

  /// Gives scores to those cards of a list that have none (NaN), from the others of the list.
  ///
  /// - Parameters:
  ///   - scores: Of each card; NaN where the model knows nothing. A card without features keeps it.
  ///   - features: For each card its features, numbered from 0.
  ///   - strength: As how many cards the mean of all counts in the mean of a feature.
  /// - Complexity: O(cards + features).
  public static func fill(
    _ scores: inout [Double], features: [[Int32]], strength: Double = 5
  ) {
    precondition(scores.count == features.count, "Each card has its features.")
    let known = scores.indices.filter { scores[$0].isFinite }
    guard !known.isEmpty else { return }
    let mean = known.reduce(0) { $0 + scores[$1] } / Double(known.count)
    var sums: [Int32: (sum: Double, count: Double)] = [:]
    for card in known {
      for feature in features[card] {
        let old = sums[feature] ?? (0, 0)
        sums[feature] = (old.sum + scores[card], old.count + 1)
      }
    }
    for card in scores.indices where scores[card].isNaN && !features[card].isEmpty {
      let sum = features[card].reduce(0.0) { sum, feature in
        let own = sums[feature] ?? (0, 0)
        return sum + (own.sum + strength * mean) / (own.count + strength)
      }
      scores[card] = sum / Double(features[card].count)
    }
  }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    base.score(into: scores, history, now: now)
    var (total, known) = (0.0, 0.0)
    var sums = [Double](repeating: 0, count: featureCount)
    var counts = [Double](repeating: 0, count: featureCount)
    for card in 0..<cardCount where isKnown[card] && scores[card].isFinite {
      let score = Double(scores[card])
      total += score
      known += 1
      for place in featureOffsets[card]..<featureOffsets[card + 1] {
        sums[Int(features[place])] += score
        counts[Int(features[place])] += 1
      }
    }
    let mean = known > 0 ? total / known : 0
    for card in 0..<cardCount where !isKnown[card] {
      let own = featureOffsets[card]..<featureOffsets[card + 1]
      let sum = own.reduce(0.0) { sum, place in
        let feature = Int(features[place])
        return sum + (sums[feature] + strength * mean) / (counts[feature] + strength)
      }
      scores[card] = Float(own.isEmpty ? mean : sum / Double(own.count))
    }
  }
}
