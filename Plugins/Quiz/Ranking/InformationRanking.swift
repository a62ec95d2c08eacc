internal import CardFeed
internal import CardFeedPsychometrics

/// Orders cards by what an answer would say of the viewer's ability: Fisher's information at the
/// ability that the answers so far make most plausible.
///
/// Sources: Lord (1980); the draw among the best few, which keeps a few cards from being asked of
/// everybody, Kingsbury and Zara (1989).
///
/// Deliberately absent: a propensity of the draw. It belongs to the order, as ties do, and is not an
/// exploration.
struct InformationRanking: RankingStrategy {
  typealias D = QuizDeck

  let examination: Examination
  /// Among how many of the most informative cards the order is drawn; 1 for none.
  let candidates: Int

  var needs: ContextNeeds { .answersGiven }

  var scored: [String] { ["difficulty", "discrimination"] }

  /// Unscored without a difficulty. O(n · log n), and the ability once.
  func scores(
    for slate: Slate<QuizDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let ability = examination.standing(of: slate).estimate.ability
    let items = examination.items(of: slate.table)
    let information = slate.rows.map { items.item(at: $0)?.information(at: ability) ?? .nan }
    guard candidates > 1 else {
      return SlateScores(
        values: information, terms: [SlateScores.Term(name: "information", values: information)])
    }
    // The best few exchange their scores. By number where they are equal, so that it makes no
    // difference in what order a slate lies.
    let numbers = slate.numbers
    let best = information.indices.filter { information[$0].isFinite }.sorted {
      information[$0] != information[$1]
        ? information[$0] > information[$1] : numbers[$0] < numbers[$1]
    }.prefix(candidates)
    var generator = SplitMix64(seed: slate.context.seed(for: "maximum-information"))
    var drawn = Array(best)
    for place in drawn.indices.dropFirst().reversed() {
      drawn.swapAt(place, generator.index(below: place + 1))
    }
    var values = information
    for (place, index) in drawn.enumerated() { values[index] = information[best[place]] }
    return SlateScores(
      values: values,
      terms: [
        SlateScores.Term(name: "information", values: information),
        SlateScores.Term(name: "drawn", values: zip(values, information).map { $0 - $1 }),
      ])
  }
}
