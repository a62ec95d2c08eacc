public import CardFeed

/// Keeps cards whose place is near enough to the viewer's, in any deck of people with a column of
/// places.
///
/// The limit is inclusive. With further limits the filter is soft: when cards run out, they are
/// taken one after the other, in the order in which they are declared. A place that is not known,
/// the card's or the viewer's, is at no distance: neither near nor far. Such cards are kept or
/// removed as the host says, and no relaxation changes that.
///
/// When not to use it: for limits that people set themselves in the dating deck, which
/// `mutual-preferences` compares in both directions.
public struct WithinDistanceFilter<D: Deck>: FilterStrategy {
  private enum Reason {
    static var tooFar: Int { 0 }
    static var unknown: Int { 1 }
  }

  private let column: String
  private let limits: [Distance]
  private let keepsUnknown: Bool

  /// A filter by distance.
  ///
  /// - Parameters:
  ///   - limit: How far away a card may be, inclusive.
  ///   - relaxed: Greater limits, ascending; with none the filter is hard.
  ///   - column: The name of a column of places.
  ///   - keepsUnknown: Whether cards stay whose distance is not known.
  public init(
    _ limit: Distance, relaxed: [Distance] = [], column: String = "place",
    keepsUnknown: Bool = false
  ) {
    limits = [limit] + relaxed
    precondition(
      zip(limits, limits.dropFirst()).allSatisfy { $0 < $1 },
      "Each limit of a distance filter is greater than the one before it.")
    self.column = column
    self.keepsUnknown = keepsUnknown
  }

  /// Soft if there is more than one limit.
  public var kind: FilterKind { relaxations > 0 ? .soft : .hard }

  /// The further limits.
  public var relaxations: Int { limits.count - 1 }

  /// Why it removes cards.
  public var reasons: [String] { ["too far away", "the distance is not known"] }

  /// Measures from the viewer's place. O(n). Throws `FeedError.Code.badInput` when the column does
  /// not hold places.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    let unknown: FilterVerdict = keepsUnknown ? .keep : .remove(reason: Reason.unknown)
    guard slate.count > 0 else { return [] }
    let places = try slate.places(column, askedBy: "the filter 'within-distance'")
    guard let here = slate.context.row.flatMap({ places[$0.index] }) else {
      return slate.rows.map { _ in unknown }
    }
    let limit = limits[min(relaxation, relaxations)]
    let box = PlaceBox(around: here, within: limit)
    return slate.rows.map { row in
      guard let place = places[row.index] else { return unknown }
      return box.contains(place) && here.distance(to: place) <= limit
        ? .keep : .remove(reason: Reason.tooFar)
    }
  }
}
