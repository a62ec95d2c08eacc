internal import CardFeed

extension CalibrationModel {
  private static let version: UInt64 = 2

  /// Version 2: the counts, the kind of the function, its numbers.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.unsigned(UInt64(answers))
    writer.unsigned(UInt64(positives))
    switch state {
    case .notEnoughData(let needed):
      writer.unsigned(Kind.none.rawValue)
      writer.unsigned(UInt64(needed))
    case .isotonic(let regression):
      writer.unsigned(Kind.isotonic.rawValue)
      writer.count(regression.blocks.count)
      for block in regression.blocks {
        writer.double(block.low)
        writer.double(block.high)
        writer.unsigned(UInt64(block.positives))
        writer.unsigned(UInt64(block.count))
      }
    case .platt(let scaling, let ofLogOdds):
      writer.unsigned((ofLogOdds ? Kind.plattOfLogOdds : .platt).rawValue)
      writer.double(scaling.slope)
      writer.double(scaling.intercept)
      for entry in 0..<3 { writer.double(scaling.covariance[entry]) }
    }
    return writer.bytes
  }

  private enum Kind: UInt64 {
    case none, isotonic, platt, plattOfLogOdds
  }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `FeedError.Code.model` for another version, for damaged bytes, and for a function that
  ///   no fit makes.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8]) throws {
    do {
      var reader = ByteReader(bytes)
      try reader.modelVersion(Self.version, of: "a calibration")
      func whole() throws -> Int {
        guard let value = Int(exactly: try reader.unsigned()), value < 1 << 40 else {
          throw FeedError(.model, "a calibration counts more than there can be")
        }
        return value
      }
      let answers = try whole()
      let positives = try whole()
      let kind = Kind(rawValue: try reader.unsigned())
      var state: State?
      switch kind {
      case .some(.none): state = .notEnoughData(needed: try whole())
      case .isotonic:
        var blocks: [IsotonicRegression.Block] = []
        for _ in 0..<(try reader.count()) {
          blocks.append(
            .init(
              low: try reader.double(), high: try reader.double(), positives: try whole(),
              count: try whole()))
        }
        let regression = blocks.isEmpty ? nil : IsotonicRegression(blocks: blocks)
        state = regression.map { .isotonic($0) }
      case .platt, .plattOfLogOdds:
        let scaling = PlattScaling(
          slope: try reader.double(), intercept: try reader.double(),
          covariance: SIMD3(try reader.double(), try reader.double(), try reader.double()))
        state = scaling.map { .platt($0, ofLogOdds: kind == .plattOfLogOdds) }
      case nil: break
      }
      guard let state, reader.isAtEnd, positives <= answers else {
        throw FeedError(.model, "a calibration holds a function that never comes out of a fit")
      }
      self.init(state: state, answers: answers, positives: positives)
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "a calibration cannot be read: \(damage)")
    }
  }
}
