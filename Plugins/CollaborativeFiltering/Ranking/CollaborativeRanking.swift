public import CardFeed
internal import CardFeedRecommenders
internal import Dispatch

/// Orders cards by a recommender that was fitted to who liked what, asked with the viewer's own
/// positive answers.
///
/// The viewer's history comes with the deal, so that a swipe counts in the next deal, a rewind takes
/// it back, and a viewer who was not there at the training is no stranger. Who has liked nothing the
/// model knows gets the most liked cards first, by counts that run on between trainings, under the
/// term `popular (no history)`, or `popular (no model)` before the first training. A card that the model does not know scores as the known cards of
/// its features do, or is unscored without features.
///
/// When not to use it: where hardly anybody has liked the same cards; `popularity` says as much then.
public struct CollaborativeRanking<D: Deck>: RankingStrategy, TrainableStrategy {
  private let method: CollaborativeMethod
  private let options: CollaborativeOptions
  private let likes: CardLikes<D>
  /// Where the current model lies.
  public let slot: ModelSlot<CollaborativeModel>

  init(
    _ method: CollaborativeMethod, _ options: CollaborativeOptions,
    slot: ModelSlot<CollaborativeModel>, states: LearnerStates
  ) {
    self.method = method
    self.options = options
    self.slot = slot
    likes = CardLikes(states: states)
  }

  /// The viewer's history.
  public var needs: ContextNeeds { .answersGiven }

  /// How often each card was liked, for viewers without a history.
  public var learners: [any Learner<D>] { [likes] }

  /// Fits the recommender, outside of the threads that serve.
  ///
  /// - Throws: `FeedError.Code.training` where it has no fit; the model of before stays.
  public func fit(
    _ history: TrainingHistory<D>, progress: TrainingProgress
  ) async throws -> CollaborativeModel {
    try await progress.step(0, of: 2)
    do {
      let data = try CollaborativeData(history)
      guard !data.cards.isEmpty else { return CollaborativeModel() }
      try await progress.step(1, of: 2)
      let recommender = try await fitted(data)
      try await progress.step(2, of: 2)
      return try CollaborativeModel(fitted: recommender, cards: data.cards)
    } catch let error as RecommenderError {
      throw FeedError(.training, "there is no fit: \(error)")
    }
  }

