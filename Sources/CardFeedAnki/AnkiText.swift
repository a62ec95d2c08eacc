/// Plain text of the HTML that Anki's fields hold, and HTML of plain text.
enum AnkiText {
  /// What a reader sees: without tags, with line breaks where a browser would make them, characters
  /// for their names, `[image: NAME]` for an image; blanks at the ends are left out. O(length).
  static func plain(_ html: String) -> String {
    var text = ""
    var rest = html.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "<", let tag = takeTag(&rest) {
        add(tag, to: &text, skippingIn: &rest)
      } else if scalar == "&", let character = takeCharacter(&rest) {
        text.unicodeScalars.append(character)
      } else if scalar == "\n" || scalar == "\r" {
        // A line break of the source is a blank, and none at the beginning of a line.
        rest.removeFirst()
        if let last = text.unicodeScalars.last, last != "\n", last != " " { text += " " }
      } else {
        text.unicodeScalars.append(scalar)
        rest.removeFirst()
      }
    }
    let blanks: Set<Unicode.Scalar> = [" ", "\n", "\t", "\r"]
    var trimmed = text.unicodeScalars.drop { blanks.contains($0) }
    while let last = trimmed.last, blanks.contains(last) { trimmed.removeLast() }
    return String(trimmed)
  }

  /// HTML that shows a text. O(length).
  static func html(_ plain: String) -> String {
    var html = ""
    for scalar in plain.unicodeScalars {
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\n": html += "<br>"
      case "\r": html += "&#13;"
      default: html.unicodeScalars.append(scalar)
      }
    }
    return html
  }

  private static let blocks: Set = [
    "address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul",
  ]

  /// Takes a tag or a comment; nil for a `<` that begins none.
  private static func takeTag(_ rest: inout String.UnicodeScalarView.SubSequence) -> String? {
    let after = rest.dropFirst()
    if after.starts(with: "!--".unicodeScalars) {
      var body = after.dropFirst(3)
      while !body.isEmpty, !body.starts(with: "-->".unicodeScalars) { body.removeFirst() }
      rest = body.dropFirst(3)
      return ""
    }
    guard let first = after.first, first == "/" || first == "!" || first.properties.isAlphabetic,
      let end = after.firstIndex(of: ">")
    else { return nil }
    let tag = String(after[..<end])
    rest = rest[rest.index(after: end)...]
    return tag
  }

  private static func add(
    _ tag: String, to text: inout String,
    skippingIn rest: inout String.UnicodeScalarView.SubSequence
  ) {
    let isEnd = tag.hasPrefix("/")
    let name = tag.dropFirst(isEnd ? 1 : 0).prefix { $0.isLetter || $0.isNumber }.lowercased()
    switch name {
    case "br": text += "\n"
    case "img": if let source = attribute("src", of: tag) { text += "[image: \(source)]" }
    case "style", "script":
      // What stands in them is for no reader.
      while !isEnd, !rest.isEmpty {
        if rest.first == "<", let end = takeTag(&rest) {
          if end.lowercased().hasPrefix("/" + name) { return }
        } else {
          rest.removeFirst()
        }
      }
    case let name where blocks.contains(name):
      if !text.isEmpty, text.unicodeScalars.last != "\n" { text += "\n" }
    default: break
    }
  }

  private static func attribute(_ name: String, of tag: String) -> Substring? {
    guard let range = tag.firstRange(of: name + "=") else { return nil }
    let value = tag[range.upperBound...]
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      return value.prefix { !$0.isWhitespace && $0 != "/" }
    }
    return value.dropFirst().prefix { $0 != quote }
  }

  private static let characters: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]

  /// Takes a character that stands by its name or number; nil for an `&` that begins none.
  private static func takeCharacter(
    _ rest: inout String.UnicodeScalarView.SubSequence
  ) -> Unicode.Scalar? {
    let body = rest.dropFirst().prefix(10)
    guard let end = body.firstIndex(of: ";") else { return nil }
    let name = String(body[..<end])
    let number: UInt32? =
      if name.hasPrefix("#x") || name.hasPrefix("#X") {
        UInt32(name.dropFirst(2), radix: 16)
      } else if name.hasPrefix("#") {
        UInt32(name.dropFirst())
      } else {
        nil
      }
    let scalar = number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) } ?? characters[name]
    if scalar != nil { rest = rest[rest.index(after: end)...] }
    return scalar
  }
}
