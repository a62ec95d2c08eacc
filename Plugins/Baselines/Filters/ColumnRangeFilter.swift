public import CardFeed

/// Keeps cards whose number in a column is neither too small nor too great, in any deck.
///
/// Bounds are inclusive. A number that is not known is neither inside nor outside: such cards are kept
/// or removed as the host says.
public struct ColumnRangeFilter<D: Deck>: FilterStrategy {
  private let column: String
  private let range: ClosedRange<Double>
  private let keepsUnknown: Bool

  /// A filter by a column of numbers or of whole numbers.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - range: What is kept; infinite where there is no bound.
  ///   - keepsUnknown: Whether cards stay whose number is not known.
  public init(column: String, range: ClosedRange<Double>, keepsUnknown: Bool = false) {
    self.column = column
    self.range = range
    self.keepsUnknown = keepsUnknown
  }

  /// Why it removes cards.
  public var reasons: [String] {
    ["\(column) is too small", "\(column) is too great", "\(column) is not known"]
  }

  /// Compares numbers. O(n). Throws `FeedError.Code.badInput` when the column holds no numbers.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    guard slate.count > 0 else { return [] }
    switch slate.table.column(column) {
    case .float(let values)?:
      return slate.rows.map { verdict(values[$0.index]) }
    case .integer(let values)?:
      return slate.rows.map { row in
        let value = values[row.index]
        return verdict(value == .min ? .nan : Double(value))
      }
    default:
      throw FeedError(
        .badInput, "the filter 'column-range' found no column of numbers '\(column)' in the deck",
        hint: "name a column that holds numbers")
    }
  }

  private func verdict(_ value: Double) -> FilterVerdict {
    if value.isNaN { return keepsUnknown ? .keep : .remove(reason: 2) }
    if value < range.lowerBound { return .remove(reason: 0) }
    return value <= range.upperBound ? .keep : .remove(reason: 1)
  }
}