  private func fitted(_ data: CollaborativeData) async throws -> any Recommender {
    let (method, histories, threads) = (method, data.histories, options.threads)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try method.fit(histories, InteractionMatrix(histories), threads: threads)
          })
      }
    }
  }

  /// The scores, with what the latest swipes add to each. O(cards of the model + candidates).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    guard let asked = question(slate.context, slate.table) else { return popular(slate) }
    let all = asked.recommender.scores(asked.history, now: asked.now)
    let places = slate.rows.map { asked.model.row(of: slate.table.id(at: $0)) }
    var values = places.map { place in place.map { Double(all[$0]) } ?? .nan }
    fillIn(&values, slate)
    var terms: [SlateScores.Term] = []
    var rest = values
    let isBlend = if case .blend = method { true } else { false }
    for reason in asked.reasons(options.reasons, method) {
      let parts = zip(places, values).map { place, value in
        place.map { value.isNaN ? .nan : Double(reason.scores[$0]) } ?? 0
      }
      for index in rest.indices { rest[index] -= parts[index] }
      terms.append(SlateScores.Term(name: reason.name, values: parts))
    }
    // The parts of a blend are all there is, but for what cards score by their features.
    if terms.isEmpty || !isBlend || !options.features.isEmpty {
      let name = terms.isEmpty ? "history" : isBlend ? "features" : "other swipes"
      terms.append(SlateScores.Term(name: name, values: rest))
    }
    return SlateScores(values: values, terms: terms)
  }

  /// Whether its models know cards like a card.
  var hasSimilarCards: Bool { method.hasSimilarCards }

  /// Whether anything was fitted or loaded.
  var hasModel: Bool { slot.model?.recommender != nil }

  /// The best cards of the whole model of which the history says anything, best first, as rows of a
  /// table; nil for a viewer without a history.
  ///
  /// Cards that the viewer has answered are among them and take nobody's place: whether one comes again
  /// is for the filters to say. They come last, unless the model is about what is taken again.
  func best(
    _ count: Int, table: CardTable<D>, context: DealContext<D>
  ) -> [Row]? {
    guard let asked = question(context, table) else { return nil }
    let answered = context.seen.reduce(into: 0) { $0 += $1.value.answer == nil ? 0 : 1 }
    // A sum over no swipe is nothing known of a card.
    let isSum = asked.recommender is any ExplainableRecommender
    let rows = asked.recommender.top(
      count + answered, asked.history, now: asked.now, excluding: []
    )
    .filter { !isSum || $0.score != 0 }
    .compactMap { asked.model.row(of: $0.card, in: table) }
    guard answered > 0, !method.isAboutRepeats else { return rows }
    let isAnswered = rows.map { context.seen[table.number(at: $0)]?.answer != nil }
    return zip(rows, isAnswered).filter { !$0.1 }.map(\.0)
      + zip(rows, isAnswered).filter(\.1).map(\.0)
  }

  /// Cards like those that the viewer liked last, those of the last one first in turn.
  func similar(
    _ count: Int, toLast likes: Int, table: CardTable<D>, context: DealContext<D>
  ) -> [Row]? {
    guard let asked = question(context, table), let model = asked.recommender as? any SimilarCards
    else { return nil }
    var lists: [[ScoredCard]] = []
    for card in asked.history.cards.reversed() where lists.count < likes {
      lists.append(model.similar(to: Int(card), count: count))
    }
    var (met, rows) = (Set(asked.history.cards.map { Int($0) }), [Row]())
    for place in 0..<count {
      for list in lists where place < list.count && met.insert(list[place].card).inserted {
        if let row = asked.model.row(of: list[place].card, in: table) { rows.append(row) }
      }
    }
    return rows
  }

  /// What the recommender is asked; nil where it knows nothing the viewer liked.
  private func question(
    _ context: DealContext<D>, _ table: CardTable<D>
  ) -> CollaborativeQuestion? {
    guard let model = slot.model, let recommender = model.recommender else { return nil }
    var history = ViewerHistory(cards: [])
    for answer in context.answersGiven where answer.meaning == .positive {
      guard let row = table.row(of: answer.card), let card = model.row(of: table.id(at: row)) else {
        continue
      }
      history.append(Int32(card), at: CollaborativeData.days(answer.time))
    }
    guard history.count > 0 else { return nil }
    return CollaborativeQuestion(
      model: model, recommender: recommender, history: history,
      now: CollaborativeData.days(context.now))
  }

  private func popular(_ slate: Slate<D>) -> SlateScores {
    let values = likes.counts(of: slate.numbers)
    let reason = hasModel ? "no history" : "no model"
    return SlateScores(
      values: values, terms: [SlateScores.Term(name: "popular (\(reason))", values: values)])
  }

  private func fillIn(_ values: inout [Double], _ slate: Slate<D>) {
    guard !options.features.isEmpty, values.contains(where: \.isNaN) else { return }
    ColdCards.fill(
      &values, features: SlateFeatures(options.features, slate).codes, strength: 5)
  }
}

/// What holds for every method.
struct CollaborativeOptions: Sendable, Hashable {
  /// How many of the latest swipes are named in an explanation.
  var reasons = 3
  /// Columns by which unknown cards are scored.
  var features: [String] = []
  /// How many threads fit; the model does not depend on it.
  var threads = 2
}

extension CollaborativeModel {
  /// The row of a card in a table; nil where it is gone or erased.
  func row<D: Deck>(of card: Int, in table: CardTable<D>) -> Row? {
    self.card(at: card).flatMap { table.row(of: $0) }
  }
}
