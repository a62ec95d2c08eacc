#if XGBoost
  internal import CardFeed

  /// The parts that the models of either kind of deck are written with. A model begins with its kind.
  enum TreesFile {
    /// What a model was fitted to, as the version that it begins with.
    enum Kind: UInt64 {
      /// Decisions of a deck with two sides.
      case decisions = 1
      /// Answers of a deck with one side.
      case answers = 2

      fileprivate var deck: String {
        switch self {
        case .decisions: "a deck with two sides"
        case .answers: "a deck with one side"
        }
      }
    }

    private enum FeatureKind: UInt64 {
      case own, other, difference, ownIs, otherIs, rate
    }

    /// Writes features.
    static func write(_ features: [DecisionFeature], to writer: inout ByteWriter) {
      writer.count(features.count)
      for feature in features {
        let (kind, texts) = parts(of: feature)
        writer.unsigned(kind.rawValue)
        writer.text(texts.0)
        writer.text(texts.1)
      }
    }

    /// Writes trees with their checksum.
    static func write(_ trees: BoostedTrees?, to writer: inout ByteWriter) {
      let trees = trees?.bytes ?? []
      writer.fixed32(CRC32C.checksum(of: trees))
      writer.blob(trees)
    }

    /// Reads a model, from its kind to its end; what goes wrong becomes a `FeedError`.
    static func read<Result>(
      _ bytes: [UInt8], _ kind: Kind, _ body: (inout ByteReader) throws -> Result
    ) throws -> Result {
      do {
        var reader = ByteReader(bytes)
        var start = reader
        if let found = Kind(rawValue: try start.unsigned()), found != kind {
          throw FeedError(
            .model, "boosted trees of \(found.deck) were given to \(kind.deck)",
            hint: "train this deck, and name its own model")
        }
        try reader.modelVersion(kind.rawValue, of: "a model of boosted trees")
        return try body(&reader)
      } catch let damage as ByteReader.Damage {
        throw FeedError(.model, "boosted trees cannot be read: \(damage)")
      } catch let error as XGBoostError {
        throw FeedError(.model, "boosted trees cannot be read: \(error)", hint: "train again")
      }
    }

    /// Reads features.
    static func features(from reader: inout ByteReader) throws -> [DecisionFeature] {
      var features: [DecisionFeature] = []
      for _ in 0..<(try reader.count()) {
        let kind = FeatureKind(rawValue: try reader.unsigned())
        let feature = feature(kind, try reader.text(), try reader.text())
        guard let feature else { throw unknownFeature }
        features.append(feature)
      }
      return features
    }

    /// Reads trees, which end the bytes; nil where there are none.
    static func trees(from reader: inout ByteReader, columns: Int) throws -> BoostedTrees? {
      let checksum = try reader.fixed32()
      let trees = try reader.blob()
      // Before the library sees them: it does not survive all damage.
      guard checksum == CRC32C.checksum(of: trees), reader.isAtEnd else {
        throw FeedError(.model, "boosted trees are damaged: the checksum does not fit the bytes")
      }
      guard trees.isEmpty || columns > 0 else {
        throw FeedError(.model, "boosted trees ask about nothing")
      }
      return trees.isEmpty ? nil : try BoostedTrees(bytes: trees, columns: columns)
    }

    static var unknownFeature: FeedError {
      FeedError(.model, "boosted trees ask about a feature that is not known")
    }

    private static func parts(of feature: DecisionFeature) -> (FeatureKind, (String, String)) {
      switch feature {
      case .own(let trait): (.own, (trait, ""))
      case .other(let trait): (.other, (trait, ""))
      case .difference(let trait): (.difference, (trait, ""))
      case .ownIs(let column, let name): (.ownIs, (column, name))
      case .otherIs(let column, let name): (.otherIs, (column, name))
      case .rate(let rate): (.rate, (rate.rawValue, ""))
      }
    }

    private static func feature(
      _ kind: FeatureKind?, _ first: String, _ second: String
    ) -> DecisionFeature? {
      switch kind {
      case .own: .own(first)
      case .other: .other(first)
      case .difference: .difference(first)
      case .ownIs: .ownIs(column: first, name: second)
      case .otherIs: .otherIs(column: first, name: second)
      case .rate: DecisionFeature.Rate(rawValue: first).map { .rate($0) }
      case nil: nil
      }
    }
  }
#endif
