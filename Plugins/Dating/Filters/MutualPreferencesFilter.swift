public import CardFeed

/// Keeps pairs in which each is of a gender and an age that the other looks for.
///
/// What is not stated is no preference: a person without `seeks` looks for everybody, and a missing
/// bound does not bind. Ages are full years in UTC at the moment of the deal, from the day of birth
/// or else the declared age; bounds are inclusive. Who was born on 29 February is a year older on
/// 1 March of a common year.
///
/// The filter fails closed: when a gender or an age is missing that the other side has a preference
/// about, the pair is `unavailable`. The same holds for a viewer without a card. Which of the two
/// sides does not want the other is never told.
///
/// Hard by default. A filter that `relaxes` is soft and can be relaxed once, by dropping the
/// viewer's own preferences; those of the other side always hold.
public struct MutualPreferencesFilter: FilterStrategy {
  /// The deck with the columns that it reads.
  public typealias D = DatingDeck

  private enum Reason {
    static let doNotFit = 0
    static let unavailable = 1
  }

  private let relaxes: Bool

  /// A filter that may or may not drop the viewer's own preferences when cards run out.
  public init(relaxes: Bool = false) { self.relaxes = relaxes }

  /// Soft if it relaxes.
  public var kind: FilterKind { relaxes ? .soft : .hard }

  /// Once, if it relaxes.
  public var relaxations: Int { relaxes ? 1 : 0 }

  /// Why it removes cards; the same for both sides.
  public var reasons: [String] { ["the preferences do not fit", "data unavailable"] }

  /// Compares both sides of each pair. O(n).
  public func verdicts(
    for slate: Slate<DatingDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    guard let viewer = slate.context.row,
      let wishes = WishColumns(slate.table, now: slate.context.now)
    else { return slate.rows.map { _ in unavailable } }
    let dropsOwn = relaxes && relaxation > 0
    return slate.rows.map { card in
      let own: WishColumns.Fit = dropsOwn ? .fits : wishes.fit(of: card, for: viewer)
      let other = wishes.fit(of: viewer, for: card)
      return switch max(own, other) {
      case .fits: .keep
      case .unknown: unavailable
      case .doesNotFit: .remove(reason: Reason.doNotFit)
      }
    }
  }

  /// A soft filter's `unavailable` keeps the card, which would let the other side's wishes fail
  /// open.
  private var unavailable: FilterVerdict {
    relaxes ? .remove(reason: Reason.unavailable) : .unavailable
  }
}
