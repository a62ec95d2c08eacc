#if XGBoost
  public import CardFeed

  /// Trees with the features they ask about, of a deck with two sides. Holds nothing of single people.
  public struct GradientBoostingModel: TrainedModel {
    /// The features, in the order of the trees' columns.
    let features: [DecisionFeature]
    /// The column of named numbers.
    let column: String
    /// Nil when there was nothing to grow them from.
    let trees: BoostedTrees?

    init(features: [DecisionFeature], column: String, trees: BoostedTrees?) {
      self.features = features
      self.column = column
      self.trees = trees
    }

    /// The names of all features.
    public var scored: [String] { features.map(\.name) }

    /// Itself: people's like rates are counted elsewhere.
    public func forgetting(_ id: CardID) -> GradientBoostingModel { self }

    /// Version 1: the column, the features, the trees with their checksum.
    public var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.unsigned(TreesFile.Kind.decisions.rawValue)
      writer.text(column)
      TreesFile.write(features, to: &writer)
      TreesFile.write(trees, to: &writer)
      return writer.bytes
    }

    /// Reads what `bytes` wrote.
    ///
    /// - Throws: `FeedError.Code.model` for another version, for trees of a deck with one side, and for
    ///   damaged bytes.
    /// - Complexity: O(bytes).
    public init(bytes: [UInt8]) throws {
      (column, features, trees) = try TreesFile.read(bytes, .decisions) { reader in
        let column = try reader.text()
        let features = try TreesFile.features(from: &reader)
        return (column, features, try TreesFile.trees(from: &reader, columns: features.count))
      }
    }
  }
#endif
