#if XGBoost
  internal import CXGBoost

  /// Trees that were grown: numbers in, probabilities out. Knows nothing of decks and cards.
  ///
  /// Gradient boosting as in Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016,
  /// by the library of that name.
  public final class BoostedTrees: @unchecked Sendable {
    // The library allows predictions from several threads at once, as long as none of them is the
    // first: that one finishes the set-up. `init` makes it, and the handle never changes.
    private let handle: BoosterHandle
    /// Numbers of a row.
    public let columns: Int
    /// What `init(bytes:columns:)` reads. Equal fits give equal bytes.
    public let bytes: [UInt8]

    /// Reads trees.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes` was; the library's own form, universal binary JSON. Check what comes
    ///     from elsewhere by a checksum first, since the library does not survive all damage.
    ///   - columns: Numbers of a row.
    /// - Throws: `XGBoostError`.
    public init(bytes: [UInt8], columns: Int) throws(XGBoostError) {
      var created: BoosterHandle?
      try XGBoostError.check(XGBoosterCreate(nil, 0, &created), .model)
      guard let created else { throw XGBoostError(.model, "the library made no trees") }
      handle = created
      self.columns = columns
      self.bytes = bytes
      let read = bytes.withUnsafeBytes { buffer in
        XGBoosterLoadModelFromBuffer(created, buffer.baseAddress, bst_ulong(buffer.count))
      }
      try XGBoostError.check(read, .model)
      for (name, value) in [("nthread", "1"), ("verbosity", "0")] {
        try XGBoostError.check(XGBoosterSetParam(created, name, value), .setting)
      }
      var features: bst_ulong = 0
      try XGBoostError.check(XGBoosterGetNumFeature(created, &features), .model)
      guard features == bst_ulong(columns) else {
        throw XGBoostError(.model, "the trees have \(features) columns, \(columns) are wanted")
      }
      var row = FeatureMatrix(columns: columns)
      row.append(Array(repeating: .nan, count: columns))
      _ = try probabilities(row)
    }

    deinit { XGBoosterFree(handle) }

    /// One probability for each row. O(rows · trees · depth).
    public func probabilities(_ matrix: FeatureMatrix) throws(XGBoostError) -> [Double] {
      guard matrix.rows > 0 else { return [] }
      guard matrix.columns == columns else {
        throw XGBoostError(
          .prediction, "rows have \(matrix.columns) numbers, \(columns) are wanted")
      }
      let found = matrix.values.withUnsafeBufferPointer { values in
        predict(values, rows: matrix.rows)
      }
      return try found.get()
    }

    /// What each number of each row adds to its log-odds, and last what all rows share: row after row,
    /// `columns` + 1 numbers each, which add up to the log-odds. Shapley values, exact: Lundberg et al.,
    /// "From local explanations to global understanding with explainable AI for trees", Nature Machine
    /// Intelligence 2, 2020. O(rows · trees · depth²).
    public func contributions(_ matrix: FeatureMatrix) throws(XGBoostError) -> [Double] {
      guard matrix.rows > 0 else { return [] }
      guard matrix.columns == columns else {
        throw XGBoostError(
          .prediction, "rows have \(matrix.columns) numbers, \(columns) are wanted")
      }
      var created: DMatrixHandle?
      try XGBoostError.check(
        XGDMatrixCreateFromMat(
          matrix.values, bst_ulong(matrix.rows), bst_ulong(columns), .nan, &created), .prediction)
      guard let created else { throw XGBoostError(.prediction, "the library made no matrix") }
      defer { XGDMatrixFree(created) }
      let settings =
        "{\"type\":2,\"training\":false,\"iteration_begin\":0,\"iteration_end\":0,"
        + "\"strict_shape\":false}"
      var shape: UnsafePointer<bst_ulong>?
      var dimensions: bst_ulong = 0
      var result: UnsafePointer<Float>?
      try XGBoostError.check(
        XGBoosterPredictFromDMatrix(handle, created, settings, &shape, &dimensions, &result),
        .prediction)
      guard let result, let shape, dimensions == 2, shape[0] == bst_ulong(matrix.rows),
        shape[1] == bst_ulong(columns + 1)
      else {
        throw XGBoostError(.prediction, "there is not one number for each number of each row")
      }
      // The buffer is the thread's and lasts until its next prediction.
      return (0..<matrix.rows * (columns + 1)).map { Double(result[$0]) }
    }

    private func predict(
      _ values: UnsafeBufferPointer<Float>, rows: Int
    ) -> Result<[Double], XGBoostError> {
      let address = UInt(bitPattern: values.baseAddress)
      let array =
        "{\"data\":[\(address),true],\"shape\":[\(rows),\(columns)],\"typestr\":\"<f4\","
        + "\"version\":3}"
      let settings =
        "{\"type\":0,\"training\":false,\"iteration_begin\":0,\"iteration_end\":0,"
        + "\"strict_shape\":false,\"missing\":NaN,\"cache_id\":0}"
      var shape: UnsafePointer<bst_ulong>?
      var dimensions: bst_ulong = 0
      var result: UnsafePointer<Float>?
      do throws(XGBoostError) {
        try XGBoostError.check(
          XGBoosterPredictFromDense(
            handle, array, settings, nil, &shape, &dimensions, &result), .prediction)
      } catch { return .failure(error) }
      guard let result, let shape, dimensions == 1, shape[0] == bst_ulong(rows) else {
        return .failure(XGBoostError(.prediction, "there is not one number for each row"))
      }
      // The buffer is the thread's and lasts until its next prediction.
      return .success((0..<rows).map { Double(result[$0]) })
    }
  }
#endif
