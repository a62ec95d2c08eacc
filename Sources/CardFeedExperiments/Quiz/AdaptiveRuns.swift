internal import CardFeed
internal import CardFeedPsychometrics

/// A test taken adaptively by people who answered all of it: whatever is asked next, the true answer
/// is known.
struct AdaptiveRuns {
  /// One person's way through the test.
  struct Run: Sendable {
    /// In the order in which they were asked.
    var items: [Int] = []
    /// After each question.
    var estimates: [AbilityEstimate] = []
    /// The ability by all questions.
    var full = 0.0
    /// For each number of questions the mean log loss of the answers that were not asked for.
    var unseenLosses: [Double?] = []
  }

  let bank: [ItemParameters]
  let test: QuizData.TestAnswers
  let length: Int
  private let seed: UInt64

  /// Calibrates the test by the people who do not take it.
  init(
    _ test: QuizData.TestAnswers, length: Int, seed: UInt64, _ checkpoint: () throws -> Void
  ) throws {
    self.test = test
    self.length = min(length, test.itemCount)
    self.seed = seed
    let examinees = Set(test.examinees)
    var answers: [ItemCalibration.Answer] = []
    var people = 0
    for (person, rights) in test.rights.enumerated() where !examinees.contains(person) {
      for (item, isRight) in rights.enumerated() {
        answers.append(.init(person: people, item: item, isRight: isRight))
      }
      people += 1
    }
    bank =
      try ItemCalibration(
        answers, items: test.itemCount, people: people, model: .twoPL
      ) { _ in try checkpoint() }.items
  }

  func runs(_ model: QuizModel) -> [Run] {
    var control: ExposureControl?
    if case .sympsonHetter(let target, let length) = model {
      control = ExposureControl(bank: bank, length: length, target: target, seed: seed)
    }
    return test.examinees.enumerated().map { number, person in
      var hash = StableHash()
      hash.combine(seed)
      hash.combine(number)
      var generator = SplitMix64(seed: hash.value)
      return run(model, control, rights: test.rights[person], &generator)
    }
  }

  private func run(
    _ model: QuizModel, _ control: ExposureControl?, rights: [Bool],
    _ generator: inout SplitMix64
  ) -> Run {
    var order = Array(bank.indices)
    switch model {
    case .randomQuestion: generator.shuffle(&order)
    case .easiest: order.sort { (bank[$0].difficulty, $0) < (bank[$1].difficulty, $1) }
    default: break
    }
    var run = Run()
    var session = ExposureControl.Session()
    var answers: [(item: ItemParameters, isRight: Bool)] = []
    for place in 0..<length {
      let ability = run.estimates.last?.ability ?? 0
      let next: Int?
      if let control {
        next = control.next(in: bank, ability: ability, session: &session) {
          generator.drawUnit()
        }
      } else if case .information(let candidates) = model {
        next = AdaptiveTest(candidates: candidates).next(
          in: bank, ability: ability, used: Set(run.items), draw: generator.drawUnit())
      } else {
        next = order[place]
      }
      guard let next else { break }
      run.items.append(next)
      answers.append((bank[next], rights[next]))
      run.estimates.append(AbilityEstimator.expected.estimate(answers))
      run.unseenLosses.append(unseenLoss(answers, asked: Set(run.items), rights))
    }
    run.full = AbilityEstimator.expected.estimate(zip(bank, rights).map { ($0, $1) }).ability
    return run
  }

  /// By the posterior of the ability, as its mean and error make a normal one of five points.
  private func unseenLoss(
    _ answers: [(item: ItemParameters, isRight: Bool)], asked: Set<Int>, _ rights: [Bool]
  ) -> Double? {
    let unseen = bank.indices.filter { !asked.contains($0) }
    guard !unseen.isEmpty else { return nil }
    let estimate = AbilityEstimator.expected.estimate(answers)
    // Gauss and Hermite's points and weights for a standard normal distribution.
    let points = [-2.856_970_0, -1.355_626_2, 0, 1.355_626_2, 2.856_970_0]
    let weights = [0.011_257_4, 0.222_075_9, 0.533_333_3, 0.222_075_9, 0.011_257_4]
    var sum = 0.0
    for item in unseen {
      let right = zip(points, weights).reduce(0.0) { sum, node in
        sum + node.1 * bank[item].probability(at: estimate.ability + node.0 * estimate.error)
      }
      sum -= PortableMath.log(min(max(rights[item] ? right : 1 - right, 1e-4), 1))
    }
    return sum / Double(unseen.count)
  }

  /// A figure over drawn people.
  func value(
    _ metric: MetricName, _ runs: [Run], drawn: [Int], targetError: Double
  ) -> Double? {
    let own = drawn.map { runs[$0] }
    guard !own.isEmpty else { return nil }
    let k = min(Int(metric.parameter ?? 1), length)
    switch metric.measure {
    case .testCorrelation:
      return correlation(own.map { $0.estimates[k - 1].ability }, own.map(\.full))
    case .medianItems:
      // Who never gets there counts as one who needs more than all.
      let needed = own.map { run in
        Double((run.estimates.firstIndex { $0.error < targetError } ?? length) + 1)
      }
      return SampleStatistics.quantile(ascending: needed.sorted(), 0.5)
    case .reach:
      let count = own.count { run in run.estimates.contains { $0.error < targetError } }
      return Double(count) / Double(own.count)
    case .unseenLogLoss:
      let losses = own.compactMap { $0.unseenLosses[k - 1] }
      return losses.isEmpty ? nil : losses.reduce(0, +) / Double(losses.count)
    case .greatestExposure, .unasked:
      var counts = Array(repeating: 0, count: bank.count)
      for run in own { for item in run.items.prefix(k) { counts[item] += 1 } }
      if metric.measure == .unasked {
        return Double(counts.count { $0 == 0 }) / Double(counts.count)
      }
      return counts.max().map { Double($0) / Double(own.count) }
    default: return nil
    }
  }

  private func correlation(_ a: [Double], _ b: [Double]) -> Double? {
    let meanA = a.reduce(0, +) / Double(a.count)
    let meanB = b.reduce(0, +) / Double(b.count)
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += (x - meanA) * (y - meanB)
      aa += (x - meanA) * (x - meanA)
      bb += (y - meanB) * (y - meanB)
    }
    return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : nil
  }
}
