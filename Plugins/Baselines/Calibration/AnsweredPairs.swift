internal import CardFeed

/// The pairs of a history in which both have answered, neither neutrally.
struct AnsweredPairs<D: Deck> {
  struct Pair: Hashable {
    /// Who answered first, and so was dealt the other one before anything was known.
    let viewer: CardNumber
    let card: CardNumber
    let isMatch: Bool
    /// The earlier of the two answers.
    let first: LogPosition
    /// Which of `folds` it is in; by the identities, so that it does not depend on a store.
    let fold: Int
  }

  static var folds: Int { 5 }

  /// In an order that depends on the identities only.
  let pairs: [Pair]

  /// O(answers · log answers).
  init(_ history: TrainingHistory<D>) {
    let table = history.table
    var open: [UnorderedPair: TrainingAnswer] = [:]
    var pairs: [(ids: (CardID, CardID), pair: Pair)] = []
    for answer in history.answers where answer.meaning != .neutral {
      guard answer.viewer != answer.card, let viewer = table.row(of: answer.viewer),
        let card = table.row(of: answer.card)
      else { continue }
      let key = UnorderedPair(answer.viewer, answer.card)
      guard let first = open.removeValue(forKey: key) else {
        open[key] = answer
        continue
      }
      // The earlier answer is the card's about this viewer.
      let ids = (table.id(at: card), table.id(at: viewer))
      pairs.append(
        (
          ids,
          Pair(
            viewer: first.viewer, card: first.card,
            isMatch: first.meaning == .positive && answer.meaning == .positive,
            first: first.event, fold: Self.fold(of: ids.0, ids.1))
        ))
    }
    self.pairs = pairs.sorted { $0.ids < $1.ids }.map(\.pair)
  }

  /// The same for both directions.
  static func fold(of one: CardID, _ other: CardID) -> Int {
    var hash = StableHash()
    for id in [min(one, other), max(one, other)] {
      hash.combine(id.bytes.count)
      hash.combine(id.bytes)
    }
    return Int(hash.value % UInt64(folds))
  }
}

private struct UnorderedPair: Hashable {
  let low: CardNumber
  let high: CardNumber

  init(_ one: CardNumber, _ other: CardNumber) {
    low = min(one, other)
    high = max(one, other)
  }
}

/// What is held out of a history, once or several times.
struct HeldOutSplit<D: Deck> {
  struct Part {
    /// What the strategy is told, in the order of the log.
    let known: [TrainingAnswer]
    /// What it is asked.
    let asked: [AnsweredPairs<D>.Pair]
  }

  let parts: [Part]

  /// The split that fits how a strategy learns.
  init(
    _ pairs: AnsweredPairs<D>, history: TrainingHistory<D>,
    for strategy: any MatchProbabilityStrategy<D>
  ) {
    if !strategy.trainables.isEmpty {
      let table = history.table
      let folds = history.answers.map { answer in
        guard let viewer = table.row(of: answer.viewer), let card = table.row(of: answer.card)
        else { return -1 }
        return AnsweredPairs<D>.fold(of: table.id(at: viewer), table.id(at: card))
      }
      parts = (0..<AnsweredPairs<D>.folds).map { fold in
        Part(
          known: zip(history.answers, folds).filter { $0.1 != fold }.map(\.0),
          asked: pairs.pairs.filter { $0.fold == fold })
      }
    } else if !strategy.learners.isEmpty {
      let count = history.answers.count * 2 / 3
      let known = Array(history.answers.prefix(count))
      let end = known.last?.event ?? .start
      parts = [Part(known: known, asked: pairs.pairs.filter { $0.first > end })]
    } else {
      parts = [Part(known: [], asked: pairs.pairs)]
    }
  }
}
