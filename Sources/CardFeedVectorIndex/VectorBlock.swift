internal import CVectorScan

/// The vectors of some consecutive rows in one piece of memory.
///
/// Written only by the index that holds it alone; shared blocks are copied first.
final class VectorBlock: @unchecked Sendable {
  // Safe to share: an index writes to a block only while it holds the one reference to it.

  /// Where things are: what all blocks of an index have in common.
  struct Shape: Sendable {
    let dimension: Int
    let hasCodes: Bool
    let hasSquares: Bool

    /// Floats of a row.
    var stride: Int { (dimension + 15) / 16 * 16 }
    /// Codes of a row.
    var codeStride: Int { hasCodes ? (dimension + 63) / 64 * 64 : 0 }

    /// Memory for the codes of some full blocks.
    func makeRegion() -> CodeRegion? {
      hasCodes ? CodeRegion(slotSize: codeStride * VectorBlock.fullCapacity) : nil
    }
  }

  /// Rows of a full block: few enough that a copy costs little beside a search, and enough that the
  /// codes are long runs of memory.
  static let fullCapacity = 4096

  let shape: Shape
  let capacity: Int
  private(set) var count = 0
  /// A bit for each row that has a vector.
  private(set) var present: [UInt64]
  /// How many of them.
  private(set) var presentCount = 0
  private let vectors: UnsafeMutablePointer<Float>
  private let codes: UnsafeMutablePointer<Int8>
  /// Whose memory the codes lie in, if not in their own.
  private let region: CodeRegion?
  private let scales: UnsafeMutablePointer<Float>
  private let squares: UnsafeMutablePointer<Float>
  /// The greatest of all that were written, so that they stay bounds when rows are overwritten.
  private var codeLength: Float = 0
  private var errorLength: Float = 0

  /// - Parameter region: Where the codes of a full block may lie.
  init(_ shape: Shape, capacity: Int, in region: CodeRegion? = nil) {
    self.shape = shape
    self.capacity = capacity
    present = Array(repeating: 0, count: (capacity + 63) / 64)
    vectors = Self.allocate(capacity * shape.stride, 0)
    if let slot = region?.take() {
      slot.initialize(repeating: 0, count: capacity * shape.codeStride)
      codes = slot
      self.region = region
    } else {
      codes = Self.allocate(capacity * shape.codeStride, 0)
      self.region = nil
    }
    scales = Self.allocate(shape.hasCodes ? capacity : 0, 0)
    squares = Self.allocate(shape.hasSquares ? capacity : 0, 0)
  }

  deinit {
    vectors.deallocate()
    if region == nil { codes.deallocate() }
    scales.deallocate()
    squares.deallocate()
  }

  /// Zeros at the border of a page, so that no row of codes lies in two lines of the cache.
  private static func allocate<Number>(
    _ count: Int, _ zero: Number
  ) -> UnsafeMutablePointer<Number> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, count) * MemoryLayout<Number>.stride, alignment: 4096)
    let numbers = memory.bindMemory(to: Number.self, capacity: max(1, count))
    numbers.initialize(repeating: zero, count: max(1, count))
    return numbers
  }

  /// The same rows in memory of their own.
  func copy(capacity: Int) -> VectorBlock {
    let copy = VectorBlock(shape, capacity: capacity)
    copy.vectors.update(from: vectors, count: count * shape.stride)
    copy.codes.update(from: codes, count: count * shape.codeStride)
    if shape.hasCodes { copy.scales.update(from: scales, count: count) }
    if shape.hasSquares { copy.squares.update(from: squares, count: count) }
    copy.count = count
    for (place, word) in present.enumerated() where word != 0 { copy.present[place] = word }
    copy.presentCount = presentCount
    copy.codeLength = codeLength
    copy.errorLength = errorLength
    return copy
  }

  var isInRegion: Bool { region != nil }

  func hasVector(_ row: Int) -> Bool { present[row / 64] >> UInt64(row % 64) & 1 == 1 }

  /// The numbers of a row, without the padding.
  func vector(_ row: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: vectors + row * shape.stride, count: shape.dimension)
  }

  /// The numbers of a row, with the padding.
  func padded(_ row: Int) -> UnsafePointer<Float> { UnsafePointer(vectors + row * shape.stride) }

  /// The codes of a row, with the padding, their scale, and the squared length of the vector where
  /// the index keeps it.
  func encoded(_ row: Int) -> (codes: UnsafePointer<Int8>, scale: Float, square: Float) {
    (
      UnsafePointer(codes + row * shape.codeStride), scales[row],
      shape.hasSquares ? squares[row] : 0
    )
  }

  func appendMissing() { count += 1 }

  /// Writes a vector of the right length, whose components times `factor` are kept.
  func set(_ vector: Span<Float>, times factor: Float, at row: Int) {
    let start = vectors + row * shape.stride
    var square: Double = 0
    for place in 0..<shape.dimension {
      let value = vector[place] * factor
      start[place] = value
      square += Double(value) * Double(value)
    }
    if shape.hasSquares { squares[row] = Float(square) }
    if shape.hasCodes {
      var length: Float = 0
      var error: Float = 0
      var sum: Int32 = 0
      scales[row] = cardfeed_vector_encode(
        start, UInt32(shape.stride), UInt32(shape.codeStride), codes + row * shape.codeStride,
        &length, &error, &sum)
      codeLength = max(codeLength, length)
      errorLength = max(errorLength, error)
    }
    if !hasVector(row) { presentCount += 1 }
    present[row / 64] |= 1 << UInt64(row % 64)
  }

  func remove(_ row: Int) {
    if hasVector(row) { presentCount -= 1 }
    present[row / 64] &= ~(1 << UInt64(row % 64))
  }

  /// Takes the best of its rows; `kept` has a bit for each that may be, nil is all of them.
  func scan(
    _ query: PreparedQuery, kept: [UInt64]?, first: Int, kernel: VectorKernel,
    into best: inout BestRows
  ) {
    var block = cardfeed_vector_block(
      vectors: vectors, codes: shape.hasCodes ? codes : nil,
      scales: shape.hasCodes ? scales : nil, squares: shape.hasSquares ? squares : nil,
      code_length: codeLength, error_length: errorLength, rows: UInt32(count),
      stride: UInt32(shape.stride), code_stride: UInt32(shape.codeStride))
    query.withQuery { wanted in
      best.withRows { rows in
        guard let kept else {
          return cardfeed_vector_scan(kernel.code, &block, wanted, nil, UInt32(first), &rows)
        }
        kept.withUnsafeBufferPointer { words in
          cardfeed_vector_scan(
            kernel.code, &block, wanted, words.baseAddress, UInt32(first), &rows)
        }
      }
    }
  }
}
