internal import CardFeed

/// When a viewer needs a consumable again.
///
/// The rhythm is the viewer's own where they have bought the product often enough: the median of the
/// days between their purchases. Else it is the product's (`rhythm_days`), else the median of those in
/// its category, or in the next one above it that has any, else what the host says.
///
/// The median, because a viewer who was away, or bought for a party, has one odd interval and not
/// another rhythm.
struct PurchaseRhythm: Sendable {
  /// How many own intervals the viewer's rhythm needs.
  let intervals: Int
  /// The rhythm where nothing else is known, in days.
  let fallbackDays: Double
  /// The share of the rhythm by which a product may come early, 0 … 1.
  let early: Double
  private let categories = TableMemo<ProductDeck, CategoryRhythms>()

  init(intervals: Int, fallbackDays: Double, early: Double) {
    self.intervals = intervals
    self.fallbackDays = fallbackDays
    self.early = early
  }

  /// When a product that was bought is due again; nil for one that was not bought, or that lasts.
  ///
  /// - Complexity: O(purchases · log purchases), and once for each table O(cards).
  func due(
    _ entry: ProductHistory.Entry, row: Row, in table: CardTable<ProductDeck>
  ) -> Timestamp? {
    guard let last = entry.purchases.last else { return nil }
    let product = table.card(at: row)
    guard product.repeat == .consumable else { return nil }
    return last.after(days: days(entry.purchases, product, in: table) * (1 - early))
  }

  /// The rhythm of a product for whoever bought it at these times, in days.
  func days(
    _ purchases: [Timestamp], _ product: Product, in table: CardTable<ProductDeck>
  ) -> Double {
    let own = zip(purchases, purchases.dropFirst()).map { $1.days(since: $0) }
    if own.count >= intervals, let median = Self.median(own) { return median }
    if let days = product.rhythmDays { return days }
    return categories.value(of: table, CategoryRhythms.init)[product] ?? fallbackDays
  }

  /// The middle value, or the mean of the two middle ones; nil of none. O(n · log n).
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// The median rhythm of the products of each category, those of the categories below it among them.
private struct CategoryRhythms: Sendable {
  private let medians: [[UInt8]: Double]

  /// O(cards).
  init(_ table: CardTable<ProductDeck>) {
    var known: [[UInt8]: [Double]] = [:]
    for index in 0..<table.count where table.isAvailable(Row(index)) {
      let product = table.card(at: Row(index))
      guard product.repeat == .consumable, let days = product.rhythmDays else { continue }
      // As bytes, since Unicode twins are two categories.
      for path in product.paths { known[Array(path.utf8), default: []].append(days) }
    }
    medians = known.compactMapValues(PurchaseRhythm.median)
  }

  /// Of the narrowest category of the product that has one.
  subscript(product: Product) -> Double? {
    product.paths.reversed().lazy.compactMap { medians[Array($0.utf8)] }.first
  }
}
