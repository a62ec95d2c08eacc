import CardFeed
import CardFeedBaselines
import CardFeedTesting
import Testing

@Suite struct AlreadySwipedTests {
  private let seen: [CardID: SeenEntry] = [
    "1": answered(.like, daysAgo: 100), "2": answered(.pass, daysAgo: 2),
    "3": answered(.skip, daysAgo: 2), "4": SeenEntry(dealtAt: noon),
  ]

  private func verdicts(
    _ filter: AlreadySwipedFilter<ToyDeck>, seen: [CardID: SeenEntry]? = nil
  ) async throws -> [FilterVerdict] {
    let slate = toySlate(.numbered(5), seen: seen ?? self.seen)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    #expect(filter.kind == .hard)
    return try await filter.verdicts(for: slate, relaxation: 0)
  }

  @Test func nothingReturnsByDefault() async throws {
    let filter = AlreadySwipedFilter<ToyDeck>(policy: ToyDeck().policy)
    #expect(
      try await verdicts(filter) == [
        .remove(reason: 0), .remove(reason: 0), .remove(reason: 0), .keep, .keep,
      ])
  }

  @Test func negativeAndNeutralReturnAfterTheirTime() async throws {
    let filter = AlreadySwipedFilter<ToyDeck>(
      policy: DeckPolicy(
        isMutual: true, negativeReturnsAfter: 3 * Timestamp.day,
        neutralReturnsAfter: 2 * Timestamp.day))
    let due = noon.advanced(byMilliseconds: Timestamp.day)
    #expect(
      try await verdicts(filter) == [
        .remove(reason: 0), .remove(reason: 1, due: due), .keep, .keep, .keep,
      ])
  }

  @Test func onlyTheNamedAnswersCount() async throws {
    let filter = AlreadySwipedFilter<ToyDeck>(answers: [.pass], policy: ToyDeck().policy)
    #expect(
      try await verdicts(filter) == [.keep, .remove(reason: 0), .keep, .keep, .keep])
  }

  @Test func aClockFromAnotherWorldIsNoTrap() async throws {
    let filter = AlreadySwipedFilter<ToyDeck>(
      policy: DeckPolicy(isMutual: true, negativeReturnsAfter: .max))
    let last = Timestamp(milliseconds: .max)
    #expect(
      try await verdicts(filter, seen: ["1": answered(.pass, daysAgo: 0)])[0]
        == .remove(reason: 1, due: last))
  }
}

@Suite struct AlreadyDealtTests {
  private let hour: Int64 = 3_600_000

  private func verdicts(_ filter: AlreadyDealtFilter<ToyDeck>) async throws -> [FilterVerdict] {
    let slate = toySlate(
      .numbered(4),
      seen: [
        "1": SeenEntry(dealtAt: noon.advanced(byMilliseconds: -hour)),
        "2": SeenEntry(dealtAt: noon.advanced(byMilliseconds: -3 * hour)),
        "3": answered(.pass, daysAgo: 1, dealtAt: noon),
      ])
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    return try await filter.verdicts(for: slate, relaxation: 0)
  }

  @Test func unansweredCardsStayAwayForEver() async throws {
    #expect(try await verdicts(AlreadyDealtFilter()) == [.remove(), .remove(), .keep, .keep])
  }

  @Test func unansweredCardsReturnAfterTheirTime() async throws {
    let due = noon.advanced(byMilliseconds: 2 * hour)
    #expect(
      try await verdicts(AlreadyDealtFilter(forMilliseconds: 3 * hour)) == [
        .remove(due: due), .keep, .keep, .keep,
      ])
  }
}
