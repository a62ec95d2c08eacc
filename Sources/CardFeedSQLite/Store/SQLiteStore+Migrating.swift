import Glibc

extension SQLiteStore {
  /// What ``SQLiteStore/migrate(path:options:)`` did.
  public struct Migration: Sendable, Hashable {
    /// The version of the schema before.
    public let from: Int
    /// The version after.
    public let to: Int
    /// The steps, by name, in order; empty if the file was up to date.
    public let applied: [String]
    /// The copy of the file as it was before; nil if there was nothing to do.
    public let copy: String?
  }

  /// Brings an older file up to date, and keeps a copy of it as it was: `PATH.before-vN`, N being
  /// the new version, or `PATH.before-vN-2` and so on if that exists.
  ///
  /// End the servers that use the file before: what they write between the copy and the migration
  /// is in the file, but not in the copy. Killed at any moment, the file is at the old or the new
  /// version, whole, and a copy has its name only when it is complete.
  ///
  /// - Parameters:
  ///   - path: The file; it must exist.
  ///   - options: How patient, and how durable.
  /// - Throws: ``SQLiteError``: `cannotOpen`, `foreignFile`, `newerSchema`, `diskFull`, `busy`,
  ///   `readOnly`, and what a step throws. The file is as it was then.
  public static func migrate(path: String, options: Options = Options()) async throws -> Migration {
    try await blocking {
      // For reading first: a missing file must not be made, nor a strange one touched.
      let reader = try Connection.inspecting(path, options: options.connection)
      let pending = try StoreSchema.migrations.pending(on: reader)
      let version = try Migrations.version(of: reader)
      try reader.close()
      guard !pending.isEmpty else {
        return Migration(from: version, to: version, applied: [], copy: nil)
      }
      let connection = try Connection(.file(path), options: options.connection)
      let copy = freeName(for: "\(path).before-v\(StoreSchema.migrations.latestVersion)")
      try connection.backup(to: copy)
      let report = try StoreSchema.migrations.apply(to: connection)
      try connection.close()
      return Migration(from: report.from, to: report.to, applied: report.applied, copy: copy)
    }
  }

  private static func freeName(for path: String) -> String {
    var name = path
    var number = 2
    while access(name, F_OK) == 0 {
      name = "\(path)-\(number)"
      number += 1
    }
    return name
  }
}
