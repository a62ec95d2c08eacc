public import CardFeed
internal import CardFeedConfiguration

/// Orders candidates by a weighted sum of terms.
///
/// A term is `match-probability`, `forward` (P(the viewer wants the card)), `backward` (P(the card
/// wants the viewer)), `random` (a number in 0 ..< 1, another for each deal), or else a column of
/// the deck that holds numbers. The terms are summed as they are, so weights carry the units.
///
/// Viewers may see the terms that are columns, and `random`; the others follow from what people
/// answered and are private.
///
/// A term that a candidate lacks adds nothing to its sum; the candidate is unscored only if it
/// lacks all of them. With terms that many cards lack, give the deck a column without gaps instead.
public struct WeightedRanking<D: Deck>: RankingStrategy {
  /// The names that are no columns.
  private enum BuiltIn: String, CaseIterable {
    case matchProbability = "match-probability"
    case forward
    case backward
    case random
  }

  private let terms: [(name: String, weight: Double)]

  /// A weighted sum.
  ///
  /// - Parameters:
  ///   - terms: The terms, each name once, with weights other than 0.
  ///   - deck: The deck, whose columns may be terms.
  /// - Throws: `FeedError.Code.badInput` for a name that is neither built in nor a column.
  public init(terms: [(name: String, weight: Double)], deck: D) throws(FeedError) {
    precondition(
      terms.allSatisfy { $0.weight != 0 && $0.weight.isFinite },
      "A weight is a finite number other than 0; leave the term out instead.")
    precondition(
      Set(terms.map(\.name)).count == terms.count, "Each term of a ranking stands once.")
    let names = BuiltIn.allCases.map(\.rawValue) + deck.columns.map(\.name)
    for term in terms where !names.contains(term.name) {
      let allowed = names.map { "\"\($0)\"" }.joined(separator: ", ")
      let nearest = nearestName(to: term.name, in: names)
      throw FeedError(
        .badInput,
        "the ranking 'weighted' has an unknown term \"\(term.name)\"; allowed: \(allowed)",
        hint: nearest.map { "did you mean \"\($0)\"?" })
    }
    self.terms = terms
  }

  /// The columns among its terms.
  public var scored: [String] { terms.map(\.name).filter { BuiltIn(rawValue: $0) == nil } }

  /// The sums, and what each term adds to them. O(n · terms). Throws `FeedError.Code.badInput` when
  /// a column does not hold numbers.
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    var sums = Array(repeating: Double.nan, count: slate.count)
    var parts: [SlateScores.Term] = []
    for term in terms {
      let values = try values(of: term.name, slate, estimates).map { $0 * term.weight }
      for (index, value) in values.enumerated() where value.isFinite {
        sums[index] = sums[index].isNaN ? value : sums[index] + value
      }
      parts.append(
        SlateScores.Term(
          name: term.name, values: values, isPrivate: isPrivate(term.name)))
    }
    return SlateScores(values: sums, terms: parts)
  }

  /// What follows from answers, the card's about the viewer among them. Also P(the viewer wants the
  /// card): what the card said can move it, by what the two directions of a pair share.
  private func isPrivate(_ name: String) -> Bool {
    switch BuiltIn(rawValue: name) {
    case .matchProbability, .forward, .backward: true
    case .random, nil: false
    }
  }

  private func values(
    of name: String, _ slate: Slate<D>, _ estimates: MatchEstimates
  ) throws -> [Double] {
    switch BuiltIn(rawValue: name) {
    case .matchProbability: (0..<slate.count).map { estimates[$0].order ?? .nan }
    case .forward: (0..<slate.count).map { estimates[$0].forward?.value ?? .nan }
    case .backward: (0..<slate.count).map { estimates[$0].backward?.value ?? .nan }
    case .random: slate.randomNumbers()
    case nil: try column(name, slate)
    }
  }

  private func column(_ name: String, _ slate: Slate<D>) throws -> [Double] {
    guard slate.count > 0 else { return [] }
    switch slate.table.column(name) {
    case .float(let values): return slate.rows.map { values[$0.index] }
    case .integer(let values):
      return slate.rows.map { row in
        values[row.index] == .min ? .nan : Double(values[row.index])
      }
    default:
      throw FeedError(
        .badInput, "the ranking 'weighted' found no numbers in the column \"\(name)\"",
        hint: "only columns of numbers or whole numbers can be terms")
    }
  }
}
