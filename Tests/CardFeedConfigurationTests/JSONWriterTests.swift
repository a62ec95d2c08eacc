import CardFeedConfiguration
import Testing

/// Layouts, escapes, doubles and the canonical form.
struct JSONWriterTests {
  static let sample: JSONValue = [
    "version": 1, "empty": [], "none": [:],
    "filters": [["use": "blocked"], ["kilometres": 50, "relax": [100.5, nil]]],
    "name": "a \"quoted\" \\ caf\u{E9}\n", "on": true,
  ]

  @Test func compact() {
    #expect(
      Self.sample.description
        == #"{"version":1,"empty":[],"none":{},"filters":[{"use":"blocked"},{"kilometres":50,"#
        + #""relax":[100.5,null]}],"name":"a \"quoted\" \\ "# + "caf\u{E9}" + #"\n","on":true}"#)
  }

  @Test func pretty() {
    #expect(
      String(decoding: Self.sample.bytes(.pretty), as: UTF8.self) == """
        {
          "version": 1,
          "empty": [],
          "none": {},
          "filters": [
            {
              "use": "blocked"
            },
            {
              "kilometres": 50,
              "relax": [
                100.5,
                null
              ]
            }
          ],
          "name": "a \\"quoted\\" \\\\ caf\u{E9}\\n",
          "on": true
        }
        """)
  }

  @Test func streamed() {
    var writer = JSONWriter()
    for hits in 0..<2 {
      writer.beginObject()
      writer.key("hits")
      writer.integer(hits)
      writer.key("shares")
      writer.beginArray()
      for share in [0.1, -0.0, 1e16, .leastNonzeroMagnitude, .nan, -.infinity] {
        writer.numberOrNull(share)
      }
      writer.numberOrNull(nil)
      writer.endArray()
      writer.key("ok")
      writer.bool(hits == 1)
      writer.key("rest")
      writer.value([nil])
      writer.endObject()
      #expect(writer.isComplete)
      writer.endLine()
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"hits":0,"shares":[0.1,-0.0,1e+16,5e-324,null,null,null],"ok":false,"rest":[null]}
        {"hits":1,"shares":[0.1,-0.0,1e+16,5e-324,null,null,null],"ok":true,"rest":[null]}

        """)
  }

  @Test func onlyWhatMustBeIsEscaped() {
    let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    #expect(
      JSONValue(controls + "\"\\").description
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d"#
        + #"\u001e\u001f\"\\""#)
    for code in (0x20 as UInt32)...0x2FFF where code != 0x22 && code != 0x5C {
      let text = Unicode.Scalar(code).map { String($0) } ?? ""
      #expect(JSONValue(text).description == "\"\(text)\"")
    }
  }

  @Test func canonicalFormSortsByBytes() throws {
    let value: JSONValue = [
      "\u{1F600}": 1, "\u{FB33}": 2, "b": [1.0, "x"], "a": ["z": 0, "": -0.0], "\u{E9}": nil,
    ]
    #expect(
      String(decoding: value.canonicalBytes(), as: UTF8.self)
        == "{\"a\":{\"\":0,\"z\":0},\"b\":[1,\"x\"],\"\u{E9}\":null,\"\u{FB33}\":2,"
        + "\"\u{1F600}\":1}")
  }

  @Test func callsThatMakeNoJSONTrap() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.key("a")
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.null()
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.null()
      writer.null()
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.endArray()
    }
  }
}
