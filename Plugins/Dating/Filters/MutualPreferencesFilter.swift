public import CardFeed

/// Whether a like stands although preferences have moved since.
public enum StandingLikes: String, Hashable, Sendable, CaseIterable {
  /// Who likes somebody is content with them: their preferences about that person count as met.
  /// So it is as long as the card is the one that they liked (`isAbout`).
  case honour
  /// Preferences decide, whatever was liked before.
  case ignore

  /// Whether a like is about the card as it is now: nothing of it has changed since.
  ///
  /// Both times are the feed's, since nobody's clock runs ahead of it in the log. In the same
  /// millisecond it is not known which of the two came first, and preferences decide.
  ///
  /// - Parameters:
  ///   - like: When the like was given, as the log has it.
  ///   - change: When the liked card last changed (`CardTable.changedAt`); nil if it is not known
  ///     to have changed.
  public static func isAbout(like: Timestamp, cardChangedAt change: Timestamp?) -> Bool {
    change.map { like > $0 } ?? true
  }
}

/// Keeps pairs in which each is what the other looks for: `MutualPreferences` over a slate.
///
/// The filter fails closed: when something is missing that the other side has a preference about,
/// the pair is `unavailable`. The same holds for a viewer without a card. Which of the two sides
/// does not want the other, and what about, is never told: there is one reason for all of it.
///
/// Where standing likes are honoured, a person who likes the viewer stays although that person's
/// preferences have moved past the viewer, so that the viewer can like them back; the viewer's own
/// preferences still hold, and so does every other filter. When the viewer's card has changed since
/// the like, it says nothing of who they are now: preferences decide again, until the next like. So
/// nobody gets past what others look for by becoming somebody else, nor finds out who likes them by
/// changing their record until only these are left. Nothing in a verdict, a reason or a
/// trace tells such a card from any other. Somebody who knows the other's preferences from elsewhere
/// could guess; a host that shows them on profiles should ignore standing likes.
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

  private let preferences: MutualPreferences
  private let relaxes: Bool
  private let standingLikes: StandingLikes
  private let memo = TableMemo<DatingDeck, PreferenceColumns?>()

  /// A filter by both sides' preferences.
  ///
  /// - Parameters:
  ///   - preferences: The predicate.
  ///   - relaxes: Whether the viewer's own preferences are dropped when cards run out.
  ///   - standingLikes: Whether a like stands although preferences have moved.
  public init(
    _ preferences: MutualPreferences = MutualPreferences(), relaxes: Bool = false,
    standingLikes: StandingLikes = .honour
  ) {
    self.preferences = preferences
    self.relaxes = relaxes
    self.standingLikes = standingLikes
  }

  /// Soft if it relaxes.
  public var kind: FilterKind { relaxes ? .soft : .hard }

  /// Once, if it relaxes.
  public var relaxations: Int { relaxes ? 1 : 0 }

  /// Why it removes cards; the same for both sides.
  public var reasons: [String] { ["the preferences do not fit", "data unavailable"] }

  /// What others said of the viewer, if standing likes are honoured.
  public var needs: ContextNeeds { standingLikes == .honour ? .answersReceived : [] }

  /// Compares both sides of each pair. O(n + answers received).
  public func verdicts(
    for slate: Slate<DatingDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    guard let viewer = slate.context.row,
      let columns = memo.value(of: slate.table, PreferenceColumns.init)
    else { return slate.rows.map { _ in unavailable } }
    let side = preferences.side(of: viewer, in: columns, at: slate.context.now)
    let relaxed: PreferenceWaiver = relaxes && relaxation > 0 ? .own : []
    let likes = standingLikes == .honour ? LikesOfViewer(slate, of: viewer) : nil
    return slate.rows.map { card in
      var fit = side.fit(with: card, waiving: relaxed)
      if fit != .fits, let likes {
        let waived = likes.waiver(for: card)
        if !waived.isEmpty { fit = side.fit(with: card, waiving: relaxed.union(waived)) }
      }
      return switch fit {
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

/// Who likes the viewer and whom the viewer likes, by the last answer that stands, as they are now.
private struct LikesOfViewer {
  private let table: CardTable<DatingDeck>
  private let likers: Set<CardNumber>
  private let seen: [CardNumber: SeenEntry]

  init(_ slate: Slate<DatingDeck>, of viewer: Row) {
    table = slate.table
    let changedAt = table.changedAt(viewer)
    var answered: Set<CardNumber> = []
    var likers: Set<CardNumber> = []
    for answer in slate.context.answersReceived where answered.insert(answer.from).inserted {
      if answer.meaning == .positive,
        StandingLikes.isAbout(like: answer.time, cardChangedAt: changedAt)
      {
        likers.insert(answer.from)
      }
    }
    self.likers = likers
    seen = slate.context.seen
  }

  /// Whose preferences count as met, because they like the other one.
  func waiver(for row: Row) -> PreferenceWaiver {
    let card = table.number(at: row)
    var waiver: PreferenceWaiver = likers.contains(card) ? .other : []
    if let answer = seen[card]?.answer, answer.meaning == .positive {
      let changedAt = table.changedAt(row)
      // A folded answer has the time of the latest one in its set.
      let isAbout =
        changedAt == nil
        || answer.event != .start
          && StandingLikes.isAbout(like: answer.time, cardChangedAt: changedAt)
      if isAbout { waiver.insert(.own) }
    }
    return waiver
  }
}
