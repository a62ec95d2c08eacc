internal import CardFeed
internal import CardFeedConfiguration

/// One evening dealt card by card, for every budget.
///
/// In each round every person (ascending number) who has cards left is dealt one card, answers it
/// truly, and the answer is known at once. Budget b is the share of the other side a person sees:
/// ⌈b · n⌉ cards, and that is the number of daily cards in the person's record. A match counts when
/// both have answered yes. Where a round begins with a training, it sees all answers of the rounds
/// before.
struct DeckReplay: Sendable {
  /// What came of one budget.
  struct Result: Sendable {
    /// Matches found.
    var found = 0
    /// How often each person was dealt, women and men apart.
    var impressions: [[Int]] = []
    /// People with a match.
    var matchedPeople = 0
  }

  let data: SpeedDatingData
  let wave: Int
  /// Models to begin with.
  var prior: ModelFile? = nil
  /// Whether the feed is trained before every round but the first.
  var refitsEachRound = false

  var people: [SpeedDatingData.Person] { data.persons.filter { $0.wave == wave } }

  /// All matches of the evening.
  var total: Int { data.pairs.count { $0.wave == wave && $0.match } }

  func run<P: DeckPlugin>(
    _ configuration: FeedConfiguration, deck: P, plugins: PluginSet, seed: UInt64, budget: Double
  ) async throws -> Result {
    let people = people.sorted { $0.id < $1.id }
    let sizes = Dictionary(grouping: people, by: \.gender).mapValues(\.count)
    var left = people.map { person in
      let opposite = sizes[person.gender == .woman ? .man : .woman] ?? 0
      return MatchShare.cards(budget: budget, opposite: opposite)
    }
    let feed = try await configuration.openReplay(
      deck, seed: seed, plugins: plugins, people: people, of: data,
      dailyCards: Dictionary(uniqueKeysWithValues: zip(people.map(\.id), left)))
    if let prior { try feed.begin(with: prior) }
    let truth = Dictionary(
      uniqueKeysWithValues: data.decisions.filter { $0.wave == wave }.map { decision in
        (Encounter(rater: decision.rater, target: decision.target), decision.decision)
      })
    let numbers = Dictionary(
      uniqueKeysWithValues: people.enumerated().map { index, person in
        (CardID(SpeedDatingData.cardID(person: person.id)), index)
      })
    var impressions = Array(repeating: 0, count: people.count)
    var matched = Set<Int>()
    var result = Result()
    var isFirst = true
    while left.contains(where: { $0 > 0 }) {
      if refitsEachRound, !isFirst { try await feed.train() }
      isFirst = false
      for (index, person) in people.enumerated() where left[index] > 0 {
        let viewer = CardID(SpeedDatingData.cardID(person: person.id))
        guard let top = try await feed.hand(for: viewer).cards.first, let card = numbers[top.id]
        else {
          left[index] = 0
          continue
        }
        let encounter = Encounter(rater: person.id, target: people[card].id)
        guard let yes = truth[encounter] else {
          throw FeedError(
            .badInput, "a card was dealt whose answer is not recorded",
            hint: "the arm needs the filter 'mutual-preferences'")
        }
        let outcome = try await feed.swipe(
          Swipe(
            viewer: viewer, card: top.id, answer: try recordedAnswer(yes, in: P.D.self),
            event: EventID("\(person.id)-\(people[card].id)")))
        left[index] -= 1
        impressions[card] += 1
        if outcome.receipt?.match != nil {
          result.found += 1
          matched.formUnion([index, card])
        }
      }
    }
    result.impressions = SpeedDatingData.Gender.allCases.map { side in
      people.indices.filter { people[$0].gender == side }.map { impressions[$0] }
    }
    result.matchedPeople = matched.count
    return result
  }
}

extension FeedEngine {
  /// Puts every model of a file into the strategy it belongs to.
  fileprivate func begin(with prior: ModelFile) throws {
    guard try install(prior) == prior.entries.count, !prior.entries.isEmpty else {
      throw FeedError(
        .badInput, "an arm with a prior has no strategy that is trained",
        hint: "take \"prior\" out of the arm, or give it a match probability that needs training")
    }
  }
}
