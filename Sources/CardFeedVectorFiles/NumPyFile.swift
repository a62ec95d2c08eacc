internal import Glibc

/// A file of one array as NumPy writes it (`.npy`, versions 1 and 2), mapped into memory.
///
/// Nothing is read until it is asked for, so a file of any size opens at once. Only what models need can
/// be read: whole numbers of 64 bits and floats of 32 bits, least significant byte first, row after
/// row. The format is described in NumPy's `numpy.lib.format`.
///
/// Immutable; safe to use from many tasks at once. The file must not be written to while it is open:
/// replace files, never change them.
public final class NumPyFile: @unchecked Sendable {
  /// What the elements are.
  public enum Element: String, Sendable {
    /// `Int64`.
    case int64 = "<i8"
    /// `Float`.
    case float32 = "<f4"

    /// How many bytes one takes.
    public var byteCount: Int { self == .int64 ? 8 : 4 }
  }

  /// What the elements are.
  public let element: Element
  /// How many there are along each axis.
  public let shape: [Int]

  // Mapped read-only and unmapped by the last reference only, so it can be read from anywhere.
  private let mapping: UnsafeRawBufferPointer
  private let offset: Int

  /// Maps a file.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``VectorFileError``: it cannot be read, is no such array, or has another size than its
  ///   header says.
  public init(path: String) throws(VectorFileError) {
    let mapping = try Self.map(path)
    do throws(VectorFileError) {
      let header = try NumPyHeader(mapping, path: path)
      let count = try header.elementCount(path: path)
      let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: header.element.byteCount)
      guard !isTooMuch, bytes == mapping.count - header.offset else {
        throw VectorFileError(
          path, "the header promises \(count) elements of \(header.element.byteCount) bytes",
          found: "\(mapping.count - header.offset) bytes of elements",
          allowed: "a file that was copied whole")
      }
      self.mapping = mapping
      element = header.element
      shape = header.shape
      offset = header.offset
    } catch {
      munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count)
      throw error
    }
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count) }

  private static func map(_ path: String) throws(VectorFileError) -> UnsafeRawBufferPointer {
    func refuse(_ found: String) -> VectorFileError {
      VectorFileError(
        path, "the file cannot be mapped", found: found, allowed: "a readable file with content")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refuse(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw refuse(String(cString: strerror(errno))) }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else {
      throw refuse(facts.st_size == 0 ? "an empty file" : "no regular file")
    }
    let address = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw refuse(String(cString: strerror(errno))) }
    return UnsafeRawBufferPointer(start: address, count: Int(facts.st_size))
  }

  /// The elements, if they are whole numbers. Must not be kept beyond `body`.
  func withInt64s<Result>(_ body: (UnsafeBufferPointer<Int64>) throws -> Result) rethrows -> Result
  {
    precondition(element == .int64, "An array of floats was read as whole numbers.")
    return try body(elements(of: Int64.self))
  }

  /// The elements, if they are floats. Must not be kept beyond `body`.
  func withFloats<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result
  {
    precondition(element == .float32, "An array of whole numbers was read as floats.")
    return try body(elements(of: Float.self))
  }

  private func elements<T>(of type: T.Type) -> UnsafeBufferPointer<T> {
    // The header ends at a multiple of 16 bytes, which is checked, and a mapping begins at a page, so
    // elements are aligned; their number follows from the checked size.
    UnsafeRawBufferPointer(rebasing: mapping[offset...]).bindMemory(to: type)
  }
}

/// What stands before the elements.
private struct NumPyHeader {
  let element: NumPyFile.Element
  let shape: [Int]
  /// Where the elements begin.
  let offset: Int

  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(VectorFileError) {
    func refuse(_ reason: String, _ found: String, _ allowed: String) -> VectorFileError {
      VectorFileError(path, reason, found: found, allowed: allowed)
    }
    let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
    guard bytes.count >= 12, bytes.prefix(6).elementsEqual(magic) else {
      throw refuse("the file is no array of NumPy", "other bytes at its beginning", "an .npy file")
    }
    let version = bytes[6]
    guard version == 1 || version == 2 else {
      throw refuse("the version cannot be read", "version \(version)", "version 1 or 2")
    }
    let start = version == 1 ? 10 : 12
    let length =
      version == 1
      ? Int(bytes[8]) | Int(bytes[9]) << 8
      : (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    guard length <= 4096, start + length <= bytes.count, (start + length) % 16 == 0 else {
      throw refuse(
        "the header is damaged", "a header of \(length) bytes",
        "a header that ends at a multiple of 16 bytes")
    }
    let text = String(decoding: bytes[start..<start + length], as: UTF8.self)
    guard let kind = Self.value("'descr':", in: text).flatMap({ Self.quoted($0) }),
      let element = NumPyFile.Element(rawValue: kind)
    else {
      throw refuse(
        "the elements cannot be read", "another type", "'<i8' for identities, '<f4' for vectors")
    }
    guard Self.value("'fortran_order':", in: text)?.hasPrefix("False") ?? false else {
      throw refuse("the array lies column after column", "fortran_order", "row after row")
    }
    guard let written = Self.value("'shape':", in: text), written.first == "(",
      let end = written.firstIndex(of: ")")
    else { throw refuse("the header has no shape", "something else", "a shape such as (10, 64)") }
    let numbers = written[written.index(after: written.startIndex)..<end]
      .split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    let shape = numbers.compactMap { Int($0) }
    guard shape.count == numbers.count, (1...2).contains(shape.count),
      shape.allSatisfy({ $0 >= 0 })
    else {
      throw refuse("the shape cannot be read", "\(numbers.count) axes", "one axis or two")
    }
    self.element = element
    self.shape = shape
    offset = start + length
  }

  func elementCount(path: String) throws(VectorFileError) -> Int {
    var count = 1
    for axis in shape {
      let (product, isTooMuch) = count.multipliedReportingOverflow(by: axis)
      guard !isTooMuch else {
        throw VectorFileError(
          path, "the header promises more elements than there can be",
          found: "a shape that overflows",
          allowed: "fewer than 2⁶³ elements")
      }
      count = product
    }
    return count
  }

  /// What follows a key, without blanks before it.
  private static func value(_ key: String, in text: String) -> Substring? {
    guard let place = text.firstRange(of: key) else { return nil }
    return text[place.upperBound...].drop { $0 == " " }
  }

  private static func quoted(_ text: Substring) -> String? {
    guard text.first == "'", let end = text.dropFirst().firstIndex(of: "'") else { return nil }
    return String(text.dropFirst()[..<end])
  }
}
