public import CardFeed

/// Keeps a deal from holding more than `most` cards with the same value in a category column.
///
/// The best ones of each value stay, the others are withheld from this deal with the reason, also
/// when the hand stays short because of it. Cards without a value are not counted. The rule sees
/// one round of a deal: cards that lie in the hand already, or were chosen in an earlier round,
/// are not counted.
public struct GroupCapRule<D: Deck>: SlateRule {
  private let column: String
  private let most: Int

  /// Caps the cards of one value.
  ///
  /// - Parameters:
  ///   - column: The name of a category column.
  ///   - most: Cards of one value at most, 1 or more.
  public init(column: String, most: Int) {
    precondition(most > 0, "At least one card of each value may be dealt; got most \(most).")
    self.column = column
    self.most = most
  }

  /// Withholds from the end of the ranking. O(n). Throws `FeedError.Code.badInput` when the deck's
  /// column holds no categories.
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    let slate = ranked.slate
    guard slate.count > 0 else { return SlateAdjustment() }
    guard case .category(let codes, _)? = slate.table.column(column) else {
      throw FeedError(
        .badInput, "the slate rule 'group-cap' found no category column '\(column)' in the deck",
        hint: "name a column that holds one name for each card")
    }
    var adjustment = SlateAdjustment()
    var counts: [Int32: Int] = [:]
    for (place, row) in slate.rows.enumerated() where codes[row.index] >= 0 {
      counts[codes[row.index], default: 0] += 1
      if counts[codes[row.index], default: 0] > most {
        adjustment.withheld[place] = "\(most) of the same \(column) in the deal"
      }
    }
    return adjustment
  }
}
