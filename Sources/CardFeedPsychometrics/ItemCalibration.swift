/// Fits the parameters of test questions to answers of many people, who each answered some of them:
/// marginal maximum likelihood by expectation and maximisation (Bock and Aitkin 1981), with weak
/// priors that keep questions with few answers finite.
///
/// This module holds models of what people know: item response theory, the rating of learners and
/// questions, adaptive tests. They are pure and deterministic and know neither decks nor feeds. Decks
/// and experiments may call them; the module must never import anything but the C library.
///
/// Abilities are standard normal and integrated out over a grid. Use it for a test that people take
/// once; for learners who get better from answer to answer see `KnowledgeElo`.
public struct ItemCalibration: Sendable {
  /// Which parameters are fitted.
  public enum Model: String, Hashable, Sendable, CaseIterable {
    /// A difficulty for each question, one discrimination for all.
    case onePL = "1pl"
    /// Both for each question.
    case twoPL = "2pl"
  }

  /// One answer.
  public struct Answer: Hashable, Sendable {
    /// 0 ..< people.
    public var person: Int
    /// 0 ..< items.
    public var item: Int
    /// Whether it was right.
    public var isRight: Bool

    /// An answer of a person to an item.
    public init(person: Int, item: Int, isRight: Bool) {
      self.person = person
      self.item = item
      self.isRight = isRight
    }
  }

  /// The items, in order.
  public private(set) var items: [ItemParameters]

  static let points = 41
  static let abilities: [Double] = (0..<points).map { -4 + 8 * Double($0) / Double(points - 1) }
  private static let logPrior: [Double] = abilities.map { -$0 * $0 / 2 }

  /// Fits.
  ///
  /// - Parameters:
  ///   - answers: At most one for each person and item.
  ///   - count: How many items there are.
  ///   - people: How many people there are.
  ///   - model: Which parameters are fitted.
  ///   - rounds: Rounds of expectation and maximisation.
  ///   - checkpoint: Called after each round with their number; throws to stop.
  /// - Complexity: O(rounds · (answers + items) · 41).
  public init(
    _ answers: [Answer], items count: Int, people: Int, model: Model = .twoPL, rounds: Int = 60,
    checkpoint: (Int) throws -> Void
  ) rethrows {
    var rights = Array(repeating: 0.0, count: count)
    var totals = Array(repeating: 0.0, count: count)
    for answer in answers {
      totals[answer.item] += 1
      if answer.isRight { rights[answer.item] += 1 }
    }
    items = (0..<count).map { index in
      let share = totals[index] > 0 ? rights[index] / totals[index] : 0.5
      return ItemParameters(difficulty: -logOdds(share.clamped(to: 0.02...0.98)))
    }
    for round in 0..<rounds {
      let expected = expectation(answers, people: people)
      maximise(expected, model: model)
      try checkpoint(round + 1)
    }
  }

  /// The same, without a way to stop it.
  public init(
    _ answers: [Answer], items count: Int, people: Int, model: Model = .twoPL, rounds: Int = 60
  ) {
    self.init(answers, items: count, people: people, model: model, rounds: rounds) { _ in }
  }

  /// Expected answers and right answers of each item at each ability.
  private struct Expected {
    var total: [Double]
    var right: [Double]
  }

  private func expectation(_ answers: [Answer], people: Int) -> Expected {
    let points = Self.points
    let posterior = posteriors(answers, people: people)
    var expected = Expected(
      total: Array(repeating: 0, count: items.count * points),
      right: Array(repeating: 0, count: items.count * points))
    for answer in answers {
      let from = answer.person * points
      let to = answer.item * points
      for point in 0..<points {
        expected.total[to + point] += posterior[from + point]
        if answer.isRight { expected.right[to + point] += posterior[from + point] }
      }
    }
    return expected
  }

