/// How the numbers of a row become places of a table of weights: bins, crosses of bins, and a hash.
///
/// A number column has bins between ascending edges: bin k holds what is above edge k − 1 and at
/// most edge k. A number column may also have knots: a number between two knots belongs to both in
/// part, so that the weight runs straight from one to the other. A category column has a bin for
/// each whole number. What is not known (NaN) has a bin of its own, so that nil is never zero.
/// Every column and every cross of columns gives a feature, or two for each column with knots, and
/// one more stands for every row. Features are hashed into 2ᵇⁱᵗˢ places (Weinberger et al.,
/// "Feature Hashing for Large Scale Multitask Learning", ICML 2009): two that fall on one place
/// share a weight, which a table of ten times the number of features makes rare.
public struct FeatureRecipe: Sendable, Hashable {
  /// How a column is cut into bins.
  public enum Bins: Sendable, Hashable {
    /// Between ascending edges.
    case edges([Double])
    /// At ascending knots, two or more, and between them in part.
    case knots([Double])
    /// One for each whole number.
    case category

    /// Features of one row.
    var parts: Int {
      if case .knots = self { return 2 }
      return 1
    }
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
      switch bins {
      case .category: break
      case .edges(let edges), .knots(let edges):
        precondition(
          zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 } && edges.allSatisfy(\.isFinite),
          "The edges of the bins of '\(name)' ascend and are finite.")
        precondition(
          bins.parts == 1 || edges.count > 1, "The column '\(name)' has two knots at least.")
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

  /// Columns of each feature, by their places.
  private let fields: [[Int]]

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
    fields = columns.indices.filter { columns[$0].isAlone }.map { [$0] } + crosses
    hasParts = fields.joined().contains { columns[$0].bins.parts > 1 }
    width = fields.reduce(1) { $0 + $1.reduce(1) { $0 * columns[$1].bins.parts } }
  }

  /// How many features each row has.
  public let width: Int
  /// Whether features are there in part.
  public let hasParts: Bool

  /// The features of a row.
  ///
  /// - Parameter row: One number for each column; NaN where it is not known.
  /// - Complexity: O(columns · edges + features).
  public func features(of row: [Double]) -> FeatureRows { features(of: [row]) }

  /// The features of many rows.
  ///
  /// - Complexity: O(rows · (columns · edges + features)).
  public func features(of rows: [[Double]]) -> FeatureRows {
    var features: [UInt32] = []
    var values: [Float] = []
    features.reserveCapacity(width * rows.count)
    if hasParts { values.reserveCapacity(width * rows.count) }
    for row in rows { append(row, to: &features, &values) }
    return FeatureRows(width: width, features: features, values: values)
  }

  /// The features of many rows that are given column by column.
  ///
  /// - Parameter numbers: For each column of the recipe the numbers of all rows.
  /// - Complexity: O(rows · (columns · edges + features)).
  public func features(ofColumns numbers: [[Double]]) -> FeatureRows {
    precondition(
      numbers.count == columns.count && numbers.allSatisfy { $0.count == numbers.first?.count },
      "There are \(columns.count) columns of one length; got \(numbers.count).")
    let count = numbers.first?.count ?? 0
    var features: [UInt32] = []
    var values: [Float] = []
    features.reserveCapacity(width * count)
    if hasParts { values.reserveCapacity(width * count) }
    var row = Array(repeating: 0.0, count: columns.count)
    for index in 0..<count {
      for column in row.indices { row[column] = numbers[column][index] }
      append(row, to: &features, &values)
    }
    return FeatureRows(width: width, features: features, values: values)
  }

  /// Two bins of a column, and how much of a number belongs to the second.
  private struct Code {
    var first: UInt64
    var second: UInt64
    var share: Float
  }

  private func append(
    _ row: [Double], to features: inout [UInt32], _ values: inout [Float]
  ) {
    precondition(
      row.count == columns.count, "A row has \(columns.count) numbers; got \(row.count).")
    withUnsafeTemporaryAllocation(of: Code.self, capacity: max(row.count, 1)) { codes in
      for index in row.indices {
        codes[index] = Self.code(of: row[index], columns[index].bins)
      }
      features.append(place(0, field: 0))
      if hasParts { values.append(1) }
      for (field, cross) in fields.enumerated() {
        let isCross = cross.count > 1
        var combinations = 1
        for column in cross { combinations *= columns[column].bins.parts }
        for combination in 0..<combinations {
          var (hash, value, choice) = (UInt64(0), Float(1), combination)
          for column in cross {
            let code = codes[column]
            var bin = code.first
            if columns[column].bins.parts > 1 {
              let isSecond = choice & 1 == 1
              choice >>= 1
              value *= isSecond ? code.share : 1 - code.share
              if isSecond { bin = code.second }
            }
            hash = isCross ? Self.mix(hash ^ bin) : bin
          }
          features.append(place(hash, field: UInt64(field) + 1))
          if hasParts { values.append(value) }
        }
      }
    }
  }

  /// 0 for what is not known; then the bins.
  @inline(__always)
  private static func code(of value: Double, _ bins: Bins) -> Code {
    guard !value.isNaN else { return Code(first: 0, second: 0, share: 0) }
    switch bins {
    case .category:
      return Code(first: (value.rounded(.down) + 0).bitPattern | 1, second: 0, share: 0)
    case .edges(let edges):
      var bin = 0
      while bin < edges.count, edges[bin] < value { bin += 1 }
      return Code(first: UInt64(bin) + 1, second: 0, share: 0)
    case .knots(let knots):
      var last = 1
      while last < knots.count - 1, knots[last] < value { last += 1 }
      let share = (value - knots[last - 1]) / (knots[last] - knots[last - 1])
      return Code(
        first: UInt64(last), second: UInt64(last) + 1, share: Float(share.clamped(to: 0...1)))
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
