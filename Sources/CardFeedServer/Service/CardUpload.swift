internal import CardFeed
internal import CardFeedConfiguration

/// What became of a stream of cards.
struct CardUpload {
  private static let mostProblems = 1000

  let feed: ServedFeed
  let metrics: ServiceMetrics
  private var stored = 0
  private var problems: [JSONValue] = []
  private var leftOut = 0

  init(feed: ServedFeed, metrics: ServiceMetrics) {
    self.feed = feed
    self.metrics = metrics
  }

  mutating func take(_ batch: LineBatches.Batch) async throws {
    let result = try await feed.operations.putLines(batch.bytes, firstLine: batch.firstLine)
    stored += result.stored
    metrics.storedCards.add(UInt64(result.stored))
    for (line, text) in result.problems {
      if problems.count < Self.mostProblems {
        problems.append(["line": JSONValue(line), "text": JSONValue(text)])
      } else {
        leftOut += 1
      }
    }
  }

  var json: JSONValue {
    [
      "stored": JSONValue(stored), "problems": JSONValue(problems),
      "problems_left_out": JSONValue(leftOut),
    ]
  }

  /// The identities in some lines.
  ///
  /// - Throws: A `Problem` that names the first line that has none.
  static func identities(_ batch: LineBatches.Batch) throws -> [CardID] {
    var ids: [CardID] = []
    for (index, line) in batch.bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      let value = try? JSONDocument(parsing: Array(line)).root
      guard let id = value?.string ?? value?["id"]?.string else {
        throw Problem(
          .unprocessable,
          "line \(batch.firstLine + index) has no identity; allowed: a text, or "
            + "an object with \"id\"; the lines before its batch are withdrawn")
      }
      ids.append(CardID(id))
    }
    return ids
  }
}
