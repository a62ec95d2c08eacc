import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@Suite struct CardReaderTests {
  private func read(_ text: String) -> (ids: [String], problems: [String]) {
    let reading = CardReader(ToyPlugin()).read(Array(text.utf8))
    return (reading.cards.map { "\($0.id)" }, reading.problems.map(\.description))
  }

  @Test func anArrayAndLinesGiveTheSameCards() {
    let array = read(" [{\"id\":\"a\"},\n {\"id\":\"b\"}]\n")
    let lines = read("{\"id\":\"a\"}\r\n\n  \n{\"id\":\"b\"}")
    #expect(array.ids == ["a", "b"])
    #expect(lines.ids == ["a", "b"])
    #expect(array.problems.isEmpty && lines.problems.isEmpty)
  }

  @Test(arguments: ["", "\n\n", "[]"]) func noRecordsAreNoProblem(text: String) {
    #expect(read(text).ids.isEmpty)
    #expect(read(text).problems.isEmpty)
  }

  @Test func brokenRecordsAreSkippedAndNamedByLine() {
    let text = """
      {"id": "a"}
      {"id": "b"
      {"id": 7}

      {"id": "c", "id": "d"}
      [1]
      {"id": "opaque"}
      {"id": "e"}
      """
    let (ids, problems) = read(text)
    #expect(ids == ["a", "e"])
    #expect(problems.count == 5)
    #expect(problems[0].hasPrefix("line 2, column"))
    #expect(problems[1] == "line 3, column 8, $.id: no text")
    #expect(
      problems[2] == "line 5, column 13, $.id: the key stands twice, first at line 5, column 2; "
        + "allowed: each key once")
    #expect(problems[3] == "line 6, column 1, $.id: no text")
    #expect(problems[4] == "line 7, column 1, $: the deck 'toy' does not take this record")
  }

  @Test func brokenRecordsOfAnArrayAreSkippedToo() {
    let (ids, problems) = read(
      "[{\"id\":\"a\"},\n{\"id\":1},\n{\"id\":\"b\",\"id\":\"c\"},\n3, {\"id\":\"d\"}]")
    #expect(ids == ["a", "d"])
    #expect(
      problems == [
        "line 2, column 7, $.id: no text",
        "line 3, column 11, $.id: the key stands twice, first at line 3, column 2; allowed: each "
          + "key once", "line 4, column 1, $.id: no text",
      ])
  }

  @Test func anArrayThatIsNotJSONHasNoRecords() {
    let (ids, problems) = read("[{\"id\":\"a\"},\n{\"id\":]")
    #expect(ids.isEmpty)
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("line 2, column 7, $[1].id: "))
  }

  /// Unicode twins and letters of another case are other identities.
  @Test func identitiesAreComparedByteByByte() {
    let (ids, problems) = read(
      #"[{"id":"A"},{"id":"a"},{"id":"\u00e9"},{"id":"e\u0301"},"# + "\n" + #"{"id":"A"}]"#)
    #expect(ids.count == 4)
    #expect(
      problems == [
        "line 2, column 1, $: a record in line 1 has the same identity; allowed: each identity "
          + "once, compared byte by byte"
      ])
  }
}
