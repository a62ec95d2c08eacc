/// Says which cards must not meet a viewer. Asked for every deal anew; a failure is not kept.
public protocol SafetyLookup: Sendable {
  /// One standing for each card, in order; `.unknown` where it could not be found out.
  func standings(of cards: [CardNumber], for viewer: ViewerNumber) async -> [SafetyStanding]
}

/// The safety data of a store.
public struct StoreSafety<Store: FeedStore>: SafetyLookup {
  private let store: Store

  /// Asks `store`.
  public init(_ store: Store) { self.store = store }

  /// One standing for each card; all `.unknown` when the store fails.
  public func standings(
    of cards: [CardNumber], for viewer: ViewerNumber
  ) async -> [SafetyStanding] {
    do {
      let unsafe = try await store.unsafe(for: viewer)
      guard !unsafe.isEmpty else { return Array(repeating: .clear, count: cards.count) }
      return cards.map { unsafe[$0] ?? .clear }
    } catch {
      return cards.map { _ in .unknown }
    }
  }
}

/// Removes pairs that must not meet, in either direction. Fails closed, card by card.
public struct SafetyFilter<D: Deck>: FilterStrategy {
  private let lookup: any SafetyLookup

  /// Asks `lookup` for every slate.
  public init(lookup: any SafetyLookup) { self.lookup = lookup }

  /// One reason for all, so that neither who kept away from whom nor why can be inferred.
  public var reasons: [String] { ["the two must not meet"] }

  /// No: who is kept apart leaves both hands with the event that does it, also in other processes
  /// (`takePartings`), and what a restart reads is read without them.
  public var revalidates: Bool { false }

  /// One question for the slate.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    let standings = await lookup.standings(of: slate.numbers, for: slate.context.number)
    return standings.map { standing in
      switch standing {
      case .clear: .keep
      case .blocked, .reported, .unmatched: .remove()
      case .unknown: .unavailable
      }
    }
  }
}

/// Removes the viewer's own card.
public struct SelfFilter<D: Deck>: FilterStrategy {
  /// Needs nothing.
  public init() {}

  /// Why it removes cards.
  public var reasons: [String] { ["the viewer's own card"] }

  /// Compares numbers. O(n).
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    let viewer = slate.context.number
    return slate.numbers.map { $0 == viewer ? .remove() : .keep }
  }
}

/// Removes cards that were taken out of the deck.
public struct AvailabilityFilter<D: Deck>: FilterStrategy {
  /// Needs nothing.
  public init() {}

  /// Why it removes cards.
  public var reasons: [String] { ["taken out of the deck"] }

  /// Reads one flag a card. O(n).
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.table.index.availability(at: slate.rows).map { $0 ? .keep : .remove() }
  }
}
