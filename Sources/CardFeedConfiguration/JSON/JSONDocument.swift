/// A JSON text, parsed.
///
/// The parser is strict: it takes exactly the grammar of RFC 8259 in valid UTF-8, without a byte
/// order mark, comments, trailing commas or lone surrogates, nested at most
/// ``maximumDepth`` deep, with numbers within the range of doubles. The first violation ends
/// parsing with a ``JSONSyntaxError``. Duplicate keys do not end it; they are listed in
/// ``duplicateKeys``, and a caller that wants a strict document refuses one with any.
public struct JSONDocument: Sendable {
  /// How deep arrays and objects may be nested.
  public static let maximumDepth = 128

  /// The value of the text.
  public let root: JSONValue

  /// Every key that stands twice in an object, in the order of their second places.
  public let duplicateKeys: [JSONDuplicateKey]

  /// Parses a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8, below 4 GiB.
  ///   - start: The place of the first byte, for a text that is part of a larger one, such as a
  ///     line of JSON Lines.
  /// - Throws: `JSONSyntaxError` for the first place where the text is not JSON.
  /// - Complexity: Linear in the number of bytes.
  public init(
    parsing bytes: [UInt8], startingAt start: JSONLocation = .start
  ) throws(JSONSyntaxError) {
    let result = bytes.withUnsafeBufferPointer { JSONParser.parse($0, startingAt: start) }
    self = try result.get()
  }

  /// Parses a JSON text in memory that the caller keeps valid for the time of the call.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8, below 4 GiB.
  ///   - start: The place of the first byte.
  /// - Throws: `JSONSyntaxError` for the first place where the text is not JSON.
  /// - Complexity: Linear in the number of bytes.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>, startingAt start: JSONLocation = .start
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes, startingAt: start).get()
  }

  /// Parses a JSON text.
  ///
  /// - Parameter text: The text.
  /// - Throws: `JSONSyntaxError` for the first place where the text is not JSON.
  /// - Complexity: Linear in the length of the text.
  public init(parsing text: String) throws(JSONSyntaxError) {
    var contiguous = text
    let result = contiguous.withUTF8 { JSONParser.parse($0, startingAt: .start) }
    self = try result.get()
  }

  init(root: JSONValue, duplicateKeys: [JSONDuplicateKey]) {
    self.root = root
    self.duplicateKeys = duplicateKeys
  }
}
