import CardFeed
import CardFeedCalendar
import Glibc
import Testing

/// The system's zones, where there are any.
enum SystemZones {
  static let database = ZoneDatabase()
  static let areMissing = (try? database.rules(named: "Europe/Berlin")) == nil
  static let skipped: Comment = "skipped: no time zones on this machine (package tzdata)"
}

func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

/// `2025-03-30T01:00Z`, worked out by hand from the day, the hour and the minute.
func utc(_ day: String, _ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) throws -> Timestamp
{
  let seconds = try date(day).daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second
  return Timestamp(milliseconds: seconds * 1000)
}

/// A folder of its own for the files of one test.
func withFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/cardfeed-zones-XXXXXX".utf8CString)
  let made = template.withUnsafeMutableBufferPointer { buffer in
    buffer.baseAddress.flatMap { mkdtemp($0) } != nil
  }
  try #require(made, "a temporary folder could not be made")
  let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { rmdir(folder) }
  try body(folder)
}

func withZone(
  _ bytes: [UInt8], named name: String = "Zone", _ body: (ZoneDatabase) throws -> Void
) throws {
  try withFolder { folder in
    let path = "\(folder)/\(name)"
    let file = try #require(fopen(path, "wb"))
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    defer { unlink(path) }
    try body(ZoneDatabase(folder: folder))
  }
}

/// Writes a TZif file of version 2: RFC 8536, section 3.
struct ZoneFileWriter {
  var version: UInt8 = UInt8(ascii: "2")
  var offsets: [Int32] = [0]
  var changes: [(time: Int64, type: UInt8)] = []
  var leapSeconds = 0
  var footer = ""

  var bytes: [UInt8] {
    header(changes: 0, types: 1, names: 1, leapSeconds: 0) + [UInt8](repeating: 0, count: 7)
      + header(
        changes: changes.count, types: offsets.count, names: 4, leapSeconds: leapSeconds)
      + changes.flatMap { big($0.time) } + changes.map(\.type)
      + offsets.flatMap { big($0) + [0, 0] } + Array("ABC\0".utf8)
      + [UInt8](repeating: 0, count: leapSeconds * 12) + Array("\n\(footer)\n".utf8)
  }

  private func header(changes: Int, types: Int, names: Int, leapSeconds: Int) -> [UInt8] {
    Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + big(Int32(0))
      + big(Int32(0)) + big(Int32(leapSeconds)) + big(Int32(changes)) + big(Int32(types))
      + big(Int32(names))
  }

  private func big(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
