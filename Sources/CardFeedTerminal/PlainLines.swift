/// What a terminal shows that cannot move its cursor: lines, one below the other, and no control
/// sequence at all.
///
/// Only scenes in which nothing moves are worth writing.
public struct PlainLines: Sendable {
  private var written: [String] = []

  /// Nothing is written yet.
  public init() {}

  /// The bytes that a scene adds: its lines, if they are others than before. O(scene).
  public mutating func bytes(for scene: PileScene, columns: Int) -> [UInt8] {
    let lines = scene.lines(columns: max(columns, 20) - 1)
    guard lines != written else { return [] }
    written = lines
    return Array(("\r\n" + lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// Forgets what is written, so that the next scene is.
  public mutating func forget() { written = [] }
}

extension PileScene {
  fileprivate func lines(columns: Int) -> [String] {
    func wrapped(_ text: String) -> [String] {
      TextLines.wrapped(glyphs(text), width: columns).map { $0.map(\.text).joined() }
    }
    var lines = wrapped("[ \(header) | \(status) ]")
    if let panel {
      lines += wrapped(panel.title) + panel.paragraphs.flatMap(wrapped)
      return lines + wrapped("(any key)")
    }
    if let top = cards.first {
      lines += [top.title, top.subtitle].flatMap(wrapped) + top.body.flatMap(wrapped)
      if isTurned { lines += top.back.flatMap(wrapped) }
      if !isTurned, !top.back.isEmpty { lines += wrapped("(space turns the card)") }
      if !top.tags.isEmpty { lines += wrapped(top.tags.joined(separator: ", ")) }
    } else if let empty {
      lines += wrapped(empty.title) + empty.paragraphs.flatMap(wrapped)
    }
    if !notice.isEmpty { lines += wrapped(notice) }
    return lines + wrapped(hints.map { "\($0.key) \($0.action)" }.joined(separator: ", "))
  }
}
