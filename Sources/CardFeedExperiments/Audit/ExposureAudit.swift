public import CardFeed

/// Who is shown, liked and matched, by group: what an operator has to know about the fairness of a
/// feed.
///
/// Counted are people as cards: how often each was shown to others, what was answered about them,
/// and their matches that stand, in a window of time up to now. It only reads, and may run beside
/// servers.
///
/// Groups below a smallest size are not shown by themselves: few numbers about few people tell about
/// each of them. They are put together, and left out altogether where that is still too few.
/// Nothing in the report names anybody, unless the identifiers of starved people are asked for.
///
/// Differences between groups are not yet unfairness: groups differ in size, in how many look for
/// them, and in what they want. The report says where to look.
public struct ExposureAudit: Hashable, Sendable {
  /// What counts as having been shown.
  public enum Counting: String, Hashable, Sendable, CaseIterable {
    /// The client reported that it showed the card.
    case impressions
    /// The card was dealt into a hand, seen or not. As far back as exposures are kept.
    case deals
    /// The card was answered, and the answer stands.
    case answers
  }

  /// What parts people into groups.
  public let grouping: AuditGrouping
  /// What counts as having been shown.
  public let counting: Counting
  /// How far back events count; nil is the whole log.
  public let days: Double?
  /// Who was shown fewer times is starved.
  public let fewerThan: Int
  /// Groups of fewer people are not shown by themselves.
  public let smallestGroup: Int
  /// Whether the report names starved people.
  public let listsStarved: Bool

  /// An audit.
  ///
  /// - Parameters:
  ///   - grouping: What parts people into groups.
  ///   - counting: What counts as having been shown.
  ///   - days: How far back events count, above 0; nil is the whole log.
  ///   - fewerThan: Who was shown fewer times is starved, 0 or more.
  ///   - smallestGroup: Groups of fewer people are not shown by themselves, 1 or more.
  ///   - listsStarved: Whether the report names starved people.
  public init(
    by grouping: AuditGrouping, counting: Counting = .impressions, days: Double? = 7,
    fewerThan: Int = 10, smallestGroup: Int = 10, listsStarved: Bool = false
  ) {
    precondition(days.map { $0 > 0 && $0.isFinite } ?? true, "A window has more than 0 days.")
    precondition(fewerThan >= 0, "Nobody is shown fewer than 0 times; got \(fewerThan).")
    precondition(smallestGroup >= 1, "A group has at least one person; got \(smallestGroup).")
    self.grouping = grouping
    self.counting = counting
    self.days = days
    self.fewerThan = fewerThan
    self.smallestGroup = smallestGroup
    self.listsStarved = listsStarved
  }

  /// Reads the log and counts.
  ///
  /// - Parameters:
  ///   - store: The feed's store.
  ///   - table: The cards, as `FeedEngine.cards` has them. Withdrawn ones are left out.
  ///   - deck: The deck.
  ///   - now: The end of the window.
  ///   - progress: Told how much of the log was read.
  /// - Throws: `FeedError.Code.badInput` if the grouping does not fit the deck; what the store
  ///   throws; `CancellationError`.
  /// - Complexity: O(events + people · log people), a question to the store for each person, and
  ///   with `deals` one for each deal.
  public func report<D: Deck>(
    store: some FeedStore, table: CardTable<D>, deck: D, now: Timestamp,
    progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExposureReport {
    let groups = try grouping.groups(of: table, deck: deck)
    let since = days.map { Timestamp(milliseconds: now.milliseconds - Int64($0 * 86_400_000)) }
    var tally = ExposureTally(table, counting: counting, since: since, until: now)
    try await tally.read(store, progress: progress)
    return report(tally, groups.names, groups.rows, ids: { table.id(at: Row($0)) })
  }

  /// Puts people together by group.
  func report(
    _ tally: ExposureTally, _ names: [String], _ groupOfRow: [Int], ids: (Int) -> CardID
  ) -> ExposureReport {
    var members = Array(repeating: [Int](), count: names.count)
    for (row, person) in tally.people.enumerated() where person.isPresent {
      members[groupOfRow[row]].append(row)
    }
    let present = members.indices.filter { !members[$0].isEmpty }
    let large = present.filter { members[$0].count >= smallestGroup }
    let small = present.filter { members[$0].count < smallestGroup }
    var shown = large.map { (name: names[$0], rows: members[$0]) }
    let rest = small.flatMap { members[$0] }
    let restIsShown = rest.count >= smallestGroup
    if restIsShown { shown.append(("groups below \(smallestGroup)", rest.sorted())) }
    let everybody = shown.flatMap(\.rows).sorted()
    func summary(_ name: String, _ rows: [Int]) -> ExposureReport.Group {
      ExposureReport.Group(name: name, people: rows.map { tally.people[$0] }, fewerThan: fewerThan)
    }
    func starved(_ rows: [Int]) -> [CardID] {
      rows.filter { tally.people[$0].shown < fewerThan }.map(ids).sorted()
    }
    return ExposureReport(
      groups: shown.map { summary($0.name, $0.rows) },
      // The sum of what is shown only: from that of all, what is left out could be computed.
      all: summary("all shown", everybody),
      peopleLeftOut: restIsShown ? 0 : rest.count,
      starved: listsStarved ? shown.map { starved($0.rows) } : nil)
  }
}
