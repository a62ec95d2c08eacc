/// Numbers of a file in the format of NumPy, versions 1 to 3: little-endian floats of four or eight
/// bytes, row after row.
///
/// Source of the format: NumPy Enhancement Proposal 1.
struct NumberArray: Sendable, Equatable {
  /// Rows, then columns, and so on; empty for a single number.
  let shape: [Int]
  let values: [Double]

  /// Reads a file; nothing else than a plain array of floats is taken.
  init(bytes: [UInt8], file: String) throws(DataProblem) {
    func problem(_ found: String) -> DataProblem {
      DataProblem(
        file: file, reason: "the file is no array of numbers", found: found,
        allowed: "a .npy file of little-endian floats, '<f4' or '<f8', in C order")
    }
    let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
    guard bytes.count >= 10, bytes.starts(with: magic), (1...3).contains(bytes[6]) else {
      throw problem("other bytes at its start")
    }
    let isLong = bytes[6] > 1
    var length = Int(bytes[8]) | Int(bytes[9]) << 8
    let start = isLong ? 12 : 10
    if isLong, bytes.count >= 12 { length |= Int(bytes[10]) << 16 | Int(bytes[11]) << 24 }
    guard bytes.count >= start + length else { throw problem("a header that ends early") }
    let header = String(decoding: bytes[start..<start + length], as: UTF8.self)
    guard !header.contains("'fortran_order': True") else { throw problem("Fortran order") }
    let size: Int
    if header.contains("'<f4'") {
      size = 4
    } else if header.contains("'<f8'") {
      size = 8
    } else {
      throw problem("another kind of numbers")
    }
    guard let open = header.firstIndex(of: "("), let close = header.firstIndex(of: ")") else {
      throw problem("no shape")
    }
    let parts = header[header.index(after: open)..<close].split(separator: ",")
      .map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    let shape = parts.compactMap { Int($0) }
    guard shape.count == parts.count, shape.allSatisfy({ (0...1_000_000_000).contains($0) }) else {
      throw problem("a shape that cannot be read")
    }
    let body = bytes[(start + length)...]
    let (count, isOver) = shape.reduce((1, false)) { product, side in
      let (next, over) = product.0.multipliedReportingOverflow(by: side)
      return (next, product.1 || over)
    }
    guard !isOver, body.count == count * size else {
      throw problem("\(body.count) bytes behind the header of \(parts.joined(separator: " × "))")
    }
    self.shape = shape
    values = body.withUnsafeBytes { raw in
      (0..<count).map { index in
        size == 4
          ? Double(
            Float(
              bitPattern: UInt32(
                littleEndian: raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))))
          : Double(
            bitPattern: UInt64(
              littleEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
      }
    }
  }
}
