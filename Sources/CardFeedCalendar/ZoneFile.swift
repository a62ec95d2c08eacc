/// Reads the bytes of a TZif file, version 2 or later (RFC 8536).
struct ZoneFile {
  /// Why bytes are no zone that can be used.
  enum Fault: Error, Hashable {
    case notAZone
    case versionOne
    case leapSeconds
    case damaged
  }

  private struct Header {
    var version: UInt8
    var universalFlags: Int
    var standardFlags: Int
    var leapSeconds: Int
    var changes: Int
    var types: Int
    var nameBytes: Int

    /// The bytes of the block after the header.
    func length(ofTimes width: Int) -> Int {
      changes * (width + 1) + types * 6 + nameBytes + leapSeconds * (width + 4) + standardFlags
        + universalFlags
    }
  }

  private static let headerLength = 44
  /// More than any zone has; keeps a hostile header from asking for more than the file holds.
  private static let most = 1_000_000

  private let bytes: [UInt8]
  private var place = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The rules in a file.
  ///
  /// The first block is for readers of 32-bit times and is skipped; the second one and the rule
  /// after it count.
  static func rules(name: String, _ bytes: [UInt8]) throws(Fault) -> ZoneRules {
    var file = ZoneFile(bytes)
    let first = try file.header()
    guard first.version >= 2 else { throw .versionOne }
    try file.skip(first.length(ofTimes: 4))
    let header = try file.header()
    guard header.leapSeconds == 0 else { throw .leapSeconds }
    return try file.rules(name: name, header)
  }

  private mutating func header() throws(Fault) -> Header {
    guard bytes.count - place >= Self.headerLength,
      bytes[place..<(place + 4)].elementsEqual("TZif".utf8)
    else { throw .notAZone }
    let version = bytes[place + 4]
    place += 20
    let header = Header(
      // "2" is 50; a file of version 1 has 0 there.
      version: version == 0 ? 1 : version &- 48, universalFlags: try count(),
      standardFlags: try count(), leapSeconds: try count(), changes: try count(),
      types: try count(), nameBytes: try count())
    guard header.types > 0 else { throw .damaged }
    return header
  }

  private mutating func rules(name: String, _ header: Header) throws(Fault) -> ZoneRules {
    guard bytes.count - place >= header.length(ofTimes: 8) else { throw .damaged }
    var times: [Int64] = []
    for _ in 0..<header.changes { times.append(try integer(bytes: 8)) }
    var types: [Int] = []
    for _ in 0..<header.changes { types.append(Int(try integer(bytes: 1) & 0xFF)) }
    var offsets: [Int64] = []
    for _ in 0..<header.types {
      let offset = try integer(bytes: 4)
      guard abs(offset) <= ZoneRules.farthestOffset else { throw .damaged }
      offsets.append(offset)
      try skip(2)
    }
    guard types.allSatisfy(offsets.indices.contains),
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw .damaged }
    try skip(header.nameBytes + header.standardFlags + header.universalFlags)
    return ZoneRules(
      name: name, firstOffset: offsets[0],
      changes: zip(times, types).map { ZoneRules.Change(time: $0, offset: offsets[$1]) },
      recurring: try footer())
  }

  /// The rule between the last two line feeds; nil when there is none between them.
  private mutating func footer() throws(Fault) -> RecurringRule? {
    let newline = UInt8(ascii: "\n")
    guard place < bytes.count, bytes[place] == newline,
      let end = bytes[(place + 1)...].firstIndex(of: newline)
    else { throw .damaged }
    let text = bytes[(place + 1)..<end]
    guard !text.isEmpty else { return nil }
    guard let rule = RecurringRule(text) else { throw .damaged }
    return rule
  }

  private mutating func count() throws(Fault) -> Int {
    let count = try integer(bytes: 4)
    guard (0...Int64(Self.most)).contains(count) else { throw .damaged }
    return Int(count)
  }

  /// A signed number, most significant byte first.
  private mutating func integer(bytes count: Int) throws(Fault) -> Int64 {
    guard bytes.count - place >= count else { throw .damaged }
    var bits: UInt64 = 0
    for byte in bytes[place..<(place + count)] { bits = bits << 8 | UInt64(byte) }
    place += count
    let unused = UInt64(64 - 8 * count)
    return Int64(bitPattern: bits << unused) >> Int64(unused)
  }

  private mutating func skip(_ count: Int) throws(Fault) {
    guard bytes.count - place >= count else { throw .damaged }
    place += count
  }
}
