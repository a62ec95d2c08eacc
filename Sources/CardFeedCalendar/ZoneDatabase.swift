internal import Glibc

/// Finds time zones by name: `UTC`, fixed offsets such as `+02:00`, and the files of a folder.
///
/// Reads the folder each time it is asked; keep the rules that it gives.
public struct ZoneDatabase: Hashable, Sendable {
  /// Where the files of zones are.
  public let folder: String

  /// The system's folder, unless another one is given.
  public init(folder: String = "/usr/share/zoneinfo") { self.folder = folder }

  /// The rules of a zone.
  ///
  /// - Parameter name: `UTC`; an offset from −23:59 to +23:59 with its sign, two digits of hours and
  ///   two of minutes; or the name of a file below the folder, such as `Europe/Berlin`.
  /// - Throws: `ZoneError`. No name leads out of the folder.
  public func rules(named name: String) throws(ZoneError) -> ZoneRules {
    if name == "UTC" { return .utc }
    if let fixed = Self.fixed(name) { return fixed }
    guard Self.isWellFormed(name) else {
      throw ZoneError(
        .unsafeName, "no time zone can be called \"\(Self.printable(name))\"",
        hint: "allowed: \"UTC\", an offset such as \"+02:00\", or a name such as "
          + "\"Europe/Berlin\": letters, digits, '.', '_', '+' and '-', in parts with '/' between "
          + "them, none of which begins with '.'")
    }
    let bytes = try bytes(of: name)
    do {
      return try ZoneFile.rules(name: name, bytes)
    } catch {
      throw Self.error(error, name)
    }
  }

  /// Whether a zone could be called so, wherever its rules are: `UTC`, an offset, or one to four
  /// parts that stay inside a folder. O(length).
  public static func isWellFormed(_ name: String) -> Bool {
    if fixed(name) != nil { return true }
    let bytes = Array(name.utf8)
    guard (1...128).contains(bytes.count) else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count <= 4
      && parts.allSatisfy { part in
        guard let first = part.first, isLetterOrDigit(first) else { return false }
        return part.allSatisfy { isLetterOrDigit($0) || "._+-".utf8.contains($0) }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// `+02:00`.
  private static func fixed(_ name: String) -> ZoneRules? {
    let bytes = Array(name.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      [1, 2, 4, 5].allSatisfy({ (48...57).contains(bytes[$0]) })
    else { return nil }
    func number(_ index: Int) -> Int64 {
      Int64(bytes[index] - 48) * 10 + Int64(bytes[index + 1] - 48)
    }
    guard number(1) < 24, number(4) < 60 else { return nil }
    let seconds = number(1) * 3600 + number(4) * 60
    return ZoneRules(
      name: name, firstOffset: bytes[0] == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// The name, cut where it is long, without what a terminal would obey.
  private static func printable(_ name: String) -> String {
    var printable = ""
    for scalar in name.unicodeScalars.prefix(40) {
      printable.unicodeScalars.append(scalar.value < 32 || scalar.value == 127 ? "?" : scalar)
    }
    return printable
  }

  private static func error(_ fault: ZoneFile.Fault, _ name: String) -> ZoneError {
    switch fault {
    case .notAZone:
      ZoneError(
        .unknownName, "\"\(name)\" is a file, but not one of a time zone",
        hint: "name a zone, such as \"Europe/Berlin\"")
    case .versionOne:
      ZoneError(
        .damaged, "the file of the time zone \"\(name)\" is of version 1; allowed: 2 or later",
        hint: "install the system's package of time zones, tzdata, anew")
    case .leapSeconds:
      ZoneError(
        .damaged, "the file of the time zone \"\(name)\" counts leap seconds; allowed: one without",
        hint: "leave out the part \"right/\" of the name")
    case .damaged:
      ZoneError(
        .damaged, "the file of the time zone \"\(name)\" is damaged",
        hint: "install the system's package of time zones, tzdata, anew")
    }
  }

  private func bytes(of name: String) throws(ZoneError) -> [UInt8] {
    guard let file = fopen("\(folder)/\(name)", "rbe") else {
      let reason = errno
      if reason == ENOENT || reason == ENOTDIR, access(folder, R_OK | X_OK) == 0 {
        throw ZoneError(
          .unknownName, "there is no time zone \"\(name)\"",
          hint:
            "check the spelling, upper and lower case included, or use \"UTC\" or an offset such "
            + "as \"+02:00\"")
      }
      throw Self.unreadable(name)
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    // The greatest files have 4 kilobytes; what is far greater is something else.
    while bytes.count <= 1 << 20 {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    // A folder opens, too, and fails when it is read.
    guard ferror(file) == 0 else {
      throw ZoneError(
        .unknownName, "\"\(name)\" is no time zone but a folder of zones, or it cannot be read",
        hint: "name a zone, such as \"Europe/Berlin\"")
    }
    return bytes
  }

  private static func unreadable(_ name: String) -> ZoneError {
    ZoneError(
      .unreadable,
      "the time zone \"\(name)\" cannot be read: the folder of time zones is missing "
        + "or closed",
      hint:
        "install the system's package of time zones, tzdata, or use \"UTC\" or an offset such as "
        + "\"+02:00\"")
  }
}
