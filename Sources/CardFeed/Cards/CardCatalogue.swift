/// The cards of a feed: takes new ones, and gives snapshots to deals.
///
/// Taking a snapshot copies one reference under a lock; nothing is computed inside it.
final class CardCatalogue<D: Deck>: Sendable {
  private let current: Lock<CardTable<D>>
  /// Writers one after the other; readers are not held up while a table is made.
  private let writers = SerialLane()

  init(_ table: CardTable<D>) { current = Lock(table) }

  var table: CardTable<D> { current.withLock { $0 } }

  /// Publishes the table that `change` makes of the current one.
  func update(_ change: (CardTable<D>) async throws -> CardTable<D>) async rethrows {
    try await writers.run {
      let next = try await change(table)
      current.withLock { $0 = next }
    }
  }
}
