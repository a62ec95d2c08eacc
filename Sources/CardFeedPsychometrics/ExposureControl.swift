/// Keeps good questions of an adaptive test from being given to everybody: each has a probability with
/// which it is given once it is chosen.
///
/// The probabilities are found by giving the test to simulated people until no question is given to
/// more than the allowed share. Source: Sympson and Hetter, Controlling item-exposure rates in
/// computerized adaptive testing (1985). The bound holds for people as the simulated ones are; a
/// draw among the best few (`AdaptiveTest.candidates`) needs no simulation and bounds nothing.
public struct ExposureControl: Hashable, Sendable {
  /// With which probability each question is given once it is chosen.
  public let probabilities: [Double]
  /// How large the share of simulated people was who got each question, in the last round.
  public let exposures: [Double]

  /// Finds the probabilities.
  ///
  /// - Parameters:
  ///   - bank: The questions.
  ///   - length: How many questions are asked, at most as many as there are.
  ///   - target: The greatest share of people that may get a question; what is below
  ///     `length` / `bank.count` cannot be reached.
  ///   - estimator: How abilities are estimated between questions.
  ///   - people: How many people are simulated in each round, with normal abilities.
  ///   - rounds: Rounds of simulation.
  ///   - seed: Of the simulated people.
  /// - Complexity: O(rounds · people · length · (bank + length · 33)).
  public init(
    bank: [ItemParameters], length: Int, target: Double,
    estimator: AbilityEstimator = .expected, people: Int = 400, rounds: Int = 12, seed: UInt64 = 1
  ) {
    let length = min(length, bank.count)
    var probabilities = Array(repeating: 1.0, count: bank.count)
    var exposures = probabilities
    var draws = Draws(state: seed)
    for _ in 0..<rounds {
      var chosen = Array(repeating: 0.0, count: bank.count)
      var given = chosen
      for _ in 0..<people {
        let ability = draws.normal()
        var session = Session()
        var answers: [(item: ItemParameters, isRight: Bool)] = []
        var estimate = 0.0
        for _ in 0..<length {
          let before = session.passedOver
          guard
            let next = Self.next(
              in: bank, ability: estimate, &session, probabilities, { draws.unit() })
          else { break }
          given[next] += 1
          chosen[next] += 1
          for index in session.passedOver.subtracting(before) { chosen[index] += 1 }
          let item = bank[next]
          answers.append((item, draws.unit() < item.probability(at: ability)))
          estimate = estimator.estimate(answers).ability
        }
      }
      exposures = given.map { $0 / Double(people) }
      probabilities = chosen.map { count in
        let share = count / Double(people)
        return share > target ? target / share : 1
      }
      // Else nobody could be given as many questions as are asked.
      let order = probabilities.indices.sorted {
        (-probabilities[$0], $0) < (-probabilities[$1], $1)
      }
      for index in order.prefix(length) { probabilities[index] = 1 }
    }
    self.probabilities = probabilities
    self.exposures = exposures
  }

  /// What one person was asked, and what was passed over.
  public struct Session: Hashable, Sendable {
    /// Questions that were given.
    public internal(set) var given: Set<Int> = []
    /// Questions that were chosen and not given; they are not chosen again.
    public internal(set) var passedOver: Set<Int> = []

    /// Nothing yet.
    public init() {}
  }

  /// The next question's index; nil when all are used.
  ///
  /// - Parameters:
  ///   - bank: The questions the control was made for.
  ///   - ability: The present estimate.
  ///   - session: What the person was asked; the question is added to it.
  ///   - draw: Uniform in 0 ..< 1, asked for once for each question that is chosen.
  /// - Complexity: O(bank) for each question that is chosen.
  public func next(
    in bank: [ItemParameters], ability: Double, session: inout Session, draw: () -> Double
  ) -> Int? {
    Self.next(in: bank, ability: ability, &session, probabilities, draw)
  }

  private static func next(
    in bank: [ItemParameters], ability: Double, _ session: inout Session,
    _ probabilities: [Double], _ draw: () -> Double
  ) -> Int? {
    let test = AdaptiveTest()
    while true {
      let used = session.given.union(session.passedOver)
      guard let next = test.next(in: bank, ability: ability, used: used) else { break }
      if draw() < probabilities[next] {
        session.given.insert(next)
        return next
      }
      session.passedOver.insert(next)
    }
    // All that is left was passed over: the best of it, as no other question is left.
    guard let next = test.next(in: bank, ability: ability, used: session.given) else { return nil }
    session.passedOver.remove(next)
    session.given.insert(next)
    return next
  }
}

/// Seeded draws: SplitMix64 (Steele, Lea and Flood 2014).
private struct Draws {
  var state: UInt64

  mutating func unit() -> Double {
    // Wrapping is how the generator is defined.
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }

  /// The sum of twelve draws, which is normal enough for a simulation.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum
  }
}