  /// Row after row: each person's posterior over the grid. O(answers · 41).
  func posteriors(_ answers: [Answer], people: Int) -> [Double] {
    let points = Self.points
    var logs = Array(repeating: 0.0, count: people * points)
    for person in 0..<people {
      for point in 0..<points { logs[person * points + point] = Self.logPrior[point] }
    }
    let tables = items.map { item in
      let right = Self.abilities.map { item.probability(at: $0) }
      return (right: right.map { $0.logarithm() }, wrong: right.map { (1 - $0).logarithm() })
    }
    for answer in answers {
      let table = answer.isRight ? tables[answer.item].right : tables[answer.item].wrong
      let row = answer.person * points
      for point in 0..<points { logs[row + point] += table[point] }
    }
    for person in 0..<people {
      let row = person * points
      var greatest = -Double.infinity
      for point in 0..<points { greatest = max(greatest, logs[row + point]) }
      var sum = 0.0
      for point in 0..<points {
        logs[row + point] = (logs[row + point] - greatest).exponential()
        sum += logs[row + point]
      }
      for point in 0..<points { logs[row + point] /= sum }
    }
    return logs
  }

  /// The probability of a right answer of a person to an item, from the person's other answers.
  ///
  /// - Parameters:
  ///   - asked: Persons and items; no answer of theirs to them may be among `answers`.
  ///   - answers: What is known.
  ///   - people: How many people there are.
  /// - Complexity: O((answers + asked) · 41).
  public func probabilities(
    of asked: [(person: Int, item: Int)], from answers: [Answer], people: Int
  ) -> [Double] {
    let posteriors = posteriors(answers, people: people)
    return asked.map { person, item in
      let row = person * Self.points
      return probability(of: item, posterior: posteriors[row..<row + Self.points])
    }
  }

  /// The probability that somebody is right about an item, given the posterior of their ability.
  func probability(of item: Int, posterior: some Sequence<Double>) -> Double {
    zip(posterior, Self.abilities).reduce(0) {
      $0 + $1.0 * items[item].probability(at: $1.1)
    }
  }

  /// A few steps of Newton's method for each item. Priors: log a normal with deviation ½, b with
  /// deviation 2.
  private mutating func maximise(_ expected: Expected, model: Model) {
    let points = Self.points
    for _ in 0..<3 {
      var shared = (gradient: 0.0, curvature: 0.0)
      for index in items.indices {
        var item = items[index]
        var slopes = (gradient: -item.difficulty / 4, curvature: 0.25)
        forEachPoint(item, expected, index) { ability, residual, spread in
          slopes.gradient -= item.discrimination * residual
          slopes.curvature += item.discrimination * item.discrimination * spread
        }
        item.difficulty += (slopes.gradient / slopes.curvature).clamped(to: -0.5...0.5)
        slopes = (0, 0)
        forEachPoint(item, expected, index) { ability, residual, spread in
          let lever = (ability - item.difficulty) * item.discrimination
          slopes.gradient += residual * lever
          slopes.curvature += spread * lever * lever
        }
        if model == .twoPL {
          let log = item.discrimination.logarithm()
          let step = (slopes.gradient - log * 4) / (slopes.curvature + 4)
          item.discrimination = (log + step.clamped(to: -0.3...0.3)).exponential()
        } else {
          shared.gradient += slopes.gradient
          shared.curvature += slopes.curvature
        }
        items[index] = item
      }
      if model == .onePL && shared.curvature > 0 {
        let factor = (shared.gradient / shared.curvature).clamped(to: -0.3...0.3).exponential()
        for index in items.indices { items[index].discrimination *= factor }
      }
    }
    func forEachPoint(
      _ item: ItemParameters, _ expected: Expected, _ index: Int,
      _ body: (_ ability: Double, _ residual: Double, _ spread: Double) -> Void
    ) {
      for point in 0..<points {
        let total = expected.total[index * points + point]
        guard total > 0 else { continue }
        let right = item.probability(at: Self.abilities[point])
        body(
          Self.abilities[point], expected.right[index * points + point] - total * right,
          total * right * (1 - right))
      }
    }
  }
}
