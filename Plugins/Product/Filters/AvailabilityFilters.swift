public import CardFeed

/// Removes products that are sold out. Asked again about what lies in a hand, so that a product leaves
/// it with the last piece.
struct InStockFilter: FilterStrategy {
  typealias D = ProductDeck

  /// How many there must be.
  let least: Int64
  /// Whether products stay whose stock nobody counts.
  let keepsUnknown: Bool

  var reasons: [String] { ["sold out", "the stock is not known"] }

  /// O(n).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    guard case .integer(let stock)? = slate.table.column(ProductDeck.Column.stock) else {
      return slate.rows.map { _ in keepsUnknown ? .keep : .remove(reason: 1) }
    }
    return slate.rows.map { row in
      let count = stock[row.index]
      if count == .min { return keepsUnknown ? .keep : .remove(reason: 1) }
      return count >= least ? .keep : .remove(reason: 0)
    }
  }
}

/// Says in which region a viewer is.
///
/// A catalogue knows where products are sold; where a viewer is, the host knows. Called once for each
/// page of a deal: it must be quick, such as a look into a table in memory.
public protocol ViewerRegions: Sendable {
  /// The region of a viewer, by the name that products use; nil where it is not known.
  func region(of viewer: ViewerID) -> String?
}

/// Nobody's region is known.
public struct UnknownRegions: ViewerRegions {
  /// Needs nothing.
  public init() {}

  /// Nil.
  public func region(of viewer: ViewerID) -> String? { nil }
}

/// Removes products that are not sold where the viewer is.
///
/// A product without regions is sold everywhere. Of a viewer whose region is not known only such
/// products stay, unless the host says where those viewers are. Asked again about what lies in a hand.
struct RegionFilter: FilterStrategy {
  typealias D = ProductDeck

  let regions: any ViewerRegions
  /// Where viewers are of whom nothing is known; nil is nowhere.
  let fallback: String?

  var reasons: [String] { ["not sold in the viewer's region"] }

  /// O(n · regions of a product).
  func verdicts(
    for slate: Slate<ProductDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    guard case .tags(let codes, let names)? = slate.table.column(ProductDeck.Column.regions) else {
      return slate.rows.map { _ in .keep }
    }
    let region = regions.region(of: slate.context.viewer) ?? fallback
    let here = region.flatMap { names.code(of: $0) }
    return slate.rows.map { row in
      let sold = codes[row.index]
      guard !sold.isEmpty else { return .keep }
      return here.map { sold.contains($0) } ?? false ? .keep : .remove()
    }
  }
}
