import CardFeed
import CardFeedEventSinks
import Foundation
import Testing

struct FileSinkTests {
  @Test func aFileSinkAppendsOneObjectALine() async throws {
    let path = "/tmp/cardfeed-sink-\(UInt32.random(in: 0 ... .max)).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let events = [
      OutboxEvent(
        kind: .matchMade, event: LogPosition(4), between: CardNumber(9), and: CardNumber(2),
        time: Timestamp(milliseconds: 7)),
      OutboxEvent(
        kind: .matchEnded, event: LogPosition(6), between: CardNumber(2), and: CardNumber(9),
        time: Timestamp(milliseconds: 8)),
    ]
    try await FileSink(path: path).deliver([events[0]])
    try await FileSink(path: path).deliver([events[1]])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == """
        {"kind":"match-made","event":4,"low":2,"high":9,"time":7}
        {"kind":"match-ended","event":6,"low":2,"high":9,"time":8}

        """)
    let error = #expect(throws: FileSinkError.self) { try FileSink(path: "/nowhere/at/all") }
    #expect(
      error?.description
        == "cannot open /nowhere/at/all: No such file or directory. Check the folder, its "
        + "permissions and the free space; the events come again.")
  }
}
