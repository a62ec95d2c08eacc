extension ConfigurationReader {
  /// Parses a text. Throws its syntax error as the only problem.
  static func document(
    parsing bytes: [UInt8], file: String
  ) throws(ConfigurationError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw ConfigurationError(file: file, error)
    }
  }

  /// Reads a document: its duplicate keys are problems, and so is what `decode` reports. Throws all
  /// of them at once.
  static func read<Value>(
    _ document: JSONDocument, file: String,
    _ decode: (JSONValue, inout ConfigurationReader) -> Value?
  ) throws(ConfigurationError) -> Value {
    var reader = ConfigurationReader()
    for duplicate in document.duplicateKeys {
      reader.report(
        "the key stands twice; the first is at \(duplicate.first)", at: duplicate.path,
        duplicate.duplicate, allowed: "each key once")
    }
    let decoded = decode(document.root, &reader)
    guard let decoded, reader.problems.isEmpty else {
      throw ConfigurationError(file: file, unordered: reader.problems)
    }
    return decoded
  }

  /// Reads a text strictly.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - file: What error texts call it.
  ///   - decode: Makes the value, and reports to the reader what is wrong; nil if it cannot.
  /// - Throws: A `ConfigurationError` with every problem at once, or with the syntax error.
  public static func read<Value>(
    parsing bytes: [UInt8], file: String,
    _ decode: (JSONValue, inout ConfigurationReader) -> Value?
  ) throws(ConfigurationError) -> Value {
    try read(document(parsing: bytes, file: file), file: file, decode)
  }
}
