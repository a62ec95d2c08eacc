internal import CardFeedLayout

extension PileScene {
  /// The scene on a screen. O(columns × rows).
  public func canvas(size: TerminalSize) -> Canvas {
    var canvas = Canvas(size)
    let smallest = PileGeometry.smallest
    guard size.columns >= smallest.columns, size.rows >= smallest.rows else {
      let text = "\(smallest.columns)x\(smallest.rows) needed"
      canvas.write(cut(text, size.columns), row: 0, column: 0)
      return canvas
    }
    let hints = hintLines(width: size.columns)
    let geometry = PileGeometry(size: size, hintRows: hints.count, layout: layout)
    if let empty, cards.isEmpty {
      draw(empty, footer: nil, in: geometry, on: &canvas)
    } else {
      drawPile(geometry, on: &canvas)
    }
    drawHeader(on: &canvas)
    clearBelow(geometry, on: &canvas)
    drawNotice(geometry, on: &canvas)
    for (line, hint) in hints.enumerated() { draw(hint, row: geometry.hintRow + line, on: &canvas) }
    if let panel { draw(panel, footer: "any key", in: geometry, on: &canvas) }
    return canvas
  }

  /// The layout's geometry of the screen, for whoever moves the top card.
  public func geometry(size: TerminalSize) -> PileGeometry {
    PileGeometry(
      size: size, hintRows: hintLines(width: size.columns).count, layout: layout)
  }

  func glyphs(_ text: String) -> [Glyph] { Glyph.glyphs(of: text, characters) }

  func cut(_ text: String, _ width: Int) -> [Glyph] {
    TextLines.cut(glyphs(text), width: width, characters)
  }

  private func drawHeader(on canvas: inout Canvas) {
    let columns = canvas.size.columns
    var style = CellStyle.plain
    style.isReversed = true
    canvas.write(repeatElement(.space, count: columns), row: 0, column: 0, style)
    let status = cut(status, columns / 2)
    let width = TextLines.width(of: status)
    canvas.write(cut(header, columns - width - 3), row: 0, column: 1, style)
    canvas.write(status, row: 0, column: columns - width - 1, style)
  }

  /// A card that flies down goes behind the keys.
  private func clearBelow(_ geometry: PileGeometry, on canvas: inout Canvas) {
    for row in geometry.noticeRow..<canvas.size.rows {
      canvas.write(repeatElement(.space, count: canvas.size.columns), row: row, column: 0)
    }
  }

  private func drawNotice(_ geometry: PileGeometry, on canvas: inout Canvas) {
    var style = CellStyle.plain
    style.isBold = true
    style.colour = isFailure ? .red : .cyan
    let text = cut(notice, canvas.size.columns - 2)
    let column = (canvas.size.columns - TextLines.width(of: text)) / 2
    canvas.write(text, row: geometry.noticeRow, column: column, style)
  }

  private func drawPile(_ geometry: PileGeometry, on canvas: inout Canvas) {
    let below = cards.dropFirst().prefix(max(layout.window.upperBound, 0)).enumerated()
    let layers = below.map { offset, face in
      (face, layout.style.layer(at: offset + 1, drag: displacement.drag))
    }
    for (face, layer) in layers.sorted(by: { $0.1.z < $1.1.z }) {
      let inset = Int((Double(geometry.columns) * (1 - layer.scale) / 2).rounded())
      let rows = Int((Double(geometry.rows) * layer.scale).rounded())
      let card = card(
        face, columns: geometry.columns - 2 * inset, rows: rows, inset: inset,
        isPale: layer.alpha < 0.95)
      let row = geometry.row + geometry.rows(ofPoints: layer.offsetY)
      canvas.draw(card, row: row) { _ in geometry.column + inset }
    }
    guard let top = cards.first else { return }
    var card = card(
      top, columns: geometry.columns, rows: geometry.rows, inset: 0, isPale: false, isTop: true)
    draw(stamp, on: &card)
    let middle = Double(geometry.rows - 1) / 2
    // A tilted card in rows: those above its middle go the way it turns. A row is as high as two
    // columns are wide.
    let slope = Self.tangent(ofDegrees: min(max(displacement.rotation, -30), 30))
    let x = geometry.columns(ofPoints: displacement.x)
    canvas.draw(card, row: geometry.row + geometry.rows(ofPoints: displacement.y)) { line in
      geometry.column + x + Int(((middle - Double(line)) * 2 * slope).rounded())
    }
  }

  /// By its series; within 30° it is off by less than 0.002, a part of a column.
  private static func tangent(ofDegrees degrees: Double) -> Double {
    let angle = degrees * .pi / 180
    let square = angle * angle
    return angle * (1 + square * (1.0 / 3 + square * (2.0 / 15)))
  }

  private func draw(_ stamp: Stamp?, on card: inout Canvas) {
    guard let stamp, stamp.opacity >= 0.2 else { return }
    var style = CellStyle.plain
    style.colour = stamp.colour
    style.isReversed = true
    style.isBold = stamp.opacity >= 0.6
    style.isDim = !style.isBold
    let text = cut(" \(stamp.text.uppercased()) ", card.size.columns - 4)
    card.write(
      text, row: 0, column: (card.size.columns - TextLines.width(of: text)) / 2, style)
  }
}
