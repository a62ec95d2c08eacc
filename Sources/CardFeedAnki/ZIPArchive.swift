/// The part of ZIP archives (PKWARE's application note, without ZIP64 and encryption) that packages of
/// Anki need: files stored or compressed by DEFLATE are read, files are written stored.
struct ZIPArchive {
  private struct Entry {
    let method: Int
    let checksum: UInt32
    let packed: Int
    let unpacked: Int
    let offset: Int
  }

  private let bytes: [UInt8]
  private let entries: [String: Entry]

  /// The names of the files.
  var names: Set<String> { Set(entries.keys) }

  /// Reads the list of files, which stands at the end; nil where it is damaged or missing.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    // The last record has 22 bytes and a comment of at most 65,535.
    let earliest = max(0, bytes.count - 22 - 0xffff)
    guard bytes.count >= 22,
      let end = stride(from: bytes.count - 22, through: earliest, by: -1).first(where: {
        Self.number(bytes, $0, 4) == 0x0605_4b50
      }),
      let count = Self.number(bytes, end + 10, 2), var place = Self.number(bytes, end + 16, 4)
    else { return nil }
    var entries: [String: Entry] = [:]
    for _ in 0..<count {
      guard Self.number(bytes, place, 4) == 0x0201_4b50,
        let method = Self.number(bytes, place + 10, 2),
        let checksum = Self.number(bytes, place + 16, 4),
        let packed = Self.number(bytes, place + 20, 4),
        let unpacked = Self.number(bytes, place + 24, 4),
        let nameLength = Self.number(bytes, place + 28, 2),
        let extra = Self.number(bytes, place + 30, 2),
        let comment = Self.number(bytes, place + 32, 2),
        let offset = Self.number(bytes, place + 42, 4), place + 46 + nameLength <= bytes.count
      else { return nil }
      let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
      entries[name] = Entry(
        method: method, checksum: UInt32(checksum), packed: packed, unpacked: unpacked,
        offset: offset)
      place += 46 + nameLength + extra + comment
    }
    self.entries = entries
  }

  /// The content of a file; nil where there is none of this name, or it is damaged.
  func file(_ name: String) -> [UInt8]? {
    guard let entry = entries[name], Self.number(bytes, entry.offset, 4) == 0x0403_4b50,
      let nameLength = Self.number(bytes, entry.offset + 26, 2),
      let extra = Self.number(bytes, entry.offset + 28, 2)
    else { return nil }
    let start = entry.offset + 30 + nameLength + extra
    guard start + entry.packed <= bytes.count else { return nil }
    let packed = bytes[start..<start + entry.packed]
    let content: [UInt8]? =
      switch entry.method {
      case 0: entry.packed == entry.unpacked ? Array(packed) : nil
      case 8: Inflate.bytes(of: packed, count: entry.unpacked)
      default: nil
      }
    guard let content, Self.checksum(of: content) == entry.checksum else { return nil }
    return content
  }

  /// An archive of stored files, below 4 GiB in all.
  static func bytes(storing files: [(name: String, content: [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = []
    var list: [UInt8] = []
    for (name, content) in files {
      let offset = bytes.count
      let checksum = Int(checksum(of: content))
      // Version 2.0, no flags, stored, midnight of 1 January 1980: the same files make the same bytes.
      let common = fields([
        (20, 2), (0, 2), (0, 2), (0, 2), (0x21, 2), (checksum, 4), (content.count, 4),
        (content.count, 4), (name.utf8.count, 2), (0, 2),
      ])
      bytes += fields([(0x0403_4b50, 4)])
      bytes += common
      bytes += Array(name.utf8)
      bytes += content
      list += fields([(0x0201_4b50, 4), (20, 2)])
      list += common
      list += fields([(0, 2), (0, 2), (0, 2), (0, 4), (offset, 4)])
      list += Array(name.utf8)
    }
    let start = bytes.count
    bytes += list
    bytes += fields([
      (0x0605_4b50, 4), (0, 4), (files.count, 2), (files.count, 2), (list.count, 4), (start, 4),
      (0, 2),
    ])
    return bytes
  }

  /// Numbers as so many bytes each, the least significant first.
  private static func fields(_ numbers: [(value: Int, count: Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (value, count) in numbers {
      for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    var value = 0
    for index in (0..<count).reversed() { value = value << 8 | Int(bytes[place + index]) }
    return value
  }

  /// CRC-32 (ISO 3309), as the archive keeps it.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    var table: [UInt32] = []
    for start in UInt32(0)..<256 {
      var value = start
      for _ in 0..<8 {
        let isOdd = value & 1 == 1
        value >>= 1
        if isOdd { value ^= 0xedb8_8320 }
      }
      table.append(value)
    }
    var checksum = UInt32.max
    for byte in bytes { checksum = (checksum >> 8) ^ table[Int((checksum ^ UInt32(byte)) & 0xff)] }
    return ~checksum
  }
}
