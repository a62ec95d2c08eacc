internal import CardFeed

/// The answers of a deck with one side whose outcome is known: each is what became of a deal.
///
/// A card that returns has several answers of one viewer. All of a pair are in one fold, since a fit to
/// one of them knows the others.
struct OwnAnswers<D: Deck> {
  /// Every answer that stands, in the order of the log.
  let log: [TrainingAnswer]
  /// For each of them whether it was positive; nil where that is not known or the card is gone.
  let outcomes: [Bool?]
  private let history: TrainingHistory<D>

  /// O(answers).
  init(_ history: TrainingHistory<D>) {
    self.history = history
    log = history.log
    outcomes = history.log.map { answer in
      history.table.row(of: answer.card) == nil
        ? nil : history.deck.policy.outcome(of: answer.meaning)
    }
  }

  /// How many outcomes are known.
  var count: Int { outcomes.count { $0 != nil } }

  /// How many of them are positive.
  var positives: Int { outcomes.count { $0 == true } }

  /// What is held out, once or several times.
  struct Part {
    /// What a fit is told.
    let known: TrainingHistory<D>
    /// The places in the log that are asked about, ascending.
    let asked: [Int]
  }

  /// The parts that fit how a strategy learns: five folds of pairs if it is trained, the last third of
  /// the log if it learns, everything if it does neither. O(answers · parts).
  func parts(for strategy: any MatchProbabilityStrategy<D>) -> [Part] {
    let places = log.indices.filter { outcomes[$0] != nil }
    guard strategy.trainables.isEmpty else { return folds(places) }
    let end = strategy.learners.isEmpty ? 0 : log.count * 2 / 3
    return [Part(known: told { _ in false }, asked: places.filter { $0 >= end })]
  }

  private func folds(_ places: [Int]) -> [Part] {
    let all = log.map(fold)
    return (0..<AnsweredPairs<D>.folds).map { fold in
      Part(known: told { self.fold(of: $0) != fold }, asked: places.filter { all[$0] == fold })
    }
  }

  private func told(_ isKnown: (TrainingAnswer) -> Bool) -> TrainingHistory<D> {
    TrainingHistory(
      answers: history.answers.filter(isKnown), log: log.filter(isKnown),
      viewers: history.viewers, table: history.table, deck: history.deck, now: history.now,
      position: history.position)
  }

  /// Which fold a pair is in: by identities, so that it does not depend on a store; −1 where the card
  /// is gone.
  private func fold(of answer: TrainingAnswer) -> Int {
    guard let row = history.table.row(of: answer.card) else { return -1 }
    var hash = StableHash()
    let card = history.table.id(at: row)
    hash.combine(card.bytes.count)
    hash.combine(card.bytes)
    if let viewer = history.viewers[answer.viewer] {
      hash.combine(viewer.bytes)
    } else {
      hash.combine(answer.viewer.rawValue)
    }
    return Int(hash.value % UInt64(AnsweredPairs<D>.folds))
  }
}
