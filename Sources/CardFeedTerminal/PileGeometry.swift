public import CardFeedLayout

/// Where things are on a screen of some size.
public struct PileGeometry: Hashable, Sendable {
  /// How wide a card is in the layout's points, however many columns it has.
  public static let cardWidth = 320.0
  /// How many of the layout's points are one row: the smallest step by which a layer can look out.
  static let pointsPerRow = 8.0
  /// The smallest screen on which cards are drawn.
  public static let smallest = TerminalSize(columns: 24, rows: 10)

  /// Columns and rows of the top card.
  let columns: Int
  let rows: Int
  /// Where its upper left corner is.
  let column: Int
  let row: Int
  /// The first rows of the notice and of the keys.
  let noticeRow: Int
  let hintRow: Int

  init(size: TerminalSize, hintRows: Int, layout: LayoutPreset) {
    hintRow = size.rows - hintRows
    noticeRow = hintRow - 1
    columns = min(size.columns - 4, 52)
    // The layers look out above the top card.
    let depths = layout.window.upperBound > 0 ? Array(1...layout.window.upperBound) : []
    let offsets = depths.map { layout.style.layer(at: $0).offsetY / Self.pointsPerRow }
    let above = Int((-(offsets.min() ?? 0)).rounded())
    let room = noticeRow - 1
    let lookOut = max(0, min(above, room - 5))
    rows = max(min(room - lookOut, 16), 3)
    column = (size.columns - columns) / 2
    row = 1 + lookOut + max(0, room - lookOut - rows) / 2
  }

  /// The card in the layout's points.
  public var cardSize: CardSize {
    CardSize(width: Self.cardWidth, height: Double(rows) * Self.pointsPerRow)
  }

  /// Columns of a way to the right.
  func columns(ofPoints points: Double) -> Int {
    Int((points * Double(columns) / Self.cardWidth).rounded())
  }

  /// Rows of a way down.
  func rows(ofPoints points: Double) -> Int { Int((points / Self.pointsPerRow).rounded()) }
}
