internal import CardFeed
internal import CardFeedPsychometrics

/// A test with known questions: which answers belong to it, and what they say of the viewer.
///
/// The answers in the log are the truth and everything here is computed from them, so that a rewind
/// is exact. Of several answers to one card the first one counts, in the order of time: later ones
/// say what was learned from it. Cards without a difficulty do not belong to a test.
struct Examination: Hashable, Sendable {
  /// Whether the column `discrimination` counts (2PL) or all cards discriminate alike (1PL).
  var usesDiscrimination = true
  /// P(right) of somebody who knows nothing, the same for all cards.
  var guess = 0.0
  /// How far back answers count, in milliseconds; nil for all of them.
  var span: Int64?

  /// The answers of a viewer that belong to the test, with what follows from them.
  struct Standing {
    /// The cards that were asked, with the times of their first answers.
    let asked: [CardNumber: Timestamp]
    /// The ability, with mean 0 and deviation 1 in the population, and its standard error.
    let estimate: AbilityEstimate
  }

  /// The parameters of the cards of a table, by column.
  struct Items {
    fileprivate let difficulties: [Double]
    fileprivate let discriminations: [Double]
    fileprivate let guess: Double

    /// The parameters of one card; nil where its difficulty is not known. O(1).
    func item(at row: Row) -> ItemParameters? {
      guard difficulties.indices.contains(row.index) else { return nil }
      let difficulty = difficulties[row.index]
      guard difficulty.isFinite else { return nil }
      let known =
        discriminations.indices.contains(row.index) ? discriminations[row.index] : .nan
      return ItemParameters(
        difficulty: difficulty, discrimination: known.isFinite && known > 0 ? known : 1,
        guess: guess)
    }
  }

  /// The parameters of the cards of a table. O(1).
  func items(of table: CardTable<QuizDeck>) -> Items {
    func column(_ name: String) -> [Double] {
      guard case .float(let values)? = table.column(name) else { return [] }
      return values
    }
    return Items(
      difficulties: column("difficulty"),
      discriminations: usesDiscrimination ? column("discrimination") : [], guess: guess)
  }

  /// Where the viewer of a slate stands. O(answers · log + answers in the test · points), where the
  /// points are 33 and, with hundreds of answers, as many as keep the estimate exact.
  func standing(of slate: Slate<QuizDeck>) -> Standing {
    let items = items(of: slate.table)
    var asked: [CardNumber: Timestamp] = [:]
    var answers: [(item: ItemParameters, isRight: Bool)] = []
    for answer in slate.context.answersGiven.sorted(by: {
      ($0.time, $0.event) < ($1.time, $1.event)
    }) where answer.meaning != .neutral {
      if let span, answer.time.advanced(byMilliseconds: span) <= slate.context.now { continue }
      guard asked[answer.card] == nil, let row = slate.table.row(of: answer.card),
        let item = items.item(at: row)
      else { continue }
      asked[answer.card] = answer.time
      answers.append((item, answer.meaning == .positive))
    }
    return Standing(
      asked: asked,
      estimate: AbilityEstimator.expected.estimate(
        answers, points: Self.points(for: answers.map(\.item))))
  }

  /// How many points the posterior mean is taken over: the steps are at most the standard error
  /// that the answers can lead to.
  private static func points(for items: [ItemParameters]) -> Int {
    let most = items.reduce(1.0) { $0 + $1.discrimination * $1.discrimination / 4 }
    return min(2001, max(33, 1 + Int((8 * most.squareRoot()).rounded(.up))))
  }
}
