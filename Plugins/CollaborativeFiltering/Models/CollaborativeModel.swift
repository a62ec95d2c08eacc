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
