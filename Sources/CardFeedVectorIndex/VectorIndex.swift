/// The nearest of many vectors, exactly: a scan, but one that reads a quarter of the memory.
///
/// Vectors are kept in single precision and, unless switched off, as one byte for each component
/// with a scale for each vector. A search scans the bytes. They give an upper bound of each score,
/// from the lengths of the rounding errors (Cauchy and Schwarz), and only rows whose bound reaches
/// the worst of the best so far are computed in full: a few hundred of a million. The answer is the
/// exact one, in one order: the greater score first, of equal scores the lower row. Filters apply
/// inside the scan, so that a search among few rows is short and never comes back with too few.
///
/// It is a value. Rows lie in blocks that copies share, and a change copies the one block it meets:
/// readers keep a copy and search it while a writer changes the next one.
///
/// When not to use it: beyond some hundred thousand vectors, if a search that finds 95 to 99 % of the
/// nearest is enough, a graph answers sooner. Deliberately absent: approximate answers.
public struct VectorIndex: Sendable {
  /// How many components a vector has.
  public let dimension: Int
  /// What makes vectors near.
  public let metric: VectorMetric
  let shape: VectorBlock.Shape
  var kernel = VectorKernel.best
  /// All full but the last.
  var blocks: [VectorBlock] = []
  /// Where the codes of the next full blocks lie.
  private var region: CodeRegion?

  /// An index without rows.
  ///
  /// - Parameters:
  ///   - dimension: How many components a vector has, 1 … 32,768.
  ///   - metric: What makes vectors near.
  ///   - hasCodes: Whether vectors are also kept as bytes, for a quarter more of memory: searches
  ///     that read from memory are three to four times as fast, with the same answers.
  public init(dimension: Int, metric: VectorMetric, hasCodes: Bool = true) {
    precondition(
      (1...32_768).contains(dimension),
      "A vector has 1 to 32,768 components; got \(dimension).")
    self.dimension = dimension
    self.metric = metric
    shape = VectorBlock.Shape(
      dimension: dimension, hasCodes: hasCodes, hasSquares: metric == .euclidean)
  }

  /// How many rows there are, those without a vector included. O(1).
  public var count: Int {
    guard let last = blocks.last else { return 0 }
    return (blocks.count - 1) * VectorBlock.fullCapacity + last.count
  }

  /// How many rows have a vector. O(blocks).
  public var vectorCount: Int { blocks.reduce(0) { $0 + $1.presentCount } }

  /// Whether a row has a vector. O(1).
  public func hasVector(at row: Int) -> Bool {
    checkRow(row)
    return blocks[row / VectorBlock.fullCapacity].hasVector(row % VectorBlock.fullCapacity)
  }

  /// The vector of a row as it is kept, with length 1 for the metric cosine; nil if it has none.
  /// O(dimension).
  public func vector(at row: Int) -> [Float]? {
    guard hasVector(at: row) else { return nil }
    return Array(blocks[row / VectorBlock.fullCapacity].vector(row % VectorBlock.fullCapacity))
  }

  /// Adds a row. O(dimension), amortised.
  ///
  /// - Parameter vector: Its vector, or nil for a row that no search finds.
  /// - Throws: `VectorError` for a vector that is not fit; the row is not added then.
  public mutating func append(_ vector: [Float]?) throws(VectorError) {
    guard let vector else { return appendMissing() }
    try append(rows: vector.span)
  }

  /// Adds rows. O(numbers).
  ///
  /// - Parameter rows: The components of all vectors, one vector after the other.
  /// - Throws: `VectorError` for the first vector that is not fit; those before it are added.
  public mutating func append(rows: Span<Float>) throws(VectorError) {
    guard rows.count % dimension == 0, rows.count > 0 else {
      throw .wrongLength(rows.count, expected: dimension, of: "what is added")
    }
    for start in stride(from: 0, to: rows.count, by: dimension) {
      let vector = rows.extracting(start..<start + dimension)
      let factor = try factor(of: vector, "the vector for row", count)
      let row = appendRow()
      blocks[blocks.count - 1].set(vector, times: factor, at: row)
    }
  }

  /// Adds a row without a vector, which no search finds. O(1), amortised.
  public mutating func appendMissing() { _ = appendRow() }

  /// Gives a row another vector. O(dimension), and a copy of the block if another value shares it.
  ///
  /// - Parameters:
  ///   - vector: As many components as `dimension`, finite.
  ///   - row: Below `count`.
  /// - Throws: `VectorError` for a vector that is not fit; the row stays as it is then.
  public mutating func set(_ vector: Span<Float>, at row: Int) throws(VectorError) {
    checkRow(row)
    guard vector.count == dimension else {
      throw .wrongLength(vector.count, expected: dimension, of: "the vector for row \(row)")
    }
    let factor = try factor(of: vector, "the vector for row", row)
    own(row / VectorBlock.fullCapacity)
    blocks[row / VectorBlock.fullCapacity].set(
      vector, times: factor, at: row % VectorBlock.fullCapacity)
  }

  /// The same of an array.
  public mutating func set(_ vector: [Float], at row: Int) throws(VectorError) {
    try set(vector.span, at: row)
  }

  /// Takes the vector of a row away; the row stays, and no search finds it. O(1), and a copy of the
  /// block if another value shares it.
  public mutating func remove(at row: Int) {
    guard hasVector(at: row) else { return }
    own(row / VectorBlock.fullCapacity)
    blocks[row / VectorBlock.fullCapacity].remove(row % VectorBlock.fullCapacity)
  }

  func checkRow(_ row: Int) {
    precondition(
      row >= 0 && row < count, "The index has \(count) rows; there is no row \(row).")
  }

  /// Makes sure that this value alone holds a block.
  private mutating func own(_ block: Int) {
    if !isKnownUniquelyReferenced(&blocks[block]) {
      blocks[block] = blocks[block].copy(capacity: blocks[block].capacity)
    }
  }

  /// Makes room for a row at the end; returns its place in the last block.
  private mutating func appendRow() -> Int {
    if blocks.last.map({ $0.count == VectorBlock.fullCapacity }) ?? true {
      // A small index stays small; once there is a full block the next ones will fill too.
      if blocks.isEmpty {
        blocks.append(VectorBlock(shape, capacity: 64))
      } else {
        blocks.append(makeFullBlock())
      }
    }
    let last = blocks.count - 1
    if blocks[last].count == blocks[last].capacity {
      let capacity = min(blocks[last].capacity * 2, VectorBlock.fullCapacity)
      blocks[last] = blocks[last].copy(capacity: capacity)
    } else {
      own(last)
    }
    blocks[last].appendMissing()
    return blocks[last].count - 1
  }

  /// A full block without rows, with its codes in the region, or in the next one when that is full.
  private mutating func makeFullBlock() -> VectorBlock {
    let block = VectorBlock(shape, capacity: VectorBlock.fullCapacity, in: region)
    guard shape.hasCodes, !block.isInRegion else { return block }
    region = shape.makeRegion()
    return VectorBlock(shape, capacity: VectorBlock.fullCapacity, in: region)
  }
}
