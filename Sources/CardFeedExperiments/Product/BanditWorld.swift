internal import CardFeed
internal import CardFeedOnlineLearning

/// Rounds that are fixed before anybody plays them: what is known, how likely each arm would be a
/// yes, and the number that decides whether it is. Every bandit plays the same rounds.
struct BanditWorld: Sendable, Equatable {
  /// Arms of each round.
  let armCount: Int
  /// Numbers that are known of each round.
  let contextCount: Int
  /// How many rounds there are.
  let rounds: Int
  /// Round after round.
  let contexts: [Double]
  /// Of each arm, round after round.
  let probabilities: [Double]
  /// Of each arm, round after round: it is a yes where this is below the probability.
  let draws: [Double]

  func context(of round: Int) -> [Double] {
    Array(contexts[round * contextCount..<(round + 1) * contextCount])
  }

  /// A world of its own making: arms whose log-odds are linear in a context of standard normal
  /// numbers. With `drifts` the arms' base rates change places in the middle.
  ///
  /// The kind of world is that of the recorded tapes: weights N(0, 0.7²), base rates N(−3.2, 0.5²).
  static func made(seed: UInt64, rounds: Int, arms: Int, numbers: Int, drifts: Bool) -> BanditWorld
  {
    var generator = MersenneTwister(seed: UInt32(truncatingIfNeeded: seed))
    let contexts = (0..<rounds * numbers).map { _ in generator.drawNormal() }
    let weights = (0..<arms * numbers).map { _ in 0.7 * generator.drawNormal() }
    let bases = (0..<arms).map { _ in -3.2 + 0.5 * generator.drawNormal() }
    var probabilities: [Double] = []
    probabilities.reserveCapacity(rounds * arms)
    for round in 0..<rounds {
      let isLater = drifts && round >= rounds / 2
      for arm in 0..<arms {
        var sum = bases[isLater ? arms - 1 - arm : arm]
        for number in 0..<numbers {
          sum += weights[arm * numbers + number] * contexts[round * numbers + number]
        }
        probabilities.append(PortableMath.logistic(sum))
      }
    }
    let draws = (0..<rounds * arms).map { _ in generator.drawUnit() }
    return BanditWorld(
      armCount: arms, contextCount: numbers, rounds: rounds, contexts: contexts,
      probabilities: probabilities, draws: draws)
  }

  /// What a bandit came to.
  struct Outcome: Sendable, Equatable {
    /// The sum over rounds of the best arm's probability minus that of the dealt arm.
    var regret = 0.0
    /// How often it was a yes.
    var rewards = 0.0
  }

  /// Lets a model play all rounds.
  func play(
    _ model: OnlineModel, seed: UInt64, checkpoint: () throws -> Void
  ) rethrows -> Outcome {
    switch model {
    case .counts(let settings):
      return try play(
        CountBandit(armCount: armCount, settings: settings), seed: seed, checkpoint: checkpoint)
    case .linear(let policy, let settings):
      return try play(
        LinearBandit(
          armCount: armCount, contextCount: contextCount, policy: policy, settings: settings),
        seed: seed, checkpoint: checkpoint)
    default:
      let settings = CountBandit.Settings(policy: .epsilonGreedy(1))
      return try play(
        CountBandit(armCount: armCount, settings: settings), seed: seed, checkpoint: checkpoint)
    }
  }

  /// Lets a bandit play all rounds.
  func play(
    _ start: some Bandit, seed: UInt64, checkpoint: () throws -> Void
  ) rethrows -> Outcome {
    var bandit = start
    var generator = MersenneTwister(seed: UInt32(truncatingIfNeeded: seed))
    var outcome = Outcome()
    for round in 0..<rounds {
      if round % 256 == 0 { try checkpoint() }
      let context = context(of: round)
      let hand = bandit.distribution(for: context).draw(1, using: &generator)
      let row = round * armCount..<(round + 1) * armCount
      let best = probabilities[row].max() ?? 0
      let place = row.lowerBound + hand.arms[0]
      let isYes = draws[place] < probabilities[place]
      outcome.regret += best - probabilities[place]
      outcome.rewards += isYes ? 1 : 0
      bandit.learn(arm: hand.arms[0], context: context, reward: isYes ? 1 : 0)
    }
    return outcome
  }
}

extension BanditWorld {
  /// Reads `X.npy`, `P.npy` and `U.npy` of a folder.
  static func load(folder: String) throws(DataProblem) -> (world: BanditWorld, checksum: String) {
    var digests = ""
    func array(_ name: String) throws(DataProblem) -> NumberArray {
      let file = try ByteFile(path: folder + "/" + name)
      var bytes: [UInt8] = []
      while case let piece = try file.next(), !piece.isEmpty { bytes += piece }
      digests += file.digest.hexadecimal
      let array = try NumberArray(bytes: bytes, file: folder + "/" + name)
      guard array.shape.count == 2 else {
        throw DataProblem(
          file: folder + "/" + name, reason: "the file is no table",
          found: "\(array.shape.count) sides", allowed: "rows and columns")
      }
      return array
    }
    let (contexts, probabilities) = (try array("X.npy"), try array("P.npy"))
    let draws = try array("U.npy")
    guard probabilities.shape == draws.shape, contexts.shape[0] == draws.shape[0],
      draws.shape[1] > 0, probabilities.values.allSatisfy({ (0...1).contains($0) }),
      contexts.values.allSatisfy({ $0.isFinite })
    else {
      throw DataProblem(
        file: folder, reason: "the tables do not belong together",
        found: "\(contexts.shape), \(probabilities.shape), \(draws.shape)",
        allowed: "as many rows in each, as many arms in P.npy as in U.npy, probabilities in P.npy")
    }
    let world = BanditWorld(
      armCount: draws.shape[1], contextCount: contexts.shape[1], rounds: draws.shape[0],
      contexts: contexts.values, probabilities: probabilities.values, draws: draws.values)
    return (world, SHA256.hexadecimal(Array(digests.utf8)))
  }
}
