internal import CardFeedExperiments

/// An array as NumPy writes it, versions 1 to 3: row after row, floats of four bytes or single bytes.
struct PeerArray {
  /// What is wrong with a file of inputs.
  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private let path: String
  private let header: String
  private let bytes: ArraySlice<UInt8>

  init(path: String) throws {
    self.path = path
    let whole = try FileSystem.read(path)
    guard whole.count >= 12, whole.starts(with: [0x93] + Array("NUMPY".utf8)) else {
      throw Problem("'\(path)' is no array as NumPy writes it (.npy)")
    }
    let isShort = whole[6] == 1
    let length = (8..<(isShort ? 10 : 12)).reversed().reduce(0) { $0 << 8 | Int(whole[$1]) }
    let start = (isShort ? 10 : 12) + length
    guard start <= whole.count else { throw Problem("the header of '\(path)' was cut off") }
    header = String(decoding: whole[(isShort ? 10 : 12)..<start], as: UTF8.self)
    bytes = whole[start...]
    guard header.contains("'fortran_order': False") else {
      throw Problem("the numbers in '\(path)' do not lie row after row; allowed: C order")
    }
  }

  /// What stands between the parentheses of the shape.
  private var shape: [Int] {
    guard let from = header.firstRange(of: "'shape': (")?.upperBound,
      let to = header[from...].firstIndex(of: ")")
    else { return [] }
    return header[from..<to].split(separator: ",").compactMap {
      Int($0.filter { $0 != " " })
    }
  }

  /// An array of vectors in single precision.
  func vectors() throws -> VectorSearchSpeed.Vectors {
    let shape = shape
    guard header.contains("'descr': '<f4'"), shape.count == 2, shape[1] > 0, shape[0] >= 0,
      bytes.count % (4 * shape[1]) == 0, bytes.count / (4 * shape[1]) == shape[0]
    else {
      throw Problem("'\(path)' holds no vectors; allowed: two axes of floats ('<f4')")
    }
    let values = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
      }
    }
    return VectorSearchSpeed.Vectors(values, dimension: shape[1])
  }

  /// An array of yes and no.
  func bools() throws -> [Bool] {
    guard header.contains("'|u1'") || header.contains("'|b1'"), shape == [bytes.count] else {
      throw Problem("'\(path)' holds no yes and no; allowed: one axis of single bytes ('|u1')")
    }
    return bytes.map { $0 != 0 }
  }
}
