/// How the numbers of a row become places of a table of weights: bins, crosses of bins, and a hash.
///
/// A number column has bins between ascending edges: bin k holds what is above edge k − 1 and at most
/// edge k. A category column has a bin for each whole number. What is not known (NaN) has a bin of its
/// own, so that nil is never zero. Every column and every cross of columns gives one feature, and one
/// more stands for every row. Features are hashed into 2ᵇⁱᵗˢ places (Weinberger et al., "Feature
/// Hashing for Large Scale Multitask Learning", ICML 2009): two that fall on one place share a
/// weight, which a table of ten times the number of features makes rare.
public struct FeatureRecipe: Sendable, Hashable {
  /// How a column is cut into bins.
  public enum Bins: Sendable, Hashable {
    /// Between ascending edges.
    case edges([Double])
    /// One for each whole number.
    case category
  }

  /// A column.
  public struct Column: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// How it is cut.
    public let bins: Bins
    /// Whether it is a feature by itself, and not only in crosses.
    public let isAlone: Bool

    /// A column.
    public init(name: String, bins: Bins, isAlone: Bool = true) {
      if case .edges(let edges) = bins {
        precondition(
          zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 } && edges.allSatisfy(\.isFinite),
          "The edges of the bins of '\(name)' ascend and are finite.")
      }
      self.name = name
      self.bins = bins
      self.isAlone = isAlone
    }
  }

  /// The columns, in the order of a row's numbers.
  public let columns: [Column]
  /// Columns that count together, by their places.
  public let crosses: [[Int]]
  /// The table has 2ᵇⁱᵗˢ places.
  public let bits: Int

  private let single: [Int]

  /// A recipe.
  ///
  /// - Parameters:
  ///   - columns: One for each number of a row.
  ///   - crosses: Columns that count together, each two or more places of `columns`.
  ///   - bits: The logarithm of the table's size, 1 … 28.
  public init(columns: [Column], crosses: [[Int]] = [], bits: Int) {
    precondition((1...28).contains(bits), "A table has 2^1 … 2^28 places; got 2^\(bits).")
    precondition(
      crosses.allSatisfy { $0.count > 1 && $0.allSatisfy(columns.indices.contains) },
      "A cross names two or more of the \(columns.count) columns.")
    self.columns = columns
    self.crosses = crosses
    self.bits = bits
    single = columns.indices.filter { columns[$0].isAlone }
  }

  /// How many features each row has.
  public var width: Int { 1 + single.count + crosses.count }

  /// The features of a row.
  ///
  /// - Parameter row: One number for each column; NaN where it is not known.
  /// - Complexity: O(columns · edges + features).
  public func features(of row: [Double]) -> [UInt32] {
    var features: [UInt32] = []
    features.reserveCapacity(width)
    append(row, to: &features)
    return features
  }

  /// The features of many rows.
  public func features(of rows: [[Double]]) -> FeatureRows {
    var features: [UInt32] = []
    features.reserveCapacity(width * rows.count)
    for row in rows { append(row, to: &features) }
    return FeatureRows(width: width, features: features)
  }

  private func append(_ row: [Double], to features: inout [UInt32]) {
    precondition(
      row.count == columns.count, "A row has \(columns.count) numbers; got \(row.count).")
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(row.count, 1)) { codes in
      for index in row.indices {
        codes[index] = Self.code(of: row[index], columns[index].bins)
      }
      features.append(place(0, field: 0))
      for index in single { features.append(place(codes[index], field: UInt64(index) + 1)) }
      for (index, cross) in crosses.enumerated() {
        var hash: UInt64 = 0
        for column in cross { hash = Self.mix(hash ^ codes[column]) }
        features.append(place(hash, field: UInt64(columns.count + index) + 1))
      }
    }
  }

  /// 0 for what is not known; then the bins.
  @inline(__always)
  private static func code(of value: Double, _ bins: Bins) -> UInt64 {
    guard !value.isNaN else { return 0 }
    switch bins {
    case .category: return (value.rounded(.down) + 0).bitPattern | 1
    case .edges(let edges):
      var bin = 0
      while bin < edges.count, edges[bin] < value { bin += 1 }
      return UInt64(bin) + 1
    }
  }

  @inline(__always)
  private func place(_ code: UInt64, field: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: Self.mix(code &+ field &* 0x9e37_79b9_7f4a_7c15) >> (64 - bits))
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input moves every bit.
  /// Multiplication wraps, as in the source.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// The features of many rows, one row after the other.
public struct FeatureRows: Sendable, Equatable {
  /// Features of each row.
  public let width: Int
  /// Row after row.
  public let features: [UInt32]

  /// Rows of `width` features.
  public init(width: Int, features: [UInt32]) {
    precondition(
      width > 0 && features.count % width == 0,
      "\(features.count) features are no whole number of rows of \(width).")
    self.width = width
    self.features = features
  }

  /// How many rows there are.
  public var count: Int { features.count / width }
}
