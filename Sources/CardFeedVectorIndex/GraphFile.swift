#if HNSW
  internal import CVectorScan
  internal import Glibc

  /// The first bytes of a file: what it is and what it holds, in words of eight bytes.
  struct GraphFileHeader {
    let dimension: Int
    let metric: VectorMetric
    let options: VectorGraph.Options
    let rows: Int

    /// "CFGRAPH" and the version of the format.
    static let magic: UInt64 = 0x0148_5041_5247_4643
    static let wordCount = 7

    init(_ index: VectorIndex, _ options: VectorGraph.Options) {
      dimension = index.dimension
      metric = index.metric
      rows = index.count
      self.options = options
    }

    /// Nil when the words are no header.
    init?(_ words: [UInt64]) {
      let metrics = VectorMetric.allCases
      guard words.count == Self.wordCount, words[0] == Self.magic,
        (1...32_768).contains(words[1]), words[2] < metrics.count,
        (2...1000).contains(words[3]), (1...100_000).contains(words[4]),
        let seed = UInt32(exactly: words[5]), words[6] < UInt32.max
      else { return nil }
      dimension = Int(words[1])
      metric = metrics[Int(words[2])]
      var options = VectorGraph.Options()
      options.links = Int(words[3])
      options.effort = Int(words[4])
      options.seed = seed
      self.options = options
      rows = Int(words[6])
    }

    var words: [UInt64] {
      let metrics = VectorMetric.allCases
      return [
        Self.magic, UInt64(dimension), UInt64(metrics.firstIndex(of: metric) ?? 0),
        UInt64(options.links), UInt64(options.effort), UInt64(options.seed), UInt64(rows),
      ]
    }
  }

  /// What stands at the end of a file with these bytes.
  func graphFileChecksum(of bytes: [UInt8]) -> UInt64 { cardfeed_checksum(0, bytes, bytes.count) }

  /// Writes the parts of a file, all of multiples of eight bytes, and carries a checksum along.
  struct GraphFileWriter {
    private let file: UnsafeMutablePointer<FILE>
    private var checksum: UInt64 = 0
    private(set) var hasFailed = false

    init(_ file: UnsafeMutablePointer<FILE>) { self.file = file }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      checksum = cardfeed_checksum(checksum, start, bytes.count)
      if fwrite(start, 1, bytes.count, file) != bytes.count { hasFailed = true }
    }

    mutating func write(_ header: GraphFileHeader) {
      header.words.withUnsafeBytes { write($0) }
    }

    mutating func writeChecksum() {
      withUnsafeBytes(of: checksum) { bytes in
        if fwrite(bytes.baseAddress, 1, bytes.count, file) != bytes.count { hasFailed = true }
      }
    }
  }

  /// Reads the parts of a file back.
  struct GraphFileReader {
    private let path: String
    /// What was not read yet, without the checksum.
    private(set) var rest: UnsafeRawBufferPointer
    private let checksum: UInt64

    init(_ path: String, _ bytes: UnsafeRawBufferPointer) {
      self.path = path
      let end = max(0, bytes.count - 8)
      rest = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      checksum =
        bytes.count < 8 ? 0 : bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    }

    func verifyChecksum() throws(VectorGraphError) {
      guard cardfeed_checksum(0, rest.baseAddress, rest.count) == checksum else {
        throw .damaged(path, "has another checksum than was written")
      }
    }

    mutating func header() throws(VectorGraphError) -> GraphFileHeader {
      guard let header = GraphFileHeader(try words(GraphFileHeader.wordCount)) else {
        throw .damaged(path, "does not begin like a graph of this version")
      }
      return header
    }

    /// The vectors of one block.
    mutating func block(
      _ shape: VectorBlock.Shape, rows: Int
    ) throws(VectorGraphError) -> VectorBlock {
      let present = try words((rows + 63) / 64)
      let numbers = try take(rows * shape.stride * MemoryLayout<Float>.stride)
      let block = VectorBlock(shape, capacity: rows)
      for row in 0..<rows {
        block.appendMissing()
        guard present[row / 64] >> UInt64(row % 64) & 1 == 1 else { continue }
        var square: Double = 0
        let vector = (0..<shape.dimension).map { place in
          let number = numbers.loadUnaligned(
            fromByteOffset: (row * shape.stride + place) * MemoryLayout<Float>.stride,
            as: Float.self)
          square += Double(number) * Double(number)
          return number
        }
        guard square < 1e37 else { throw .damaged(path, "holds a vector that is not fit") }
        block.set(vector.span, times: 1, at: row)
      }
      return block
    }

    private mutating func words(_ count: Int) throws(VectorGraphError) -> [UInt64] {
      let bytes = try take(count * 8)
      return (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }

    private mutating func take(_ count: Int) throws(VectorGraphError) -> UnsafeRawBufferPointer {
      guard count <= rest.count else { throw .damaged(path, "ends too soon") }
      let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      return taken
    }
  }

  extension VectorBlock {
    /// Which rows have vectors, and all vectors with their padding.
    func write(to writer: inout GraphFileWriter) {
      let words = (count + 63) / 64
      present.withUnsafeBytes { writer.write(UnsafeRawBufferPointer(rebasing: $0[..<(words * 8)])) }
      let numbers = UnsafeBufferPointer(start: padded(0), count: count * shape.stride)
      writer.write(UnsafeRawBufferPointer(numbers))
    }
  }

  extension VectorIndex {
    /// Adds a block behind full ones.
    mutating func append(_ block: VectorBlock) {
      blocks.append(
        block.count < VectorBlock.fullCapacity && !blocks.isEmpty
          ? block.copy(capacity: VectorBlock.fullCapacity) : block)
    }
  }
#endif
