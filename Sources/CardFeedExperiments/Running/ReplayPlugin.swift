internal import CardFeed
internal import CardFeedConfiguration

/// Who really says yes to whom, in a data set where every answer is known.
struct ReplayTruth: Sendable {
  private let yes: Set<Question>

  private struct Question: Hashable {
    let viewer: CardID
    let card: CardID
  }

  init(_ data: SpeedDatingData) {
    yes = Set(
      data.decisions.filter(\.decision).map { decision in
        Question(
          viewer: CardID(SpeedDatingData.cardID(person: decision.rater)),
          card: CardID(SpeedDatingData.cardID(person: decision.target)))
      })
  }

  func says(_ viewer: CardID, yesTo card: CardID) -> Bool {
    yes.contains(Question(viewer: viewer, card: card))
  }
}

/// What only an experiment can offer: an order that knows the truth.
struct ReplayPlugin: Plugin {
  let name = "replay"
  /// Nil where configurations are only read.
  let truth: ReplayTruth?

  func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      ranking: StrategyDescription(
        "oracle", .ranking,
        summary: "Puts the cards first that will be a match: the best any order can do.",
        discussion: "Only in experiments: it is told the recorded answers.")
    ) { [truth] _, _ in
      guard let truth else {
        throw FeedError(.badInput, "the ranking 'oracle' exists in experiments only")
      }
      return OracleRanking<D>(truth: truth)
    }
  }
}

/// 1 for a card that will be a match, else 0.
private struct OracleRanking<D: Deck>: RankingStrategy {
  let truth: ReplayTruth

  func scores(for slate: Slate<D>, estimates: MatchEstimates) async throws -> SlateScores {
    let viewer = slate.context.viewer
    return SlateScores(
      values: slate.rows.map { row in
        let card = slate.table.id(at: row)
        return truth.says(viewer, yesTo: card) && truth.says(card, yesTo: viewer) ? 1 : 0
      })
  }
}
