/// Makes the sides of a card from the fields of its note, as Anki's templates say: fields,
/// conditional parts, and gaps of cloze texts. Filters for reading aloud, hints and typing give what
/// a text can hold of them.
struct AnkiTemplate {
  /// The fields of the note by name.
  let fields: [String: String]
  /// The number of the gap that is asked, from 1; nil for a note without gaps.
  let gap: Int64?
  /// Whether this is the side that answers.
  let isAnswer: Bool

  /// The side as HTML. Of the answering side only what follows the line that ends the question.
  /// O(length).
  func side(_ template: String) -> String {
    var html = ""
    // The names of conditional parts that are open, and whether each is shown.
    var open: [(name: Substring, isShown: Bool)] = []
    for piece in Self.pieces(of: template) {
      let isShown = open.allSatisfy(\.isShown)
      switch piece {
      case .text(let text): if isShown { html += text }
      case .tag(let tag):
        let name = Self.trimmed(tag.dropFirst())
        switch tag.first {
        case "#": open.append((name, hasContent(name)))
        case "^": open.append((name, !hasContent(name)))
        case "/": if open.last?.name == name { open.removeLast() }
        default: if isShown { html += value(of: Self.trimmed(tag)) }
        }
      }
    }
    guard isAnswer else { return html }
    for line in ["<hr id=answer>", "<hr id=\"answer\">", "<hr id='answer'>"] {
      if let end = html.firstRange(of: line)?.upperBound { return String(html[end...]) }
    }
    return html
  }

  private enum Piece {
    case text(Substring)
    case tag(Substring)
  }

  private static func pieces(of template: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = template[...]
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      pieces.append(.text(rest[..<start.lowerBound]))
      pieces.append(.tag(rest[start.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    pieces.append(.text(rest))
    return pieces
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private func hasContent(_ name: Substring) -> Bool {
    if let gap, name.first == "c", let number = Int64(name.dropFirst()) { return number == gap }
    return !AnkiText.plain(fields[String(name)] ?? "").isEmpty
  }

  private func value(of tag: Substring) -> String {
    let parts = tag.split(separator: ":", omittingEmptySubsequences: false)
    // The answer does not say the question again.
    guard let name = parts.last, tag != "FrontSide" else { return "" }
    guard var html = fields[String(Self.trimmed(name))] else { return "" }
    // The filter next to the field comes first.
    for filter in parts.dropLast().reversed() {
      switch Self.trimmed(filter) {
      case "cloze": html = AnkiCloze.text(html, asking: gap ?? 0, isAnswer: isAnswer)
      case "type": if !isAnswer { html = "" }
      case "hint": html = ""
      case let filter where filter.hasPrefix("tts"): html = ""
      default: break
      }
    }
    return html
  }
}

/// Texts with gaps, `{{c1::hidden::hint}}`, which may lie in one another.
enum AnkiCloze {
  /// The text with the gap of a number open, or on the answering side filled; the others are filled.
  static func text(_ html: String, asking gap: Int64, isAnswer: Bool) -> String {
    var rest = html[...]
    return fill(&rest, asking: gap, isAnswer: isAnswer, isInside: false).text
  }

  /// Reads to the end, or to the end of the gap it is in. The hint is nil where there is none.
  private static func fill(
    _ rest: inout Substring, asking gap: Int64, isAnswer: Bool, isInside: Bool
  ) -> (text: String, hint: String?) {
    var (text, hint) = ("", String?.none)
    func add(_ more: some StringProtocol) {
      if hint == nil { text += more } else { hint?.append(contentsOf: more) }
    }
    while let character = rest.first {
      if isInside, rest.hasPrefix("}}") {
        rest.removeFirst(2)
        return (text, hint)
      }
      if isInside, hint == nil, rest.hasPrefix("::") {
        rest.removeFirst(2)
        hint = ""
      } else if let number = opening(&rest) {
        let inner = fill(&rest, asking: gap, isAnswer: isAnswer, isInside: true)
        let isAsked = number == gap && !isAnswer
        add(isAsked ? "[" + (inner.hint ?? "...") + "]" : inner.text)
      } else {
        add(String(character))
        rest.removeFirst()
      }
    }
    return (text, hint)
  }

  /// Takes the beginning of a gap, such as `{{c1::`, and gives its number.
  private static func opening(_ rest: inout Substring) -> Int64? {
    guard rest.hasPrefix("{{c") else { return nil }
    let digits = rest.dropFirst(3).prefix { $0.isASCII && $0.isNumber }
    let after = rest[digits.endIndex...]
    guard let number = Int64(digits), after.hasPrefix("::") else { return nil }
    rest = after.dropFirst(2)
    return number
  }
}
