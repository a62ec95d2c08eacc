#if XGBoost
  public import CardFeed

  /// Trees with the features they ask about. Holds nothing of single people.
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

    private static var version: UInt64 { 1 }

    /// Version 1: the column, the features, the trees with their checksum.
    public var bytes: [UInt8] {
      var writer = ByteWriter()
      writer.unsigned(Self.version)
      writer.text(column)
      writer.count(features.count)
      for feature in features {
        let (kind, texts) = Self.parts(of: feature)
        writer.unsigned(kind.rawValue)
        writer.text(texts.0)
        writer.text(texts.1)
      }
      let trees = trees?.bytes ?? []
      writer.fixed32(CRC32C.checksum(of: trees))
      writer.blob(trees)
      return writer.bytes
    }

    /// Reads what `bytes` wrote.
    ///
    /// - Throws: `FeedError.Code.model` for another version and for damaged bytes.
    /// - Complexity: O(bytes).
    public init(bytes: [UInt8]) throws {
      do {
        var reader = ByteReader(bytes)
        try reader.modelVersion(Self.version, of: "a model of boosted trees")
        column = try reader.text()
        var features: [DecisionFeature] = []
        for _ in 0..<(try reader.count()) {
          let kind = Kind(rawValue: try reader.unsigned())
          let feature = Self.feature(kind, try reader.text(), try reader.text())
          guard let feature else {
            throw FeedError(.model, "boosted trees ask about a feature that is not known")
          }
          features.append(feature)
        }
        let checksum = try reader.fixed32()
        let trees = try reader.blob()
        // Before the library sees them: it does not survive all damage.
        guard checksum == CRC32C.checksum(of: trees), reader.isAtEnd else {
          throw FeedError(.model, "boosted trees are damaged: the checksum does not fit the bytes")
        }
        guard trees.isEmpty || !features.isEmpty else {
          throw FeedError(.model, "boosted trees ask about nothing")
        }
        self.features = features
        self.trees =
          trees.isEmpty ? nil : try BoostedTrees(bytes: trees, columns: features.count)
      } catch let damage as ByteReader.Damage {
        throw FeedError(.model, "boosted trees cannot be read: \(damage)")
      } catch let error as XGBoostError {
        throw FeedError(.model, "boosted trees cannot be read: \(error)", hint: "train again")
      }
    }

    private enum Kind: UInt64 {
      case own, other, difference, ownIs, otherIs, rate
    }

    private static func parts(of feature: DecisionFeature) -> (Kind, (String, String)) {
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
      _ kind: Kind?, _ first: String, _ second: String
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
