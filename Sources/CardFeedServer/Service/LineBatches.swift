internal import CardFeedHTTP

/// The lines of a body as it comes, some at a time: bounded memory, however long the body is.
struct LineBatches {
  /// Whole lines, with the number of the first.
  struct Batch {
    var bytes: [UInt8]
    var firstLine: Int
  }

  /// How many lines and bytes make a batch. Each batch costs its feed O(cards in the deck).
  private static let lines = 4000
  private static let bytes = 4 << 20

  private var source: HTTPBodyStream.AsyncIterator?
  private var rest: [UInt8]
  private var nextLine = 1
  private let lineLimit: Int
  private var isAtEnd: Bool

  init(_ body: HTTPRequestBody, lineLimit: Int) {
    self.lineLimit = lineLimit
    switch body {
    case .bytes(let bytes):
      rest = bytes
      isAtEnd = true
    case .stream(let stream):
      rest = []
      isAtEnd = false
      source = stream.makeAsyncIterator()
    }
  }

  /// The next lines; nil at the end.
  ///
  /// - Throws: `HTTPBodyError`; a `Problem` for a line that is too long.
  mutating func next() async throws -> Batch? {
    var scanned = 0
    var lines = 0
    var end = 0
    while true {
      while scanned < rest.count {
        if rest[scanned] == UInt8(ascii: "\n") {
          lines += 1
          end = scanned + 1
        }
        scanned += 1
        if lines == Self.lines || (lines > 0 && scanned >= Self.bytes) { break }
        if scanned - end > lineLimit {
          throw Problem(
            .tooLarge,
            "line \(nextLine + lines) is longer than \(lineLimit) bytes; the lines "
              + "before its batch are stored")
        }
      }
      if lines == Self.lines || (lines > 0 && scanned >= Self.bytes) { break }
      if isAtEnd {
        end = rest.count
        break
      }
      if let piece = try await source?.next() { rest += piece } else { isAtEnd = true }
    }
    guard end > 0 else { return nil }
    let batch = Batch(bytes: Array(rest[..<end]), firstLine: nextLine)
    rest.removeFirst(end)
    nextLine += lines
    return batch
  }
}
