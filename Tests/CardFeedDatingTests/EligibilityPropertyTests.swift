import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// Invented people with everything that eligibility looks at, each value missing now and then.
private struct Population {
  var generator: SplitMix64
  static let genders = ["woman", "man", "other"]
  static let intents = ["love", "friends", "marriage"]
  static let texts = ["yes", "no", "often"]

  mutating func maybe<Value>(_ value: Value) -> Value? {
    generator.index(below: 4) == 0 ? nil : value
  }

  private mutating func some(_ names: [String]) -> [String] {
    names.filter { _ in generator.index(below: 2) == 0 }
  }

  private mutating func seldom<Value>(_ value: Value) -> Value? {
    generator.index(below: 3) == 0 ? value : nil
  }

  mutating func person(_ id: String) -> Person {
    let minimum = 16 + Double(generator.index(below: 12))
    let born = CalendarDate(daysSinceEpoch: -Int64(5000 + generator.index(below: 9000)))
    let place = Place(
      latitude: 52 + generator.unitInterval(), longitude: 13 + generator.unitInterval())
    let limit = Distance.kilometres(40 + Double(generator.index(below: 60)))
    let attribute = Self.texts[generator.index(below: 3)]
    let breaker = Self.texts[generator.index(below: 3)]
    return Person(
      id: id, birthDate: maybe(born).flatMap(\.self),
      age: maybe(Double(15 + generator.index(below: 25))),
      gender: maybe(Self.genders[generator.index(below: 3)]),
      seeks: seldom(some(Self.genders)) ?? [], minimumAge: seldom(minimum),
      maximumAge: seldom(minimum + 8 + Double(generator.index(below: 20))),
      place: maybe(place).flatMap(\.self), maximumDistance: seldom(limit),
      intents: seldom(some(Self.intents)) ?? [],
      verified: maybe(generator.index(below: 3) > 0),
      wantsVerified: generator.index(below: 5) == 0,
      attributes: maybe(attribute).map { ["smoking": $0] } ?? [:],
      dealbreakers: seldom(breaker).map { ["smoking": [$0]] } ?? [:])
  }

  mutating func people(_ count: Int) -> [Person] { (0..<count).map { person("p\($0)") } }
}

/// The rules once more, written from their description and without columns: true is a yes, nil is
/// not known.
private struct PlainRules {
  let today: CalendarDate

  func age(_ person: Person) -> Double? {
    if let born = person.birthDate { return born.fullYears(until: today).map(Double.init) }
    return person.age?.rounded(.down)
  }

  func wants(_ one: Person, _ other: Person) -> Bool? {
    var answers: [Bool?] = []
    if !one.seeks.isEmpty { answers.append(other.gender.map(one.seeks.contains)) }
    if let minimum = one.minimumAge { answers.append(age(other).map { $0 >= minimum }) }
    if let maximum = one.maximumAge { answers.append(age(other).map { $0 <= maximum }) }
    if let limit = one.maximumDistance {
      answers.append(Distance.between(one.place, other.place).map { $0 <= limit })
    }
    if one.wantsVerified { answers.append(other.verified) }
    for (name, texts) in one.dealbreakers {
      answers.append(other.attributes[name].map { !texts.contains($0) })
    }
    if !one.intents.isEmpty, !other.intents.isEmpty {
      answers.append(!Set(one.intents).isDisjoint(with: other.intents))
    }
    if answers.contains(false) { return false }
    return answers.contains(nil) ? nil : true
  }

  func fit(_ one: Person, _ other: Person) -> PreferenceFit {
    if one.id == other.id { return .doesNotFit }
    let sides = [wants(one, other), wants(other, one)]
    return sides.contains(false) ? .doesNotFit : sides.contains(nil) ? .unknown : .fits
  }

  func isAdult(_ person: Person) -> Bool? { age(person).map { $0 >= 18 } }
}

@Suite struct EligibilityPropertyTests {
  private let now = Timestamp(milliseconds: 0)

