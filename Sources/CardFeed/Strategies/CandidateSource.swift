/// Where in a source the next page begins. Made by the source itself; 0 is its start.
public struct SourceCursor: Hashable, Sendable {
  /// Whatever the source counts.
  public let rawValue: Int

  /// Wraps a position that the source understands.
  public init(_ rawValue: Int) { self.rawValue = rawValue }

  /// The beginning.
  public static let start = SourceCursor(0)
}

/// One page of candidates.
public struct SourcePage: Sendable {
  /// The proposed cards. Repeated rows are counted and dropped by the pipeline.
  public let rows: [Row]
  /// Where the next page begins; nil when the source has nothing more to propose.
  public let next: SourceCursor?
  /// Why the source could propose less than it has, if that is so; the deal says it.
  public let failure: SourceFailure?

  /// One page.
  public init(rows: [Row], next: SourceCursor?, failure: SourceFailure? = nil) {
    self.rows = rows
    self.next = next
    self.failure = failure
  }
}

/// Why a source could not answer fully. It proposed what it already had.
public enum SourceFailure: String, Error, Hashable, Sendable, CaseIterable {
  /// No answer in time.
  case timeOut = "time-out"
  /// The other side answered, and refused.
  case refused
  /// The other side failed.
  case serverFault = "server-fault"
  /// The other side could not be reached.
  case offline
  /// The answer could not be understood.
  case undecodable
  /// Anything else that the source threw.
  case failed
}

/// Proposes candidates.
///
/// A source need not filter. It may skip what is certain to be filtered (`context.seen`), so that
/// its page holds cards worth looking at.
public protocol CandidateSource<D>: Strategy {
  /// A page of at most `limit` candidates from `cursor` on. Called once or a few times for a deal,
  /// first with `.start`, then with the cursors it returned, which must move on. An error counts as
  /// `SourceFailure.failed` and ends this source for this deal.
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage
}
