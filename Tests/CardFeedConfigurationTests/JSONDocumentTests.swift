import CardFeedConfiguration
import Testing

/// Locations, duplicate keys and access to values.
struct JSONDocumentTests {
  @Test func everyValueAndKeyKnowsItsPlace() throws {
    let text = "{\r\n  \"caf\u{E9}\": [1, \"\u{1F600}\u{E9}\", true],\n\t\"b\" :\r null }"
    let root = try JSONDocument(parsing: text).root
    let object = try #require(root.object)
    #expect(root.location == .start)
    #expect(
      object.members[0].keyLocation == JSONLocation(line: 2, column: 3, byteOffset: 5))
    let array = try #require(object.members[0].value.array)
    #expect(array[0].location == JSONLocation(line: 2, column: 12, byteOffset: 15))
    #expect(array[1].location == JSONLocation(line: 2, column: 15, byteOffset: 18))
    #expect(array[2].location == JSONLocation(line: 2, column: 21, byteOffset: 28))
    #expect(
      object.members[1].keyLocation == JSONLocation(line: 3, column: 2, byteOffset: 36))
    #expect(object["b"]?.location == JSONLocation(line: 4, column: 2, byteOffset: 43))
    #expect(object["b"]?.location?.description == "line 4, column 2")
  }

  @Test func aTextMayBePartOfALargerOne() throws {
    let start = JSONLocation(line: 7, column: 5, byteOffset: 100)
    let document = try JSONDocument(parsing: Array(" [\n 1]".utf8), startingAt: start)
    #expect(document.root.location == JSONLocation(line: 7, column: 6, byteOffset: 101))
    #expect(document.root[0]?.location == JSONLocation(line: 8, column: 2, byteOffset: 104))
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONDocument(parsing: Array(" x".utf8), startingAt: start)
    }
    #expect(error?.location == JSONLocation(line: 7, column: 6, byteOffset: 101))
  }

  @Test func everyDuplicateKeyIsListedAndTheFirstCounts() throws {
    let text = """
      {"a": 1, "b": {"x": 1, "\\u0078": 2},
       "a": {"c": 1, "c": 2},
       "list": [{}, {"odd key": 1, "odd key": 2}],
       "a": 3}
      """
    let document = try JSONDocument(parsing: text)
    #expect(
      document.duplicateKeys.map(\.description) == [
        "line 1, column 24, at $.b.x: the key stands here again, first at line 1, column 16; "
          + "an object holds every key once; remove one of the two.",
        "line 2, column 2, at $.a: the key stands here again, first at line 1, column 2; "
          + "an object holds every key once; remove one of the two.",
        "line 2, column 16, at $.a.c: the key stands here again, first at line 2, column 8; "
          + "an object holds every key once; remove one of the two.",
        "line 3, column 30, at $.list[1][\"odd key\"]: the key stands here again, "
          + "first at line 3, column 16; an object holds every key once; remove one of the two.",
        "line 4, column 2, at $.a: the key stands here again, first at line 1, column 2; "
          + "an object holds every key once; remove one of the two.",
      ])
    #expect(
      document.root == ["a": 1, "b": ["x": 1], "list": [[:], ["odd key": 1]]])
  }

  @Test func duplicateKeysOfLargeObjectsAreFound() throws {
    // Beyond a few dozen members the parser looks keys up by hash.
    let keys = (0..<500).map { "key\($0)" } + ["key3", "key499", "e\u{301}", "\u{E9}", "key3"]
    let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    let document = try JSONDocument(parsing: text)
    #expect(document.duplicateKeys.map(\.path.description) == ["$.key3", "$.key499", "$.key3"])
    #expect(document.root.object?.count == 502)
  }

  @Test func valuesAreReadByKindKeyIndexAndPath() throws {
    let root = try JSONDocument(
      parsing: #"{"filters":[{"use":"blocked"},{"relax":[100,2.5]}],"on":true,"off":null}"#
    ).root
    let path = JSONPath([.key("filters"), .index(1), .key("relax"), .index(1)])
    #expect(root[path]?.double == 2.5)
    #expect(root[path]?.int64 == nil)
    #expect(root[path.appending(0)] == nil)
    #expect(root["filters"]?[0]?["use"]?.string == "blocked")
    #expect(root["filters"]?[2] == nil)
    #expect(root["filters"]?[-1] == nil)
    #expect(root["on"]?.bool == true)
    #expect(root["off"]?.isNull == true)
    #expect(root["missing"] == nil)
    #expect(root["on"]?.string == nil && root["on"]?.array == nil && root["on"]?.object == nil)
    #expect(root.object?.keys == ["filters", "on", "off"])
    #expect(
      JSONValue.Kind.allCases.map(\.description) == [
        "null", "a boolean", "a number", "a string", "an array", "an object",
      ])
  }

  @Test func equalityIgnoresPlaceAndOrderButNotBytes() throws {
    let parsed = try JSONDocument(parsing: "{\"b\": [1.0, \"x\"],\n\"a\": null}").root
    let literal: JSONValue = ["a": nil, "b": [1, "x"]]
    #expect(parsed == literal)
    #expect(parsed.hashValue == literal.hashValue)
    #expect(JSONValue("\u{E9}") != JSONValue("e\u{301}"))
    #expect(["\u{E9}": 1] as JSONValue != ["e\u{301}": 1])
    #expect([1, 2] as JSONValue != [2, 1])
    #expect(["a": 1] as JSONValue != ["a": 2])
    #expect(["a": 1] as JSONValue != ["a": 1, "b": 1])
    #expect(false as JSONValue != nil as JSONValue)
    #expect("1" as JSONValue != 1)
  }

  @Test func objectsAreEditedInPlace() {
    var object: JSONObject = ["a": 1, "b": 2, "c": 3]
    object["b"] = "two"
    object["d"] = true
    object["a"] = .none
    object["missing"] = .none
    #expect(JSONValue(object).description == #"{"b":"two","c":3,"d":true}"#)
  }

  @Test func aLiteralWithAKeyTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = JSONObject([("a", 1), ("a", 2)])
    }
  }

  @Test func pathsAreQuotedWhereNeeded() {
    let path = JSONPath.root.appending("filters").appending(2).appending("kilo_metres9")
    #expect(path.description == "$.filters[2].kilo_metres9")
    #expect(path.parent?.description == "$.filters[2]")
    #expect(JSONPath.root.parent == nil)
    #expect(
      ["within-distance", "", "9lives", "a\"b\\\n", "caf\u{E9}"].map {
        JSONPath.root.appending($0).description
      } == [
        #"$["within-distance"]"#, #"$[""]"#, #"$["9lives"]"#, #"$["a\"b\\\n"]"#,
        "$[\"caf\u{E9}\"]",
      ])
    #expect(JSONPath.root.appending("\u{E9}") != JSONPath.root.appending("e\u{301}"))
  }
}