  private func rules() throws -> PlainRules {
    PlainRules(today: try #require(CalendarDate("1970-01-01")))
  }

  /// The table, the two people alone and the plain rules agree; both directions agree; nobody meets
  /// themselves; asking again changes nothing.
  @Test func everyPairAgreesWithThePlainRules() async throws {
    var population = Population(generator: SplitMix64(seed: 97))
    let people = population.people(90)
    let rules = try rules()
    let filter = MutualPreferencesFilter()
    var counts: [PreferenceFit: Int] = [:]
    var table: [[FilterVerdict]] = []
    for viewer in people {
      let slate = datingSlate(people, viewer: viewer.id, now: now)
      table.append(try await filter.verdicts(for: slate, relaxation: 0))
      #expect(try await filter.verdicts(for: slate, relaxation: 0) == table.last)
    }
    for (a, one) in people.enumerated() {
      for (b, other) in people.enumerated() {
        let expected = rules.fit(one, other)
        let verdict: FilterVerdict =
          expected == .fits ? .keep : expected == .unknown ? .unavailable : .remove()
        #expect(table[a][b] == verdict, "\(a) \(b)")
        #expect(table[a][b] == table[b][a])
        counts[expected, default: 0] += 1
      }
    }
    for (a, one) in people.enumerated() where a % 9 == 0 {
      for other in people {
        #expect(MutualPreferences().fit(of: one, with: other, at: now) == rules.fit(one, other))
      }
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 400 }, "\(counts)")
  }

  /// The wall is symmetric, and stands where the plain rules put it.
  @Test func theWallIsSymmetric() async throws {
    var population = Population(generator: SplitMix64(seed: 98))
    let people = population.people(70)
    let rules = try rules()
    var counts: [FilterVerdict: Int] = [:]
    for viewer in people {
      let slate = datingSlate(people, viewer: viewer.id, now: now)
      let verdicts = try await LegalAgeFilter().verdicts(for: slate, relaxation: 0)
      for (card, verdict) in zip(people, verdicts) {
        var expected = FilterVerdict.unavailable
        if let one = rules.isAdult(viewer), let other = rules.isAdult(card) {
          expected = one == other ? .keep : .remove()
        }
        #expect(verdict == expected)
        counts[expected, default: 0] += 1
      }
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 200 }, "\(counts)")
  }

  /// A relaxation and a standing like only ever add cards, and neither passes the other side.
  @Test func relaxingOnlyAdds() async throws {
    var population = Population(generator: SplitMix64(seed: 99))
    let people = population.people(60)
    let rules = try rules()
    var added = 0
    for viewer in people {
      let likers = people.filter { _ in population.generator.index(below: 3) == 0 }
      let slate = StrategyConformance.slate(
        of: people, deck: DatingDeck(), viewer: viewer.id, now: now,
        received: likers.map { ($0.id, .positive, now) })
      let soft = MutualPreferencesFilter(relaxes: true)
      #expect(await StrategyConformance.violations(of: soft, on: slate).isEmpty)
      let strict = try await soft.verdicts(for: slate, relaxation: 0)
      let relaxed = try await soft.verdicts(for: slate, relaxation: 1)
      let ignoring = try await MutualPreferencesFilter(standingLikes: .ignore).verdicts(
        for: slate, relaxation: 0)
      for (index, card) in people.enumerated() {
        if strict[index] == .keep { #expect(relaxed[index] == .keep) }
        if ignoring[index] == .keep { #expect(strict[index] == .keep) }
        if strict[index] != ignoring[index], strict[index] == .keep { added += 1 }
        if strict[index] == .keep { #expect(rules.wants(viewer, card) == true) }
        // The stricter verdict is kept by the other one, so this holds for both.
        guard relaxed[index] == .keep else { continue }
        let isLiker = likers.contains { $0.id == card.id }
        #expect(isLiker || rules.wants(card, viewer) == true)
      }
    }
    #expect(added > 50)
  }

  /// Whatever the page of the source, a feed deals exactly those who are eligible: no empty hand
  /// while somebody is left, nobody twice, never the viewer.
  @Test(arguments: [1, 3, 1000])
  func aFeedDealsExactlyTheEligible(limit: Int) async throws {
    var population = Population(generator: SplitMix64(seed: 100))
    let people = population.people(80)
    let clock = ManualClock(now: now)
    let feed = try await datingFeed(
      people,
      [
        "hand": ["size": 4, "refillBelow": 1, "batches": 1000],
        "sources": [["use": "all", "limit": JSONValue(limit)]],
      ], clock: clock)
    let rules = try rules()
    for viewer in people.prefix(6) {
      let eligible = people.filter {
        rules.fit(viewer, $0) == .fits && rules.isAdult(viewer) != nil
          && rules.isAdult(viewer) == rules.isAdult($0)
      }
      var dealt: [CardID] = []
      while let top = try await feed.people(for: viewer.id).first {
        #expect(try await feed.people(for: viewer.id).first == top)
        dealt.append(top)
        _ = try await feed.swipe(
          Swipe(
            viewer: viewer.id, card: top, answer: DatingDeck.Answer.pass,
            event: EventID("\(viewer.id) \(top)")))
      }
      #expect(dealt.sorted() == eligible.map(\.id).sorted())
    }
  }
}
