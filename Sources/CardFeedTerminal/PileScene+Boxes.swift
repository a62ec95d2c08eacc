extension PileScene {
  /// The signs of a frame: corners from the upper left clockwise, then the two lines.
  private var frame: [Glyph] {
    let signs = characters == .unicode ? "╭╮╯╰─│" : "++++-|"
    return Glyph.glyphs(of: signs, characters)
  }

  /// A filled box with a frame.
  func box(columns: Int, rows: Int, _ style: CellStyle) -> Canvas {
    var box = Canvas(TerminalSize(columns: columns, rows: rows))
    let (right, bottom) = (box.size.columns - 1, box.size.rows - 1)
    let line = repeatElement(frame[4], count: max(right - 1, 0))
    box.write([frame[0]] + line + [frame[1]], row: 0, column: 0, style)
    for row in stride(from: 1, to: bottom, by: 1) {
      box.put(frame[5], row: row, column: 0, style)
      box.put(frame[5], row: row, column: right, style)
    }
    box.write([frame[3]] + line + [frame[2]], row: bottom, column: 0, style)
    return box
  }

  /// A card as a box.
  ///
  /// - Parameters:
  ///   - inset: How many columns it is narrower at each side than the top card. Its text stays where
  ///     it will be once the card lies on top, so that nothing is broken anew while it rises.
  func card(
    _ face: PileCard, columns: Int, rows: Int, inset: Int, isPale: Bool, isTop: Bool = false
  ) -> Canvas {
    var style = CellStyle.plain
    style.isDim = isPale
    var card = box(columns: columns, rows: rows, style)
    let margin = 4
    let width = columns + 2 * inset - 2 * margin
    guard width >= 8 else { return card }
    let room = rows - 2
    let lines = lines(of: face, width: width, room: room, isTurned: isTop && isTurned, isTop: isTop)
    for (line, content) in lines.prefix(room).enumerated() {
      var style = content.style
      style.isDim = style.isDim || isPale
      if isPale { style.isBold = false }
      let isCut = line == room - 1 && lines.count > room
      let rest = isCut ? " " + (characters == .unicode ? "…" : "...") : ""
      let text = TextLines.cut(content.glyphs + glyphs(rest), width: width, characters)
      card.write(text, row: line + 1, column: margin - inset, style)
    }
    return card
  }

  private struct Line {
    var glyphs: [Glyph]
    var style: CellStyle = .plain
  }

  private func lines(
    of face: PileCard, width: Int, room: Int, isTurned: Bool, isTop: Bool
  ) -> [Line] {
    var bold = CellStyle.plain
    bold.isBold = true
    var dim = CellStyle.plain
    dim.isDim = true
    var coloured = CellStyle.plain
    coloured.colour = .cyan
    func wrapped(_ text: String, _ style: CellStyle = .plain) -> [Line] {
      TextLines.wrapped(glyphs(text), width: width).map { Line(glyphs: $0, style: style) }
    }
    var lines = wrapped(face.title, bold) + wrapped(face.subtitle, dim)
    func gap() { lines.append(Line(glyphs: [])) }
    for paragraph in face.body where !paragraph.isEmpty {
      gap()
      lines += wrapped(paragraph)
    }
    if !face.back.isEmpty, isTop {
      gap()
      if isTurned {
        for paragraph in face.back { lines += wrapped(paragraph, bold) }
      } else {
        lines += wrapped("(space turns the card)", dim)
      }
    }
    if !face.tags.isEmpty {
      gap()
      lines += wrapped(face.tags.joined(separator: characters == .unicode ? " · " : ", "), coloured)
    }
    if isTop, isTurned, !face.back.isEmpty, lines.count > room {
      // Where there is no room for both sides, the one that was asked for is shown.
      let back = face.back.flatMap { wrapped($0, bold) }
      return wrapped(face.title, dim).prefix(max(0, min(1, room - back.count))) + back
    }
    return lines
  }

  /// A window in the middle of the pile.
  func draw(
    _ panel: Panel, footer: String?, in geometry: PileGeometry, on canvas: inout Canvas
  ) {
    let columns = min(canvas.size.columns - 2, 64)
    let width = columns - 4
    let text = panel.paragraphs.flatMap { paragraph in
      let lines = TextLines.wrapped(glyphs(paragraph), width: width)
      return lines.isEmpty ? [[]] : lines
    }
    let room = geometry.noticeRow - 1
    let shown = max(1, min(text.count, room - 4))
    let first = max(0, min(panel.scroll, text.count - shown))
    var style = CellStyle.plain
    style.isBold = true
    style.colour = panel.isFestive ? .green : nil
    var box = box(columns: columns, rows: shown + 4, style)
    var title = style
    title.isReversed = panel.isFestive
    center(" \(panel.title) ", row: 1, on: &box, title)
    for (row, line) in text[first..<min(first + shown, text.count)].enumerated() {
      box.write(line, row: row + 2, column: 2)
    }
    var dim = CellStyle.plain
    dim.isDim = true
    let isScrolled = text.count > shown
    let more = "\(first + 1)-\(first + shown) of \(text.count), up and down"
    if let footer { center(isScrolled ? more : footer, row: shown + 2, on: &box, dim) }
    let column = (canvas.size.columns - columns) / 2
    canvas.draw(box, row: 1 + max(0, room - box.size.rows) / 2) { _ in column }
  }

  private func center(_ text: String, row: Int, on box: inout Canvas, _ style: CellStyle) {
    let glyphs = cut(text, box.size.columns - 4)
    let column = (box.size.columns - TextLines.width(of: glyphs)) / 2
    box.write(glyphs, row: row, column: column, style)
  }

  /// The keys, as many on a line as fit, on three lines at most.
  func hintLines(width: Int) -> [[Hint]] {
    var lines: [[Hint]] = []
    var columns = width
    for hint in hints {
      let needed = TextLines.width(of: glyphs(hint.key + hint.action)) + 3
      if columns + needed > width {
        guard lines.count < 3 else { break }
        lines.append([])
        columns = 0
      }
      lines[lines.count - 1].append(hint)
      columns += needed
    }
    return lines
  }

  func draw(_ hints: [Hint], row: Int, on canvas: inout Canvas) {
    var bold = CellStyle.plain
    bold.isBold = true
    let widths = hints.map { TextLines.width(of: glyphs($0.key + $0.action)) + 3 }
    var column = max(1, (canvas.size.columns - widths.reduce(0, +) + 2) / 2)
    for hint in hints {
      column = canvas.write(glyphs(hint.key), row: row, column: column, bold)
      column = canvas.write(glyphs(" " + hint.action), row: row, column: column) + 2
    }
  }
}
