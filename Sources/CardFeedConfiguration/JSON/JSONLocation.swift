/// A place in JSON source text, as an editor shows it.
///
/// Columns count Unicode scalars (code points), not bytes and not grapheme clusters, so that a
/// column is cheap to compute and the same on every platform. A line ends at a line feed, at a
/// carriage return, or at both together.
public struct JSONLocation: Hashable, Sendable {
  private let storedLine: UInt32
  private let storedColumn: UInt32
  private let storedByteOffset: UInt32

  /// The first place of a text: line 1, column 1, byte 0.
  public static let start = JSONLocation(line: 1, column: 1, byteOffset: 0)

  /// Makes a location.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - column: The column in Unicode scalars, counted from 1.
  ///   - byteOffset: The number of bytes before the place.
  public init(line: Int, column: Int, byteOffset: Int) {
    precondition(
      line >= 1 && column >= 1 && byteOffset >= 0,
      "A JSON location counts lines and columns from 1 and bytes from 0; pass such numbers.")
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
    storedByteOffset = UInt32(clamping: byteOffset)
  }

  init(unchecked line: UInt32, _ column: Int, _ byteOffset: Int) {
    storedLine = line
    // Columns and offsets of a parsed text are below its size, which the parser bounds to 32 bits.
    storedColumn = UInt32(truncatingIfNeeded: column)
    storedByteOffset = UInt32(truncatingIfNeeded: byteOffset)
  }

  /// The line, counted from 1.
  public var line: Int { Int(storedLine) }

  /// The column in Unicode scalars, counted from 1.
  public var column: Int { Int(storedColumn) }

  /// The number of bytes before the place.
  public var byteOffset: Int { Int(storedByteOffset) }
}

extension JSONLocation: CustomStringConvertible {
  /// The place in words: `line 3, column 14`.
  public var description: String { "line \(line), column \(column)" }
}
