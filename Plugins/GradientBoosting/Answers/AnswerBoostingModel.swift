#if XGBoost
  public import CardFeed

  /// Trees with the features they ask about, of a deck with one side. Holds nothing of single viewers.
  public struct AnswerBoostingModel: TrainedModel {
    /// Of the card alone: the first of the trees' columns.
    let features: [DecisionFeature]
    /// Of what was answered before: the others.
    let numbers: [AnswerNumber]
    /// The column of named numbers.
    let column: String
    /// Nil when there was nothing to grow them from.
    let trees: BoostedTrees?

    init(
      features: [DecisionFeature], numbers: [AnswerNumber], column: String, trees: BoostedTrees?
    ) {
      self.features = features
      self.numbers = numbers
      self.column = column
      self.trees = trees
    }

    /// The names of all features.
    public var scored: [String] { features.map(\.name) + numbers.map(\.name) }

    /// Itself: what viewers answered is counted elsewhere.
    public func forgetting(_ id: CardID) -> AnswerBoostingModel { self }

    /// Version 2: the column, the features of cards, the numbers of answers, the trees with their
    /// checksum.
    public var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.unsigned(TreesFile.Kind.answers.rawValue)
      writer.text(column)
      TreesFile.write(features, to: &writer)
      writer.count(numbers.count)
      for number in numbers {
        writer.text(number.kind.rawValue)
        writer.text(number.column)
      }
      TreesFile.write(trees, to: &writer)
      return writer.bytes
    }

    /// Reads what `bytes` wrote.
    ///
    /// - Throws: `FeedError.Code.model` for another version, for trees of a deck with two sides, and for
    ///   damaged bytes.
    /// - Complexity: O(bytes).
    public init(bytes: [UInt8]) throws {
      (column, features, numbers, trees) = try TreesFile.read(bytes, .answers) { reader in
        let column = try reader.text()
        let features = try TreesFile.features(from: &reader)
        var numbers: [AnswerNumber] = []
        for _ in 0..<(try reader.count()) {
          let kind = AnswerNumber.Kind(rawValue: try reader.text())
          let column = try reader.text()
          guard let kind else { throw TreesFile.unknownFeature }
          numbers.append(AnswerNumber(kind, column: column))
        }
        let trees = try TreesFile.trees(from: &reader, columns: features.count + numbers.count)
        return (column, features, numbers, trees)
      }
    }
  }
#endif
