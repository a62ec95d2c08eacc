public import CardFeed
public import CardFeedConfiguration
internal import CardFeedRecommenders

/// A fitted recommender with the cards it knows, by their ids. Holds nothing of viewers.
public struct CollaborativeModel: MappableModel {
  /// Nil when there was nothing to fit it to.
  private let file: RecommenderFile?

  /// The model of no answers.
  init() { file = nil }

  /// A model that was fitted.
  ///
  /// - Parameters:
  ///   - recommender: What was fitted.
  ///   - cards: The id of each row, ascending.
  /// - Throws: `FeedError.Code.training` for a model that has no form in a file: it would be lost with
  ///   the process.
  init(fitted recommender: any Recommender, cards: [[UInt8]]) throws {
    do {
      file = try RecommenderFile(recommender, cards: CardNames(cards))
    } catch {
      throw FeedError(.training, "the fitted model cannot be kept: \(error)")
    }
  }

  private init(_ file: RecommenderFile) { self.file = file }

  /// Nil when there was nothing to fit it to.
  var recommender: (any Recommender)? { file?.model }

  /// The row of a card; nil for one that was not there at the training, or was erased. O(log cards).
  func row(of id: CardID) -> Int? { file?.cards.row(of: id.bytes) }

  /// The card of a row; nil when it was erased.
  func card(at row: Int) -> CardID? {
    file.flatMap { $0.cards.isErased(row) ? nil : CardID(bytes: $0.cards[row]) }
  }

  /// The model in which a card has no name any more: nobody finds its row, and what it says of other
  /// cards is a sum over viewers.
  public func forgetting(_ id: CardID) -> CollaborativeModel {
    guard let file, let row = file.cards.row(of: id.bytes) else { return self }
    return CollaborativeModel(file.erasing(row))
  }

  /// More like this: the cards that the same viewers liked, the most similar first. Nothing is filtered:
  /// a page for a viewer wants the source `similar-cards`.
  ///
  /// - Parameters:
  ///   - card: A card that was there at the training.
  ///   - limit: How many at most, 0 or more.
  /// - Returns: Cards with their similarity, in the unit of the model. None for a card that the model does
  ///   not know, and without a fit.
  /// - Throws: `FeedError.Code.badInput` where the model does not compare cards.
  /// - Complexity: O(neighbours · log neighbours), or O(cards · factors) for a model of factors.
  public func cards(like card: CardID, limit: Int) throws -> [(id: CardID, score: Double)] {
    guard let recommender else { return [] }
    guard let model = recommender as? any SimilarCards else {
      throw FeedError(
        .badInput, "the model does not compare cards: it knows how much each is liked, not by whom",
        hint: "train a ranking by neighbours, walks, co-occurrence, linear weights or factors")
    }
    guard limit > 0, let row = row(of: card) else { return [] }
    return model.similar(to: row, count: limit).compactMap { similar in
      self.card(at: similar.card).map { ($0, Double(similar.score)) }
    }
  }

  /// The bytes of a recommender, which say their version; none where there is none.
  public var bytes: [UInt8] { file?.bytes ?? [] }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `FeedError.Code.model` for another version and for damaged bytes.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8]) throws {
    guard !bytes.isEmpty else {
      self.init()
      return
    }
    try self.init { () throws(RecommenderError) in
      try RecommenderFile(bytes: bytes, name: "a recommender")
    }
  }

  /// Uses what `bytes` wrote where it lies in a file: memory grows with what deals look at.
  ///
  /// - Throws: `FeedError.Code.model` for another version and for damaged bytes.
  /// - Complexity: O(bytes), which are read once.
  public init(mapping path: String, at range: Range<Int>) throws {
    guard !range.isEmpty else {
      self.init()
      return
    }
    try self.init { () throws(RecommenderError) in
      try RecommenderFile(mapping: path, at: range)
    }
  }

  private init(_ read: () throws(RecommenderError) -> RecommenderFile) throws {
    let file: RecommenderFile
    do {
      file = try read()
    } catch {
      throw FeedError(.model, error.description, hint: "train again")
    }
    guard !file.cards.isEmpty, file.cards.isAscending else {
      throw FeedError(
        .model, "a recommender is damaged: its cards are not in the order of their ids",
        hint: "train again")
    }
    self.init(file)
  }
}
