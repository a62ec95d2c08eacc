import CardFeed
import CardFeedEventSinks
import Testing

struct ServerSentEventTests {
  private func text(_ id: String?, _ name: String?, _ data: String?) throws -> String {
    String(decoding: try ServerSentEvent(id: id, name: name, data: data).bytes, as: UTF8.self)
  }

  @Test func fieldsAreWrittenLineByLine() throws {
    #expect(try text("7", "match", "{}") == "id: 7\nevent: match\ndata: {}\n\n")
    #expect(try text(nil, nil, "one") == "data: one\n\n")
    #expect(try text(nil, nil, "") == "data: \n\n")
    #expect(try text("7", nil, nil) == "id: 7\n\n")
    #expect(try text("", nil, nil) == "id: \n\n")
    #expect(try text(nil, nil, nil) == "\n")
  }

  @Test func everyLineEndStartsANewField() throws {
    #expect(try text(nil, nil, "a\nb\rc\r\nd") == "data: a\ndata: b\ndata: c\ndata: d\n\n")
    #expect(try text(nil, nil, "\n") == "data: \ndata: \n\n")
    #expect(try text(nil, nil, "\r\n") == "data: \ndata: \n\n")
    #expect(try text(nil, nil, "\n\r") == "data: \ndata: \ndata: \n\n")
    #expect(try text(nil, nil, " a\n: b") == "data:  a\ndata: : b\n\n")
  }

  @Test func textOfAnyScriptIsWrittenAsItIs() throws {
    let data = "Zoë e\u{301} 👩‍👩‍👧 \u{2028}\u{85}"
    let bytes = try ServerSentEvent(id: "é", name: "ä", data: data).bytes
    #expect(bytes == Array("id: é\nevent: ä\ndata: \(data)\n\n".utf8))
  }

  @Test(arguments: ["\n", "\r", "\r\n", "a\nb", "e\u{301}\r"])
  func whatWouldEndAFieldIsRefused(bad: String) {
    let id = #expect(throws: ServerSentEventError.self) {
      try ServerSentEvent(id: bad, name: nil, data: nil)
    }
    #expect(id?.field == "id")
    let name = #expect(throws: ServerSentEventError.self) {
      try ServerSentEvent(id: nil, name: bad, data: nil)
    }
    #expect(
      name?.description
        == "the field 'event' of a server-sent event holds a line end or NUL, which would end it. "
        + "Allowed is any other text; encode the value first.")
    #expect(throws: ServerSentEventError.self) {
      try ServerSentEvent(id: "\0", name: nil, data: nil)
    }
  }

  /// Random texts of the characters that matter come back from a parser as they were.
  @Test func aParserGetsWhatWasWritten() throws {
    var random = SplitMix64(seed: 3)
    let pieces = ["\n", "\r", ":", " ", "data", "id: 1", "é", "🙂", "\0", "x"]
    for _ in 0..<2000 {
      let count = Int.random(in: 0...6, using: &random)
      let data = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      var parser = EventStreamParser()
      parser.feed(try ServerSentEvent(id: "i", name: "n", data: data).bytes)
      var expected = ""
      var isPair = false
      for byte in data.unicodeScalars {
        if byte == "\n", isPair {
          isPair = false
          continue
        }
        isPair = byte == "\r"
        expected.unicodeScalars.append(byte == "\r" ? "\n" : byte)
      }
      #expect(parser.messages == [.init(name: "n", data: expected, lastID: "i")])
    }
  }
}
