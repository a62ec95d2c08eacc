public import CardFeed
internal import CardFeedRecommenders

/// A fitted recommender with the cards it knows, by their ids. Holds nothing of viewers.
public struct CollaborativeModel: TrainedModel {
  /// Nil when there was nothing to fit it to.
  let recommender: (any Recommender)?
  /// The id of each row of the recommender, as bytes.
  let cards: [[UInt8]]
  /// The row of each id. A card that was erased has none.
  let rows: [CardID: Int]

  init(recommender: (any Recommender)?, cards: [[UInt8]]) {
    self.recommender = recommender
    self.cards = cards
    var rows: [CardID: Int] = [:]
    for (row, bytes) in cards.enumerated() where !bytes.isEmpty { rows[CardID(bytes: bytes)] = row }
    self.rows = rows
  }

  /// The model in which a card has no name any more: nobody finds its row, and what it says of other
  /// cards is a sum over viewers.
  public func forgetting(_ id: CardID) -> CollaborativeModel {
    guard let row = rows[id] else { return self }
    var cards = cards
    cards[row] = []
    return CollaborativeModel(recommender: recommender, cards: cards)
  }

  private static var version: UInt64 { 1 }

  /// Version 1: the bytes of a recommender, none where there is none.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.blob((try? recommender.map { try RecommenderFile.bytes(of: $0, cards: cards) }) ?? [])
    return writer.bytes
  }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `FeedError.Code.model` for another version and for damaged bytes.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8]) throws {
    do {
      var reader = ByteReader(bytes)
      try reader.modelVersion(Self.version, of: "a recommender")
      let content = try reader.blob()
      guard reader.isAtEnd else {
        throw FeedError(.model, "a recommender is damaged: bytes follow its end")
      }
      if content.isEmpty {
        self.init(recommender: nil, cards: [])
      } else {
        let file = try RecommenderFile(bytes: content, name: "a recommender")
        self.init(recommender: file.model, cards: file.cards)
      }
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "a recommender cannot be read: \(damage)")
    } catch let error as RecommenderError {
      throw FeedError(.model, error.description, hint: "train again")
    }
  }
}
