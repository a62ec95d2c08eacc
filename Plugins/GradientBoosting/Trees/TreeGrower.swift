#if XGBoost
  internal import CXGBoost

  /// Grows trees, one after the other. Belongs to one task.
  public final class TreeGrower {
    private let handle: BoosterHandle
    private let known: Rows
    private let held: Rows?
    private let columns: Int
    /// How many trees there are.
    public private(set) var rounds = 0

    /// Prepares a fit.
    ///
    /// - Parameters:
    ///   - settings: How trees are grown.
    ///   - matrix: At least one row.
    ///   - outcomes: What happened, for each row.
    ///   - heldOut: Rows by which a fit can be judged while it grows.
    /// - Throws: `XGBoostError`.
    public init(
      _ settings: BoostingSettings, _ matrix: FeatureMatrix, outcomes: [Bool],
      heldOut: FeatureMatrix? = nil
    ) throws(XGBoostError) {
      precondition(matrix.rows == outcomes.count, "Each row has one outcome.")
      known = try Rows(matrix)
      held = if let heldOut, heldOut.rows > 0 { try Rows(heldOut) } else { nil }
      columns = matrix.columns
      let labels: [Float] = outcomes.map { $0 ? 1 : 0 }
      try XGBoostError.check(
        XGDMatrixSetFloatInfo(known.handle, "label", labels, bst_ulong(labels.count)), .matrix)
      // Those that are named here keep their sums from one tree to the next.
      let cached = [known.handle, held?.handle].compactMap { $0 }.map(Optional.some)
      var created: BoosterHandle?
      try XGBoostError.check(XGBoosterCreate(cached, bst_ulong(cached.count), &created), .fit)
      guard let created else { throw XGBoostError(.fit, "the library made no trees") }
      handle = created
      // What the first tree starts from; the ends have no log-odds.
      let share = Double(outcomes.count { $0 }) / Double(max(1, outcomes.count))
      let base = min(max(share, 0.001), 0.999)
      for (name, value) in settings.parameters + [("base_score", "\(base)")] {
        try XGBoostError.check(XGBoosterSetParam(created, name, value), .setting)
      }
    }

    deinit { XGBoosterFree(handle) }

    /// Grows one more tree. O(rows · columns · depth).
    public func grow() throws(XGBoostError) {
      try XGBoostError.check(
        XGBoosterUpdateOneIter(handle, CInt(rounds), known.handle), .fit)
      rounds += 1
    }

    /// The probabilities of the rows that are held out, by the trees so far. O(rows · depth).
    public func heldOutProbabilities() throws(XGBoostError) -> [Double] {
      guard let held else { return [] }
      let settings =
        "{\"type\":0,\"training\":false,\"iteration_begin\":0,\"iteration_end\":0,"
        + "\"strict_shape\":false}"
      var shape: UnsafePointer<bst_ulong>?
      var dimensions: bst_ulong = 0
      var result: UnsafePointer<Float>?
      try XGBoostError.check(
        XGBoosterPredictFromDMatrix(
          handle, held.handle, settings, &shape, &dimensions, &result), .prediction)
      guard let result, let shape, dimensions == 1, shape[0] == bst_ulong(held.count) else {
        throw XGBoostError(.prediction, "there is not one number for each row")
      }
      return (0..<held.count).map { Double(result[$0]) }
    }

    /// The trees so far, for predictions. O(trees).
    public func trees() throws(XGBoostError) -> BoostedTrees {
      var length: bst_ulong = 0
      var buffer: UnsafePointer<CChar>?
      try XGBoostError.check(
        XGBoosterSaveModelToBuffer(handle, "{\"format\":\"ubj\"}", &length, &buffer), .model)
      guard let buffer else { throw XGBoostError(.model, "the library wrote nothing") }
      let bytes = UnsafeBufferPointer(start: buffer, count: Int(length)).map {
        UInt8(bitPattern: $0)
      }
      return try BoostedTrees(bytes: bytes, columns: columns)
    }

    /// Rows in the library's memory.
    private final class Rows {
      let handle: DMatrixHandle
      let count: Int

      init(_ matrix: FeatureMatrix) throws(XGBoostError) {
        var created: DMatrixHandle?
        try XGBoostError.check(
          XGDMatrixCreateFromMat(
            matrix.values, bst_ulong(matrix.rows), bst_ulong(matrix.columns), .nan, &created),
          .matrix)
        guard let created else { throw XGBoostError(.matrix, "the library took no rows") }
        handle = created
        count = matrix.rows
      }

      deinit { XGDMatrixFree(handle) }
    }
  }
#endif
