/// What a filter says of one candidate.
public enum FilterVerdict: Hashable, Sendable {
  /// Stays.
  case keep
  /// Goes. `reason` is an index into the filter's `reasons`; `due` is when the verdict changes by
  /// itself, if it does.
  case remove(reason: Int = 0, due: Timestamp? = nil)
  /// The data to decide are missing right now. A hard filter fails closed and removes the card for
  /// this deal; a soft filter fails open and keeps it.
  case unavailable
}

/// Whether a filter may ever be relaxed.
public enum FilterKind: String, Hashable, Sendable {
  /// Never violated, whatever the source; fails closed.
  case hard
  /// May be relaxed in the declared order when cards run out; fails open.
  case soft
}

/// Decides which candidates may be dealt.
public protocol FilterStrategy<D>: Strategy {
  /// Whether the filter may be relaxed.
  var kind: FilterKind { get }

  /// How many times a soft filter can be relaxed; 0 is never.
  var relaxations: Int { get }

  /// Whether the filter is asked again about cards that lie in a hand, when their record or the
  /// viewer's has changed, in another quarter of an hour, and after a restart; true by default.
  ///
  /// What it then removes leaves the hand, and so does, of a hard filter, what is `unavailable` to
  /// it. Where a hard filter throws, the cards stay and are not shown until it can be asked again. A
  /// soft filter is asked with all its relaxations, as a hand may hold what a relaxation has let in.
  /// `context.seen` is then as if the cards of the hand were not dealt yet.
  ///
  /// False is for a filter whose verdict may change although both people are as they were, so that
  /// it would take out what was dealt rightly, or would show a viewer what others do: one that
  /// judges what the two said to each other, or how often a card was shown.
  var revalidates: Bool { get }

  /// Whether the filter stands between two people also where they have met before: of matches whose
  /// card it removes, or cannot judge, `matchedCards` shows the tombstone of somebody who was
  /// withdrawn. False by default: a match outlives preferences. True is for what must never be shown,
  /// such as a minor to an adult. `context.seen` is as in a deal, and the slate holds matches.
  var isWall: Bool { get }

  /// Why it removes cards, by index. For operators and explanations; free of private data.
  var reasons: [String] { get }

  /// One verdict for each candidate, in order. `relaxation` is 0 at first and at most
  /// `relaxations`; a higher one must not remove a card that a lower one kept.
  func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict]
}

extension FilterStrategy {
  /// Hard.
  public var kind: FilterKind { .hard }

  /// Never.
  public var relaxations: Int { 0 }

  /// Yes: a hard filter is never violated.
  public var revalidates: Bool { true }

  /// No.
  public var isWall: Bool { false }
}
