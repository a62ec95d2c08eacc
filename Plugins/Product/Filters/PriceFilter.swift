internal import CardFeed

/// Keeps products of one currency that cost neither too little nor too much.
///
/// Bounds are inclusive. With greater limits it is soft, and they are taken one after the other when
/// cards run out. Amounts of different currencies are never compared: a product in another currency
/// has no known price here.
struct PriceFilter: FilterStrategy {
  typealias D = ProductDeck

  let currency: Currency
  /// In minor units.
  let least: Int64
  /// In minor units, ascending; one or more. The first holds at first.
  let limits: [Int64]
  let keepsUnknown: Bool

  var kind: FilterKind { relaxations > 0 ? .soft : .hard }

  var relaxations: Int { limits.count - 1 }

  var reasons: [String] { ["too cheap", "too dear", "no price is known in the currency"] }

  /// O(n).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    let unknown: FilterVerdict = keepsUnknown ? .keep : .remove(reason: 2)
    guard case .integer(let prices)? = slate.table.column(ProductDeck.Column.price),
      case .category(let codes, let names)? = slate.table.column(ProductDeck.Column.currency),
      let code = names.code(of: currency.code)
    else { return slate.rows.map { _ in unknown } }
    let most = limits[min(relaxation, relaxations)]
    return slate.rows.map { row in
      guard codes[row.index] == code else { return unknown }
      let price = prices[row.index]
      if price < least { return .remove(reason: 0) }
      return price <= most ? .keep : .remove(reason: 1)
    }
  }
}
