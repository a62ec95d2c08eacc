extension Pipeline {
  /// The numbers of every card of a slate, outside of a deal.
  func appraise(_ slate: Slate<D>) async throws -> [CandidateNumbers] {
    let estimates = try await matchProbability.strategy.estimates(for: slate)
    try check(estimates.count, slate, "match probability", matchProbability.name)
    let scores = try await ranking.strategy.scores(for: slate, estimates: estimates)
    try check(scores.values.count, slate, "ranking", ranking.name)
    for term in scores.terms { try check(term.values.count, slate, "ranking", ranking.name) }
    let parts = try await matchProbability.strategy.reasons(for: slate)
    for part in parts {
      try check(part.values.count, slate, "match probability", matchProbability.name)
    }
    return (0..<slate.count).map { place in
      var numbers = scores.numbers(at: place, estimate: estimates[place])
      numbers.reasons = parts.map { part in
        let value = part.values[place]
        return ScoreTerm(name: part.name, value: value.isFinite ? value : nil, isPrivate: true)
      }
      return numbers
    }
  }

  private func check(_ found: Int, _ slate: Slate<D>, _ kind: String, _ name: String) throws {
    guard found == slate.count else {
      throw FeedError(
        .strategyFault,
        "the \(kind) '\(name)' answered with \(found) values for a slate of \(slate.count) cards",
        hint: "a strategy returns one value for each candidate, in the order of the slate")
    }
  }
}

extension SlateScores {
  /// The numbers of one card. `score` replaces the ranking's own where rules have changed it.
  func numbers(
    at place: Int, estimate: MatchEstimate, score: Double? = nil
  ) -> CandidateNumbers {
    let terms = terms.map { term in
      let value = term.values[place]
      return ScoreTerm(
        name: term.name, value: value.isFinite ? value : nil, isPrivate: term.isPrivate)
    }
    let own = values.indices.contains(place) ? values[place] : nil
    return CandidateNumbers(estimate: estimate, score: Score(score ?? own), terms: terms)
  }
}
