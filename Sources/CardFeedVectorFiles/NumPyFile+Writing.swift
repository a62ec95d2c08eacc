extension NumPyFile {
  /// The bytes of a file with whole numbers along one axis. O(n).
  public static func bytes(of numbers: [Int64]) -> [UInt8] {
    header(.int64, shape: "(\(numbers.count),)")
      + numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  /// The bytes of a file with vectors, row after row. O(n).
  ///
  /// - Parameters:
  ///   - floats: The numbers of all vectors.
  ///   - columns: How many each has, 1 or more.
  public static func bytes(of floats: [Float], columns: Int) -> [UInt8] {
    precondition(
      columns > 0 && floats.count % columns == 0,
      "\(floats.count) numbers are no whole vectors of \(columns).")
    return header(.float32, shape: "(\(floats.count / columns), \(columns))")
      + floats.flatMap { float in
        (0..<4).map { UInt8(truncatingIfNeeded: float.bitPattern >> (8 * $0)) }
      }
  }

  /// A header of version 1 that ends at a multiple of 64 bytes, as NumPy writes it.
  private static func header(_ element: Element, shape: String) -> [UInt8] {
    var text = "{'descr': '\(element.rawValue)', 'fortran_order': False, 'shape': \(shape), }"
    let rest = (10 + text.utf8.count + 1) % 64
    text += String(repeating: " ", count: rest == 0 ? 0 : 64 - rest) + "\n"
    let length = text.utf8.count
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xff), UInt8(length >> 8)]
      + Array(text.utf8)
  }
}
