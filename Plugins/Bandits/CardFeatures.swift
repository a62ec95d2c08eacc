internal import CardFeed

/// The numbers of cards that a bandit learns from: columns of numbers, each divided by a scale.
struct CardFeatures: Sendable, Hashable {
  /// A column and what its numbers are divided by.
  struct Column: Sendable, Hashable {
    let name: String
    let scale: Double
  }

  let columns: [Column]

  /// Beyond this a number counts as this, so that sums of whole numbers do not run over.
  static let reach = 8.0

  /// The numbers and a constant of one card; nil where one of them is not known. Throws
  /// `FeedError.Code.badInput` when the deck has no such column.
  func reader<D: Deck>(
    _ table: CardTable<D>, askedBy ranking: String
  ) throws -> (Row) -> [Double]? {
    let readers = try columns.map { column -> (Row) -> Double in
      let scale = column.scale
      switch table.column(column.name) {
      case .float(let values): return { values[$0.index] / scale }
      case .integer(let values):
        return { row in
          values[row.index] == .min ? .nan : Double(values[row.index]) / scale
        }
      default:
        throw FeedError(
          .badInput,
          "the ranking '\(ranking)' found no column of numbers '\(column.name)' in the deck",
          hint: "name a column that holds a number for each card")
      }
    }
    return { row in
      var numbers: [Double] = []
      numbers.reserveCapacity(readers.count + 1)
      for reader in readers {
        let number = reader(row)
        guard !number.isNaN else { return nil }
        numbers.append(min(max(number, -Self.reach), Self.reach))
      }
      numbers.append(1)
      return numbers
    }
  }
}
