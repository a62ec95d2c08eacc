public import CardFeedConfiguration

extension TextTable {
  /// Renders the table as CSV after RFC 4180: a header, commas, lines that end in CR LF, quotes
  /// where a field needs them. Numbers are in full, missing cells are empty.
  ///
  /// - Returns: UTF-8 without a byte order mark.
  public func csv() -> [UInt8] {
    var bytes: [UInt8] = []
    for fields in [titles] + rows.map({ $0.map(\.exactText) }) {
      for (column, field) in fields.enumerated() {
        if column > 0 { bytes.append(UInt8(ascii: ",")) }
        TextTable.append(field, isAlone: fields.count == 1, to: &bytes)
      }
      bytes.append(contentsOf: "\r\n".utf8)
    }
    return bytes
  }

  private static func append(_ field: String, isAlone: Bool, to bytes: inout [UInt8]) {
    let isSpecial = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    let hasOuterSpace = field.utf8.first == 0x20 || field.utf8.last == 0x20
    // A line with one empty field would read as no line at all.
    guard isSpecial || hasOuterSpace || (isAlone && field.isEmpty) else {
      bytes.append(contentsOf: field.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The table as JSON: an array with an object for every row, whose keys are the titles.
  /// Numbers are in full, missing cells are `null`.
  public func json() -> JSONValue {
    JSONValue(
      rows.map { row in
        JSONValue(JSONObject(zip(titles, row.map(\.jsonValue)).map { ($0, $1) }))
      })
  }

  /// The table as Markdown, the cells as people read them.
  public func markdown() -> String {
    let lines = [titles, titles.map { _ in "---" }] + rows.map { $0.map(\.displayText) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
