public import CardFeed

/// Keeps a share of the places of all hands for people about whom few have answered yet.
///
/// Of a hand of w places, share · w are kept: the whole part always, and one more with the
/// probability of the fraction, drawn from the deal's seed. Kept places go to the newcomers that
/// rank highest; they are made room for by penalties on those who would stand before them, never by
/// raising anybody. Newcomers who are in the hand anyway count. Whatever the seed, the same deal
/// keeps the same places; an exploration that another rule declares draws from the penalised
/// scores, so the propensities that are stored with the cards stay exact.
///
/// Newcomers without a score cannot be placed before others and are left where they are: put the
/// rule behind a ranking that scores them.
public struct NewcomerFloorRule: SlateRule {
  /// The deck of people.
  public typealias D = DatingDeck

  private let answers: Int
  private let share: Double
  private let numbers: ExposureNumbers

  /// A floor.
  ///
  /// - Parameters:
  ///   - answers: Who has fewer answers received than this is a newcomer; above 0.
  ///   - share: The share of places that is kept.
  ///   - states: Where answers are counted.
  public init(answers: Int, share: Probability, states: LearnerStates) {
    precondition(answers > 0, "A newcomer has fewer answers than 1 or more; got \(answers).")
    self.answers = answers
    self.share = share.value
    numbers = ExposureNumbers(states: states)
  }

  /// The counts.
  public var learners: [any Learner<DatingDeck>] { [numbers] }

  /// Penalties on those who stand before newcomers with a kept place. O(n).
  public func adjustment(
    for ranked: RankedSlate<DatingDeck>
  ) async throws -> SlateAdjustment {
    let kept = places(of: ranked.wanted, seed: ranked.slate.context.seed(for: "newcomer-floor"))
    guard kept > 0 else { return SlateAdjustment() }
    let isNewcomer = numbers.people(of: ranked.slate).map { $0.answersReceived < answers }
    let scored = ranked.scores.indices.filter { ranked.scores[$0] != nil }
    let newcomers = scored.filter { isNewcomer[$0] }.prefix(kept)
    guard let last = newcomers.last, let target = ranked.scores[last] else {
      return SlateAdjustment()
    }
    // The others keep the places that are left; whoever is behind those gives way.
    let room = max(0, ranked.wanted - newcomers.count)
    let yielding = scored.filter { !newcomers.contains($0) }.dropFirst(room)
      .prefix { ranked.scores[$0] ?? target >= target }
    guard let first = yielding.first, first < last, let highest = ranked.scores[first] else {
      return SlateAdjustment()
    }
    // Just below the newcomer, in the order they had. The distances survive the rounding of the
    // greatest score.
    let step = 4 * max(highest.ulp, target.ulp)
    var penalties = Array(repeating: 0.0, count: ranked.slate.count)
    for (index, place) in yielding.enumerated() {
      penalties[place] = (ranked.scores[place] ?? target) - (target - Double(index + 1) * step)
    }
    return SlateAdjustment(penalties: penalties)
  }

  /// The whole part of share · wanted, and one more with the probability of the fraction.
  private func places(of wanted: Int, seed: UInt64) -> Int {
    let exact = share * Double(wanted)
    let whole = exact.rounded(.down)
    var generator = SplitMix64(seed: seed)
    return min(wanted, Int(whole) + (generator.unitInterval() < exact - whole ? 1 : 0))
  }
}
