import CardFeedConfiguration
import Testing

/// Texts that are JSON, and texts that are not, with the reason the parser gives.
struct JSONParserGoldenTests {
  static let accepted: [(text: String, compact: String)] = [
    ("null", "null"),
    (" true ", "true"),
    ("\t\r\n false\n", "false"),
    ("0", "0"),
    ("-0", "-0"),
    ("-0.0e-0", "-0.0e-0"),
    ("12345678901234567890123456789", "12345678901234567890123456789"),
    ("1E+2", "1E+2"),
    ("1e-400", "1e-400"),
    ("1.7976931348623157e308", "1.7976931348623157e308"),
    (#""""#, #""""#),
    (#""a\/b""#, #""a/b""#),
    (#""\"\\\b\f\n\r\t""#, #""\"\\\b\f\n\r\t""#),
    (#""\u0000\u001F\u007f""#, "\"\\u0000\\u001f\u{7F}\""),
    (#""\u00e9\u20AC""#, "\"\u{E9}\u{20AC}\""),
    (#""\uD83D\uDE00""#, "\"\u{1F600}\""),
    ("\"\u{2028}\u{FFFF}\u{10FFFF}\"", "\"\u{2028}\u{FFFF}\u{10FFFF}\""),
    ("[]", "[]"),
    ("[ ]", "[]"),
    ("{ }", "{}"),
    ("[[],{},[{}]]", "[[],{},[{}]]"),
    (#"{"":1}"#, #"{"":1}"#),
    (#"{"b":1,"a":[2,3]}"#, #"{"b":1,"a":[2,3]}"#),
    ("[1,\n2 ,\r3]", "[1,2,3]"),
    // Unicode twins are two keys.
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    (
      String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
      String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    ),
  ]

  @Test(arguments: accepted.indices)
  func accepts(_ index: Int) throws {
    let (text, compact) = Self.accepted[index]
    let document = try JSONDocument(parsing: text)
    #expect(document.root.bytes(.compact) == Array(compact.utf8))
    #expect(document.duplicateKeys.isEmpty)
  }

  static let refused: [(text: String, reason: String)] = [
    (
      "",
      "line 1, column 1, at $: the text has no value; found nothing but white space, "
        + "allowed: one JSON value; an empty object is written {}."
    ),
    (
      " \n ",
      "line 2, column 2, at $: the text has no value; found nothing but white space, "
        + "allowed: one JSON value; an empty object is written {}."
    ),
    (
      "\u{FEFF}{}",
      "line 1, column 1, at $: the text begins with a byte order mark; found the bytes EF BB BF, "
        + "allowed: UTF-8 without a byte order mark; save the file as UTF-8 without BOM."
    ),
    (
      "[1,2,]",
      "line 1, column 6, at $[2]: a value is missing; found ']', allowed: a value; "
        + "remove the comma before it."
    ),
    (
      #"{"a":1,}"#,
      "line 1, column 8, at $: a key is missing; found '}', allowed: a key in double quotes; "
        + "remove the comma before it."
    ),
    (
      "[,1]",
      "line 1, column 2, at $[0]: a value is missing; found ',', allowed: a value or ']'; "
        + "remove the comma."
    ),
    (
      "[1 2]",
      "line 1, column 4, at $[1]: an element does not end here; found '2', allowed: ',' or ']'."
    ),
    (
      #"["a" "b"]"#,
      #"line 1, column 6, at $[1]: an element does not end here; found '"', allowed: ',' or ']'; "#
        + "a comma is missing before it."
    ),
    (
      "{\"a\": 1\n \"b\": 2}",
      #"line 2, column 2, at $: a member does not end here; found '"', allowed: ',' or '}'; "#
        + "a comma is missing before it."
    ),
    (
      #"{"a" 1}"#,
      "line 1, column 6, at $.a: the colon after a key is missing; found '1', allowed: ':'."
    ),
    (
      #"{"a" = 1}"#,
      "line 1, column 6, at $.a: the colon after a key is missing; found '=', allowed: ':'; "
        + "write ':' between a key and its value."
    ),
    (
      "{a:1}",
      "line 1, column 2, at $: a key is missing; found 'a', allowed: a key in double quotes "
        + "or '}'; write the key in double quotes."
    ),
    (
      "{'a':1}",
      "line 1, column 2, at $: a key is missing; found ''', allowed: a key in double quotes "
        + "or '}'; keys and text are written in straight double quotes."
    ),
    (
      "[\u{201C}a\u{201D}]",
      "line 1, column 2, at $[0]: a value is missing; found U+201C, allowed: a value or ']'; "
        + "keys and text are written in straight double quotes."
    ),
    (
      "{\"sources\": [{\"limit\": 1}, {\"limit\": }]}",
      "line 1, column 38, at $.sources[1].limit: a value is missing; found '}', "
        + "allowed: a value."
    ),
    (
      "[1, // one\n2]",
      "line 1, column 5, at $[1]: a value is missing; found '/', allowed: a value; "
        + "JSON has no comments; remove it."
    ),
    (
      "[True]",
      "line 1, column 2, at $[0]: a value is missing; found 'T', allowed: a value or ']'; "
        + "write true."
    ),
    (
      "NaN",
      "line 1, column 1, at $: a value is missing; found 'N', allowed: a value; "
        + "JSON has no NaN; write null or leave the member out."
    ),
    (
      "nul",
      "line 1, column 1, at $: this is no word of JSON; found 'n', allowed: true, false, null; "
        + "text is written in double quotes, the three words in lower case."
    ),
    (
      "truely",
      "line 1, column 1, at $: this is no word of JSON; found 't', allowed: true, false, null; "
        + "text is written in double quotes, the three words in lower case."
    ),
    (
      "1 2",
      "line 1, column 3, at $: something follows the value of the text; found '2', "
        + "allowed: the end of the text."
    ),
    (
      "{}\n{}",
      "line 2, column 1, at $: something follows the value of the text; found '{', "
        + "allowed: the end of the text; a text holds one value; put several into an array."
    ),
    (
      "{\n  \"a\": [1, 2",
      "line 2, column 13, at $.a[2]: an element does not end here; found the end of the text, "
        + "allowed: ',' or ']'; the array opened at line 2, column 8 is not closed."
    ),
    (
      "01",
      "line 1, column 1, at $: a number begins with a needless zero; found '0', allowed: a point, "
        + "an exponent or the end of the number after a first zero; remove the zero."
    ),
    (
      "[-]",
      "line 1, column 3, at $[0]: a number lacks a digit; found ']', allowed: a digit from 0 to 9; "
        + "write 0.5 and 1.0 in full; infinity and NaN do not exist in JSON."
    ),
    (
      "+1",
      "line 1, column 1, at $: a value is missing; found '+', allowed: a value; "
        + "a number is written without a plus."
    ),
    (
      ".5",
      "line 1, column 1, at $: a value is missing; found '.', allowed: a value; "
        + "write a zero before the point."
    ),
    (
      "1.",
      "line 1, column 3, at $: a number lacks a digit; found the end of the text, allowed: "
        + "a digit from 0 to 9; write 0.5 and 1.0 in full; infinity and NaN do not exist in JSON."
    ),
    (
      "1e999",
      "line 1, column 1, at $: the number is out of range; found a number beyond every double, "
        + "allowed: numbers from -1.7976931348623157e308 to 1.7976931348623157e308; "
        + "correct the exponent."
    ),
    (
      "[\"abc]",
      "line 1, column 2, at $[0]: the string that begins here is not closed; "
        + #"found the end of the text, allowed: '"' at the end of the string; "#
        + "add the closing quote."
    ),
    (
      "\"a\nb\"",
      "line 1, column 3, at $: a string holds a control character; found the end of the line, "
        + "allowed: characters from U+0020 on, and escapes; close the string on its line; "
        + #"a line break within is written \n."#
    ),
    (
      "\"a\tb\"",
      "line 1, column 3, at $: a string holds a control character; found a tab, "
        + "allowed: characters from U+0020 on, and escapes; write it as an escape, "
        + #"such as \t or \u0000."#
    ),
    (
      #""\x41""#,
      #"line 1, column 2, at $: a string holds an unknown escape; found '\' before 'x', "#
        + #"allowed: \" \\ \/ \b \f \n \r \t and \u with four digits; write \\ for a backslash."#
    ),
    (
      #""\u12g4""#,
      #"line 1, column 6, at $: a \u escape is incomplete; found 'g', "#
        + "allowed: four digits from 0 to 9 and A to F."
    ),
    (
      #""é\uD800x""#,
      #"line 1, column 3, at $: a \u escape is half of a surrogate pair; found a surrogate "#
        + #"without its partner, allowed: \uD800 to \uDBFF followed by \uDC00 to \uDFFF, "#
        + "or no surrogate; write the character itself in UTF-8."
    ),
    (
      "[\u{A0}1]",
      "line 1, column 2, at $[0]: a value is missing; found U+00A0, allowed: a value or ']'; "
        + "replace the invisible character by a plain space."
    ),
    (
      String(repeating: "[", count: 129),
      "line 1, column 129, at $\(String(repeating: "[0]", count: 128)): arrays and objects are "
        + "nested too deeply; found level 129, allowed: 128 levels; "
        + "look for a bracket that is not closed."
    ),
  ]

  @Test(arguments: refused.indices)
  func refuses(_ index: Int) {
    let (text, reason) = Self.refused[index]
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
    #expect(error?.description == reason)
  }

  @Test(arguments: [
    "[1]]", "}", "]", "{]", "[}", "[1:2]", #"{"a"}"#, #"{"a":1 "b"}"#, #"{1:1}"#, #"{null:1}"#,
    #"{"a":1,,"b":2}"#, "[1,,2]", "0x10", "1_000", "1.e1", "1e", "1e+", "--1", "-Infinity",
    "tru", "nulll", "TRUE", #""\u""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800\n""#, #""\"#,
    #""\u00"#, "/**/1", "#\n1", "\"\u{0}\"", "\u{B}1", "\u{C}1", "1\u{0}", "'a'", "undefined",
  ])
  func refusesAlso(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
  }

  @Test(
    arguments: [
      // A lone continuation byte, overlong forms, a surrogate, beyond U+10FFFF, a cut sequence.
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0xC3],
    ] as [[UInt8]])
  func refusesInvalidUTF8(_ sequence: [UInt8]) {
    let text = Array("[\"ab".utf8) + sequence + Array("\"]".utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
    #expect(error?.message == "a string is not valid UTF-8")
    #expect(error?.location == JSONLocation(line: 1, column: 5, byteOffset: 4))
  }

  @Test func namesUTF16() {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONDocument(parsing: [0xFF, 0xFE, 0x7B, 0x00])
    }
    #expect(
      error?.description
        == "line 1, column 1, at $: the text is not UTF-8; found the byte 0xFF, allowed: UTF-8 "
        + "without a byte order mark; it looks like UTF-16; save the file as UTF-8 without BOM.")
  }
}
