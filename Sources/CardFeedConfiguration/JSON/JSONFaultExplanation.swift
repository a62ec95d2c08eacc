/// The words for what stopped the parser.
struct JSONFaultExplanation {
  private(set) var message: String
  private(set) var allowed: String
  /// What was found; `nil` for the character at the place.
  private(set) var found: String?
  private(set) var hint: String?

  init(
    _ fault: JSONFault, in source: JSONSourceText,
    openContainer: (isObject: Bool, offset: Int)?
  ) {
    message = ""
    allowed = ""
    switch fault.kind {
    case .expected(let expectation):
      explain(expectation)
      hint = JSONFaultExplanation.hint(
        expectation, at: fault.offset, in: source, openContainer: openContainer)
    case .tooLarge:
      message = "the text is too large"
      found = "\(source.bytes.count) bytes"
      allowed = "less than 4 GiB"
      hint = "split it, for instance into JSON Lines"
    case .byteOrderMark:
      explainFirstByte(in: source)
    case .empty:
      message = "the text has no value"
      found = "nothing but white space"
      allowed = "one JSON value"
      hint = "an empty object is written {}"
    case .word:
      message = "this is no word of JSON"
      allowed = "true, false, null"
      hint = "text is written in double quotes, the three words in lower case"
    case .tooDeep:
      message = "arrays and objects are nested too deeply"
      found = "level \(JSONDocument.maximumDepth + 1)"
      allowed = "\(JSONDocument.maximumDepth) levels"
      hint = "look for a bracket that is not closed"
    default:
      explainScalar(fault, in: source)
    }
  }

  private mutating func explainFirstByte(in source: JSONSourceText) {
    allowed = "UTF-8 without a byte order mark"
    if source.starts(with: "\u{FEFF}", at: 0) {
      message = "the text begins with a byte order mark"
      found = "the bytes EF BB BF"
      hint = "save the file as UTF-8 without BOM"
    } else {
      message = "the text is not UTF-8"
      hint = "it looks like UTF-16; save the file as UTF-8 without BOM"
    }
  }

  private mutating func explainScalar(_ fault: JSONFault, in source: JSONSourceText) {
    switch fault.kind {
    case .leadingZero:
      message = "a number begins with a needless zero"
      allowed = "a point, an exponent or the end of the number after a first zero"
      hint = "remove the zero"
    case .digit:
      message = "a number lacks a digit"
      allowed = "a digit from 0 to 9"
      hint = "write 0.5 and 1.0 in full; infinity and NaN do not exist in JSON"
    case .numberRange:
      message = "the number is out of range"
      found = "a number beyond every double"
      allowed = "numbers from -1.7976931348623157e308 to 1.7976931348623157e308"
      hint = "correct the exponent"
    case .unterminatedString:
      message = "the string that begins here is not closed"
      found = "the end of the text"
      allowed = "'\"' at the end of the string"
      hint = "add the closing quote"
    case .controlCharacter:
      message = "a string holds a control character"
      allowed = "characters from U+0020 on, and escapes"
      let isLineEnd = source.byte(at: fault.offset).map { $0 == 0x0A || $0 == 0x0D } ?? false
      hint =
        isLineEnd
        ? "close the string on its line; a line break within is written \\n"
        : "write it as an escape, such as \\t or \\u0000"
    case .escape:
      message = "a string holds an unknown escape"
      found = "'\\' before \(source.describeCharacter(at: fault.offset + 1))"
      allowed = "\\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits"
      hint = "write \\\\ for a backslash"
    case .hexadecimalDigits:
      message = "a \\u escape is incomplete"
      allowed = "four digits from 0 to 9 and A to F"
    case .loneSurrogate:
      message = "a \\u escape is half of a surrogate pair"
      found = "a surrogate without its partner"
      allowed = "\\uD800 to \\uDBFF followed by \\uDC00 to \\uDFFF, or no surrogate"
      hint = "write the character itself in UTF-8"
    default:
      message = "a string is not valid UTF-8"
      allowed = "UTF-8"
      hint = "save the file as UTF-8"
    }
  }

  private mutating func explain(_ expectation: JSONFault.Expectation) {
    switch expectation {
    case .value, .element:
      message = "a value is missing"
      allowed = "a value"
    case .elementOrEnd:
      message = "a value is missing"
      allowed = "a value or ']'"
    case .keyOrEnd:
      message = "a key is missing"
      allowed = "a key in double quotes or '}'"
    case .key:
      message = "a key is missing"
      allowed = "a key in double quotes"
    case .colon:
      message = "the colon after a key is missing"
      allowed = "':'"
    case .commaOrArrayEnd:
      message = "an element does not end here"
      allowed = "',' or ']'"
    case .commaOrObjectEnd:
      message = "a member does not end here"
      allowed = "',' or '}'"
    case .endOfDocument:
      message = "something follows the value of the text"
      allowed = "the end of the text"
    }
  }

  private static func hint(
    _ expectation: JSONFault.Expectation, at offset: Int, in source: JSONSourceText,
    openContainer: (isObject: Bool, offset: Int)?
  ) -> String? {
    guard let scalar = source.scalar(at: offset) else {
      guard offset == source.bytes.count, let openContainer else { return nil }
      let kind = openContainer.isObject ? "object" : "array"
      return "the \(kind) opened at \(source.location(of: openContainer.offset)) is not closed"
    }
    switch (scalar, expectation) {
    case ("]", .element), ("}", .key):
      return "remove the comma before it"
    case (",", _):
      return "remove the comma"
    case ("'", _), ("`", _), ("\u{2018}"..."\u{201F}", _):
      return "keys and text are written in straight double quotes"
    case ("/", _), ("#", _):
      return "JSON has no comments; remove it"
    case ("=", .colon):
      return "write ':' between a key and its value"
    case ("+", _):
      return "a number is written without a plus"
    case (".", _):
      return "write a zero before the point"
    case ("\u{00A0}", _), ("\u{FEFF}", _), ("\u{2000}"..."\u{200F}", _):
      return "replace the invisible character by a plain space"
    case ("\"", .commaOrArrayEnd), ("\"", .commaOrObjectEnd), ("{", .commaOrArrayEnd),
      ("[", .commaOrArrayEnd):
      return "a comma is missing before it"
    case ("\"", .endOfDocument), ("{", .endOfDocument), ("[", .endOfDocument):
      return "a text holds one value; put several into an array"
    case (_, .key), (_, .keyOrEnd):
      return scalar.properties.isAlphabetic ? "write the key in double quotes" : nil
    case (_, .value), (_, .element), (_, .elementOrEnd):
      return wordHint(at: offset, in: source)
    default:
      return nil
    }
  }

  private static func wordHint(at offset: Int, in source: JSONSourceText) -> String? {
    let replacements = [
      ("True", "write true"), ("TRUE", "write true"), ("yes", "write true"),
      ("False", "write false"), ("FALSE", "write false"), ("None", "write null"),
      ("NULL", "write null"), ("Null", "write null"), ("undefined", "write null"),
      ("NaN", "JSON has no NaN; write null or leave the member out"),
      ("Infinity", "JSON has no infinity; write null or leave the member out"),
    ]
    if let known = replacements.first(where: { source.starts(with: $0.0, at: offset) }) {
      return known.1
    }
    let isLetter = source.byte(at: offset).map(JSONParser.isLetter) ?? false
    return isLetter ? "text is written in double quotes" : nil
  }
}
