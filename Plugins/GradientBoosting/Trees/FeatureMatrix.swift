#if XGBoost
  /// Rows of numbers, one column for each feature: what trees are fitted to and asked about. NaN is
  /// missing, which trees treat as a value of its own.
  public struct FeatureMatrix: Sendable {
    /// Numbers of a row.
    public let columns: Int
    /// How many rows there are.
    public private(set) var rows = 0
    /// Row after row.
    public private(set) var values: [Float] = []

    /// No rows.
    ///
    /// - Parameters:
    ///   - columns: Numbers of a row, above 0.
    ///   - capacity: How many rows are to come.
    public init(columns: Int, capacity: Int = 0) {
      precondition(columns > 0, "A matrix has at least one column; got \(columns).")
      self.columns = columns
      values.reserveCapacity(columns * capacity)
    }

    /// Adds a row. O(columns).
    public mutating func append(_ row: some Collection<Float>) {
      precondition(row.count == columns, "A row has \(columns) numbers; got \(row.count).")
      values.append(contentsOf: row)
      rows += 1
    }

    /// Adds all rows of another matrix. O(its numbers).
    public mutating func append(_ other: FeatureMatrix) {
      precondition(other.columns == columns, "A row has \(columns) numbers; got \(other.columns).")
      values.append(contentsOf: other.values)
      rows += other.rows
    }
  }
#endif
