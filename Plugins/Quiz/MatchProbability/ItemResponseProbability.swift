internal import CardFeed
internal import CardFeedPsychometrics

/// P(a right answer) by item response theory: the viewer's ability, from all of their answers to
/// cards with a difficulty, against the card's difficulty and discrimination.
///
/// Sources: Rasch (1960) and Birnbaum (1968) for the model, Bock and Mislevy (1982) for the ability,
/// which is the mean of its posterior with a standard normal prior.
///
/// When not to use it: it knows no forgetting and no learning.
struct ItemResponseProbability: MatchProbabilityStrategy {
  typealias D = QuizDeck

  let examination: Examination

  var needs: ContextNeeds { .answersGiven }

  var scored: [String] { ["difficulty", "discrimination"] }

  /// None for cards without a difficulty. O(n), and the ability once.
  func estimates(for slate: Slate<QuizDeck>) async throws -> MatchEstimates {
    let estimate = examination.standing(of: slate).estimate
    let items = examination.items(of: slate.table)
    var estimates = MatchEstimates(count: slate.count)
    for (index, row) in slate.rows.enumerated() {
      guard let item = items.item(at: row) else { continue }
      let right = Probability(item.probability(at: estimate.ability))
      // The slope times the error, in one piece so that it stays within the range of probabilities.
      let above = item.probability(at: estimate.ability + estimate.error)
      let below = item.probability(at: estimate.ability - estimate.error)
      estimates[index] = MatchEstimate(
        match: right, forward: right, standardError: (above - below) / 2)
    }
    return estimates
  }

  /// What is not known of the ability.
  var uncertainty: MatchUncertainty {
    .standardError(
      covers: "what is not known of the viewer's ability; the cards' difficulties and "
        + "discriminations count as known")
  }

  /// The ability with its standard error, and the card's parameters. O(n), and the ability once.
  func reasons(for slate: Slate<QuizDeck>) async throws -> [EstimatePart] {
    let estimate = examination.standing(of: slate).estimate
    let items = examination.items(of: slate.table)
    let parameters = slate.rows.map { items.item(at: $0) }
    func part(_ name: String, _ value: (ItemParameters) -> Double) -> EstimatePart {
      EstimatePart(name: name, values: parameters.map { $0.map(value) ?? .nan })
    }
    return [
      part("ability") { _ in estimate.ability },
      part("ability-error") { _ in estimate.error },
      part("difficulty") { $0.difficulty },
      part("discrimination") { $0.discrimination },
    ]
  }
}
