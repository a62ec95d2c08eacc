import CardFeed
import CardFeedCalendar
import CardFeedDating
import CardFeedTesting
import Testing

@Suite struct MutualPreferencesTests {
  private func verdicts(
    _ people: [Person], viewer: ViewerID = "viewer", relaxes: Bool = false, relaxation: Int = 0,
    now: Timestamp = Timestamp(milliseconds: 0)
  ) async throws -> [FilterVerdict] {
    let slate = datingSlate(people, viewer: viewer, now: now)
    let filter = MutualPreferencesFilter(relaxes: relaxes)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    return try await filter.verdicts(for: slate, relaxation: relaxation)
  }

  /// The verdict on a card for a viewer.
  private func verdict(
    _ viewer: Person, _ card: Person, relaxes: Bool = false, relaxation: Int = 0,
    now: Timestamp = Timestamp(milliseconds: 0)
  ) async throws -> FilterVerdict {
    let all = try await verdicts(
      [viewer, card], viewer: viewer.id, relaxes: relaxes, relaxation: relaxation, now: now)
    return try #require(all.last)
  }

  @Test func bothSidesMustSeekEachOther() async throws {
    let woman = Person(id: "viewer", gender: "woman", seeks: ["man"])
    let cards = [
      woman, Person(id: "1", gender: "man", seeks: ["woman"]),
      Person(id: "2", gender: "man", seeks: ["man"]),
      Person(id: "3", gender: "woman", seeks: ["woman"]),
      Person(id: "4", gender: "man", seeks: ["man", "woman"]), Person(id: "5", gender: "man"),
      Person(id: "6", seeks: ["woman"]), Person(id: "7"),
      Person(id: "8", gender: "Man", seeks: ["woman"]),
    ]
    #expect(
      try await verdicts(cards).dropFirst() == [
        .keep, .remove(), .remove(), .keep, .keep, .unavailable, .unavailable, .remove(),
      ])
  }

  @Test(
    arguments: [
      (29, FilterVerdict.remove()), (30, .keep), (35, .keep), (40, .keep), (40.9, .keep),
      (41, .remove()),
    ] as [(Double, FilterVerdict)])
  func boundsAreInclusive(age: Double, expected: FilterVerdict) async throws {
    let viewer = Person(id: "viewer", age: 33, minimumAge: 30, maximumAge: 40)
    let card = Person(id: "1", age: age)
    #expect(try await verdict(viewer, card) == expected)
    #expect(try await verdict(card, viewer) == expected)
  }

  /// A day too early, the birthday, the last day of the year of life, and the day after it.
  @Test(arguments: [
    ("2025-05-01", FilterVerdict.remove()), ("2025-05-02", .keep), ("2026-05-01", .keep),
    ("2026-05-02", .remove()),
  ])
  func theUpperBoundKeepsTheWholeYear(today: String, expected: FilterVerdict) async throws {
    let viewer = Person(id: "viewer", minimumAge: 31, maximumAge: 31)
    let card = Person(id: "1", birthDate: CalendarDate("1994-05-02"), age: 99)
    #expect(try await verdict(viewer, card, now: try noon(today)) == expected)
  }

  @Test(arguments: [("2026-02-28", FilterVerdict.remove()), ("2026-03-01", .keep)])
  func whoWasBornOnALeapDayIsOlderOnTheFirstOfMarch(
    today: String, expected: FilterVerdict
  ) async throws {
    let viewer = Person(id: "viewer", minimumAge: 18)
    let card = Person(id: "1", birthDate: CalendarDate("2008-02-29"))
    #expect(try await verdict(viewer, card, now: try noon(today)) == expected)
  }

  @Test func anUnknownAgeFailsClosedWhereItMatters() async throws {
    let bounded = Person(id: "viewer", age: 30, minimumAge: 20)
    let unknown = Person(id: "1")
    let unborn = Person(id: "1", birthDate: CalendarDate("2100-01-01"), age: 30)
    #expect(try await verdict(bounded, unknown) == .unavailable)
    #expect(try await verdict(unknown, bounded) == .unavailable)
    #expect(try await verdict(bounded, unborn) == .unavailable)
    #expect(try await verdict(Person(id: "viewer"), unknown) == .keep)
    // What is known to be wrong is removed, whatever else is unknown.
    let other = Person(id: "1", gender: "man", seeks: ["man"])
    let seeker = Person(id: "viewer", gender: "woman", seeks: ["man"], minimumAge: 20)
    #expect(try await verdict(seeker, other) == .remove())
  }

  @Test func aViewerWithoutACardIsUnavailable() async throws {
    #expect(
      try await verdicts([Person(id: "1"), Person(id: "2")]) == [.unavailable, .unavailable])
    #expect(
      try await verdicts([Person(id: "1")], relaxes: true, relaxation: 1) == [.remove(reason: 1)])
    #expect(try await verdicts([]).isEmpty)
  }

  @Test func relaxingDropsTheViewersPreferencesOnly() async throws {
    let viewer = Person(
      id: "viewer", age: 50, gender: "woman", seeks: ["man"], minimumAge: 45, maximumAge: 55)
    let tooYoung = Person(id: "1", age: 30, gender: "man", seeks: ["woman"])
    let doesNotWant = Person(id: "1", age: 50, gender: "man", maximumAge: 40)
    let unknownAge = Person(id: "1", gender: "man")
    for (card, strict, relaxed) in [
      (tooYoung, FilterVerdict.remove(), FilterVerdict.keep),
      (doesNotWant, .remove(), .remove()), (unknownAge, .remove(reason: 1), .keep),
    ] {
      #expect(try await verdict(viewer, card, relaxes: true) == strict)
      #expect(try await verdict(viewer, card, relaxes: true, relaxation: 1) == relaxed)
    }
    // The other side's preferences hold even where it cannot be known whether they are met.
    let ageless = Person(id: "viewer")
    let careful = Person(id: "1", minimumAge: 18)
    for relaxation in 0...1 {
      #expect(
        try await verdict(ageless, careful, relaxes: true, relaxation: relaxation)
          == .remove(reason: 1))
    }
  }

  @Test func hardOrSoft() {
    let hard = MutualPreferencesFilter()
    #expect(hard.kind == .hard && hard.relaxations == 0)
    let soft = MutualPreferencesFilter(relaxes: true)
    #expect(soft.kind == .soft && soft.relaxations == 1)
  }

  /// Eligible is what both are for each other, and nobody is who the plain definition refuses.
  @Test func eligibilityIsMutual() async throws {
    var generator = SplitMix64(seed: 7)
    let genders = ["woman", "man", "other"]
    func maybe<Value>(_ value: Value) -> Value? {
      generator.index(below: 4) == 0 ? nil : value
    }
    let people = (0..<60).map { index in
      let minimum = Double(18 + generator.index(below: 20))
      return Person(
        id: "\(index)",
        birthDate: maybe(
          CalendarDate(
            daysSinceEpoch: -Int64(6000 + generator.index(below: 12_000)))
        ).flatMap(\.self),
        age: maybe(Double(18 + generator.index(below: 30))),
        gender: maybe(genders[generator.index(below: 3)]),
        seeks: genders.filter { _ in generator.index(below: 2) == 0 },
        minimumAge: maybe(minimum), maximumAge: maybe(minimum + Double(generator.index(below: 20))))
    }
    let today = try #require(CalendarDate("1970-01-01"))
    /// Nil where it cannot be known.
    func wants(_ seeker: Person, _ person: Person) -> Bool? {
      let isSought: Bool? =
        seeker.seeks.isEmpty ? true : person.gender.map(seeker.seeks.contains)
      let age = person.birthDate.map { $0.fullYears(until: today).map(Double.init) } ?? person.age
      let isBounded = seeker.minimumAge != nil || seeker.maximumAge != nil
      let isOfAge: Bool? =
        isBounded
        ? age.map { $0 >= seeker.minimumAge ?? 0 && $0 <= seeker.maximumAge ?? 999 } : true
      if isSought == false || isOfAge == false { return false }
      return isSought == true && isOfAge == true ? true : nil
    }
    var table: [[FilterVerdict]] = []
    for viewer in people {
      table.append(try await verdicts(people, viewer: viewer.id))
    }
    var counts: [FilterVerdict: Int] = [:]
    for (a, first) in people.enumerated() {
      for (b, second) in people.enumerated() {
        let sides = [wants(first, second), wants(second, first)]
        let expected: FilterVerdict =
          a == b || sides.contains(false) ? .remove() : sides.contains(nil) ? .unavailable : .keep
        #expect(table[a][b] == expected)
        #expect(table[a][b] == table[b][a])
        counts[expected, default: 0] += 1
      }
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 50 }, "\(counts)")
  }
}
