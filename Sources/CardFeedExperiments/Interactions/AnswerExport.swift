public import CardFeed
public import CardFeedConfiguration

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes every answer that stands to a folder, for engines that train on large data.
///
/// `interactions.csv` has the columns `viewer`, `item` (the store's own numbers, never identifiers),
/// `answer`, `meaning` (1 positive, 0 neutral, −1 negative) and `time` (milliseconds since 1970), in the
/// order of the log; `export.json` says what it is and has its SHA-256. Taken back, erased and folded
/// answers are not in it.
///
/// Numbers are those of one store and say nothing without it. They are about people all the same: keep
/// exports where the store is kept, and delete them after the training.
public struct AnswerExport: Sendable {
  /// The format of `export.json`.
  public static let format = "cardfeed-interactions/1"
  /// The table.
  public static let table = "interactions.csv"
  /// What it is.
  public static let description = "export.json"

  /// The deck.
  public var deck: String
  /// The place of the log up to which answers were read.
  public var position = LogPosition.start
  /// How many answers there are.
  public var answers = 0
  /// The SHA-256 of the table.
  public var checksum = ""

  /// Writes the answers of a store.
  ///
  /// - Parameters:
  ///   - store: The store; it may go on serving.
  ///   - deck: The deck's name.
  ///   - folder: An existing folder.
  ///   - progress: Told how far the log was read, and how far it goes.
  /// - Throws: What the store throws, ``DataProblem`` when a file cannot be written,
  ///   `CancellationError`. A table that is not whole is removed.
  /// - Complexity: O(events), with the memory of one page of them.
  public static func write(
    _ store: some FeedStore, deck: String, folder: String,
    progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> AnswerExport {
    var export = AnswerExport(deck: deck)
    let path = folder + "/" + table
    let file = try GrowingFile(path: path)
    try file.append(Array("viewer,item,answer,meaning,time\n".utf8))
    // What comes after is for the next export.
    let end = try await store.lastPosition()
    while export.position < end {
      try Task.checkCancellation()
      let events = try await store.events(after: export.position, limit: 4096)
      guard let last = events.last else { break }
      var rows: [UInt8] = []
      for event in events where event.kind == .swipe && !event.isRewound && event.position <= end {
        guard let card = event.card, let meaning = event.meaning else { continue }
        let sign = meaning == .positive ? 1 : meaning == .negative ? -1 : 0
        rows += Array("\(event.viewer.rawValue),\(card.rawValue),".utf8)
        rows += CSVText.field(event.answer ?? "")
        rows += Array(",\(sign),\(event.time.milliseconds)\n".utf8)
        export.answers += 1
      }
      try file.append(rows)
      export.position = min(last.position, end)
      progress(Int(export.position.rawValue), Int(end.rawValue))
    }
    export.position = end
    export.checksum = try file.finish()
    try ByteFile.write(
      export.json.bytes(.pretty) + [0x0a], to: folder + "/" + Self.description)
    return export
  }

  /// What stands in `export.json`.
  public var json: JSONValue {
    [
      "format": JSONValue(Self.format), "deck": JSONValue(deck),
      "position": JSONValue(position.rawValue), "answers": JSONValue(answers),
      "file": JSONValue(Self.table), "sha256": JSONValue(checksum),
    ]
  }
}

/// A file that is written piece by piece and appears under its name when it is whole.
final class GrowingFile {
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>
  private var digest = SHA256()
  private var isFinished = false

  private var unfinished: String { path + ".unfinished" }

  init(path: String) throws(DataProblem) {
    guard let stream = fopen(path + ".unfinished", "wb") else {
      throw DataProblem(
        file: path, reason: "the file cannot be written",
        found: "\"\(String(cString: strerror(errno)))\"",
        allowed: "an existing, writable folder with enough space")
    }
    self.path = path
    self.stream = stream
  }

  deinit {
    if !isFinished {
      fclose(stream)
      remove(unfinished)
    }
  }

  func append(_ bytes: [UInt8]) throws(DataProblem) {
    digest.update(bytes)
    let written = bytes.withUnsafeBufferPointer { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard written == bytes.count else { throw refuse() }
  }

  /// Gives the file its name, and returns its SHA-256.
  func finish() throws(DataProblem) -> String {
    isFinished = true
    guard fclose(stream) == 0, rename(unfinished, path) == 0 else {
      let problem = refuse()
      remove(unfinished)
      throw problem
    }
    return digest.hexadecimal
  }

  private func refuse() -> DataProblem {
    DataProblem(
      file: path, reason: "the file cannot be written",
      found: "\"\(String(cString: strerror(errno)))\"",
      allowed: "an existing, writable folder with enough space")
  }
}
