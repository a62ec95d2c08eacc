/// Why bytes are no model.
public struct ModelImageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, what was found and what is allowed.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The frame of a model's bytes: a magic line, a version, numbers, and a CRC-32C of all of it, four
/// bytes with the least significant first (Castagnoli, Bräuer, Herrmann 1993, as in RFC 3720).
struct ModelImage {
  private(set) var bytes: [UInt8]

  init(magic: String, version: UInt32) {
    bytes = Array((magic + "\n").utf8)
    append(version)
  }

  mutating func append(_ value: UInt32) {
    for shift in [UInt32(0), 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func append(_ value: Double) {
    let pattern = value.bitPattern
    append(UInt32(truncatingIfNeeded: pattern))
    append(UInt32(truncatingIfNeeded: pattern >> 32))
  }

  var sealed: [UInt8] {
    var image = self
    image.append(Self.checksum(of: bytes[...]))
    return image.bytes
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 1 ? rest >> 1 ^ 0x82f6_3b78 : rest >> 1
    }
  }

  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}

/// Reads what `ModelImage` framed. Every read is checked.
struct ModelImageReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ image: [UInt8], magic: String, version: UInt32) throws(ModelImageError) {
    let line = Array((magic + "\n").utf8)
    guard image.starts(with: line), image.count >= line.count + 8 else {
      throw ModelImageError(
        "the bytes are no model of this kind: they do not begin with \"\(magic)\"")
    }
    bytes = image.dropLast(4)
    place = line.count
    // Before the checksum: another version may have another one.
    let found = try integer()
    guard found == version else {
      throw ModelImageError(
        "the model has version \(found) of \"\(magic)\"; version \(version) is read here. Train "
          + "again, or read it with the program that wrote it")
    }
    var end = 0 as UInt32
    for (index, byte) in image.suffix(4).enumerated() { end |= UInt32(byte) << (8 * index) }
    guard end == ModelImage.checksum(of: bytes) else {
      throw ModelImageError(
        "the model is damaged: its checksum does not fit its bytes. Copy it again, or train again")
    }
  }

  var remaining: Int { bytes.endIndex - place }

  mutating func integer() throws(ModelImageError) -> UInt32 {
    guard remaining >= 4 else {
      throw ModelImageError("the model is damaged: it ends early, at byte \(place)")
    }
    defer { place += 4 }
    var value = 0 as UInt32
    for index in 0..<4 { value |= UInt32(bytes[place + index]) << (8 * index) }
    return value
  }

  mutating func number() throws(ModelImageError) -> Double {
    let low = UInt64(try integer())
    let value = Double(bitPattern: low | UInt64(try integer()) << 32)
    guard value.isFinite else {
      throw ModelImageError("the model is damaged: a number before byte \(place) is not finite")
    }
    return value
  }
}
