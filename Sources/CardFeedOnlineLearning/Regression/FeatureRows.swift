/// The features of many rows, one row after the other.
public struct FeatureRows: Sendable, Equatable {
  /// Features of each row.
  public let width: Int
  /// How many rows there are.
  public let count: Int
  /// Row after row, places of a table.
  public let features: [UInt32]
  /// How much of each feature there is; empty where each is there in full.
  public let values: [Float]

  /// Rows of `width` features, 0 of them one row without any.
  public init(width: Int, features: [UInt32], values: [Float] = []) {
    precondition(
      width >= 0 && (width == 0 ? features.isEmpty : features.count % width == 0),
      "\(features.count) features are no whole number of rows of \(width).")
    precondition(
      values.isEmpty || values.count == features.count,
      "Each of \(features.count) features has a value, or none has; got \(values.count).")
    self.width = width
    count = width == 0 ? 1 : features.count / width
    self.features = features
    self.values = values
  }

  /// One row, valid inside `withRows` only.
  struct Row {
    let features: UnsafeBufferPointer<UInt32>
    /// Empty where each feature is there in full.
    let values: UnsafeBufferPointer<Float>
  }

  /// Gives `body` each row by its number.
  @inline(__always)
  func withRows<Result>(_ body: ((Int) -> Row) -> Result) -> Result {
    features.withUnsafeBufferPointer { features in
      values.withUnsafeBufferPointer { values in
        body { index in
          let range = index * width..<(index + 1) * width
          return Row(
            features: UnsafeBufferPointer(rebasing: features[range]),
            values: values.isEmpty ? values : UnsafeBufferPointer(rebasing: values[range]))
        }
      }
    }
  }
}
