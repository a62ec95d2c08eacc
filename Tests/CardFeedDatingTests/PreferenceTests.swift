import CardFeed
import CardFeedCalendar
import CardFeedDating
import CardFeedTesting
import Testing

/// Each kind of preference on its own, through the predicate about two people.
@Suite struct PreferenceTests {
  private let now = Timestamp(milliseconds: 1_700_000_000_000)

  private func fit(
    _ one: Person, _ other: Person, waiving: PreferenceWaiver = []
  ) -> PreferenceFit {
    MutualPreferences().fit(of: one, with: other, at: now, waiving: waiving)
  }

  /// The same whoever looks.
  private func expect(
    _ one: Person, _ other: Person, _ expected: PreferenceFit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(fit(one, other) == expected, sourceLocation: sourceLocation)
    #expect(fit(other, one) == expected, sourceLocation: sourceLocation)
  }

  private func person(
    _ id: String, north kilometres: Double? = nil, within limit: Distance? = nil
  ) -> Person {
    // A degree of latitude is a 360th of the circumference, 40,030.23 km.
    let place = kilometres.flatMap { Place(latitude: $0 / 40_030.23 * 360, longitude: 13.4) }
    return Person(id: id, place: place, maximumDistance: limit)
  }

  @Test func distancesHoldInBothDirections() {
    let near = person("near", north: 0, within: .kilometres(50))
    expect(near, person("b", north: 49.99), .fits)
    expect(near, person("b", north: 50.01), .doesNotFit)
    expect(near, person("b", north: 49.99, within: .miles(31)), .doesNotFit)
    expect(near, person("b", north: 49.99, within: .miles(31.1)), .fits)
    expect(person("a", north: 0), person("b", north: 9000), .fits)
    // A limit without a place, and a place that is missing, are unknown, not 0 and not far.
    expect(near, person("b"), .unknown)
    expect(person("a", within: .kilometres(50)), person("b", north: 1), .unknown)
    expect(person("a"), person("b"), .fits)
    // The very distance is within it.
    let here = person("a", north: 0)
    let there = person("b", north: 12.3)
    let exact = Distance.between(here.place, there.place)
    expect(Person(id: "a", place: here.place, maximumDistance: exact), there, .fits)
  }

  @Test func intentsNeedOneInCommonWhenBothStateAny() {
    let love = Person(id: "a", intents: ["love", "marriage"])
    expect(love, Person(id: "b", intents: ["friends", "love"]), .fits)
    expect(love, Person(id: "b", intents: ["friends"]), .doesNotFit)
    expect(love, Person(id: "b", intents: ["Love"]), .doesNotFit)
    expect(love, Person(id: "b"), .fits)
    expect(Person(id: "a"), Person(id: "b"), .fits)
  }

  @Test func verifiedPeopleOnly() {
    let careful = Person(id: "a", wantsVerified: true)
    expect(careful, Person(id: "b", verified: true), .fits)
    expect(careful, Person(id: "b", verified: false), .doesNotFit)
    expect(careful, Person(id: "b"), .unknown)
    // The wish is about the other one.
    expect(careful, Person(id: "b", verified: true, wantsVerified: true), .unknown)
    expect(
      Person(id: "a", verified: true, wantsVerified: true),
      Person(id: "b", verified: true, wantsVerified: true), .fits)
  }

  @Test func dealbreakers() {
    let judge = Person(
      id: "a", attributes: ["smoking": "no"],
      dealbreakers: ["smoking": ["yes", "often"], "pets": ["snakes"]])
    expect(judge, Person(id: "b", attributes: ["smoking": "no", "pets": "cats"]), .fits)
    expect(judge, Person(id: "b", attributes: ["smoking": "often", "pets": "cats"]), .doesNotFit)
    expect(judge, Person(id: "b", attributes: ["smoking": "no"]), .unknown)
    expect(judge, Person(id: "b"), .unknown)
    // What is known to be wrong counts, whatever else is unknown.
    expect(judge, Person(id: "b", attributes: ["pets": "snakes"]), .doesNotFit)
    expect(judge, Person(id: "b", attributes: ["smoking": "yes=", "pets": "x"]), .fits)
    expect(
      judge,
      Person(
        id: "b", attributes: ["smoking": "no", "pets": "cats"],
        dealbreakers: ["smoking": ["no"]]), .doesNotFit)
  }

  @Test func nobodyFitsThemselves() {
    expect(Person(id: "a"), Person(id: "a", age: 30), .doesNotFit)
    // Identities are bytes.
    expect(Person(id: "a"), Person(id: "A"), .fits)
  }

  @Test func waivedPreferencesAreLeftOut() {
    let old = Person(id: "a", age: 70)
    let young = Person(id: "b", age: 30, maximumAge: 40)
    #expect(fit(old, young) == .doesNotFit)
    #expect(fit(old, young, waiving: .other) == .fits)
    #expect(fit(old, young, waiving: .own) == .doesNotFit)
    #expect(fit(young, old, waiving: .own) == .fits)
    // An intent is a preference of both: one waiver leaves the other one's.
    let love = Person(id: "a", intents: ["love"])
    let friends = Person(id: "b", intents: ["friends"])
    #expect(fit(love, friends, waiving: .own) == .doesNotFit)
    #expect(fit(love, friends, waiving: .other) == .doesNotFit)
    #expect(fit(love, friends, waiving: [.own, .other]) == .fits)
    let near = person("a", north: 0, within: .kilometres(5))
    let far = person("b", north: 50, within: .kilometres(60))
    #expect(fit(near, far, waiving: .own) == .fits)
    #expect(fit(near, far, waiving: .other) == .doesNotFit)
  }

  /// The birthday begins at midnight of the declared zone: 23:00 of the day before in UTC.
  @Test func ageFollowsTheDayOfTheZone() throws {
    let seeker = Person(id: "a", minimumAge: 31)
    let born = Person(id: "b", birthDate: CalendarDate("1994-05-02"))
    let midnight = try noon("2025-05-01").advanced(byMilliseconds: 11 * 3_600_000)
    let east = try ZoneDatabase().rules(named: "+01:00")
    for (zone, moment, expected) in [
      (east, midnight, PreferenceFit.fits),
      (east, midnight.advanced(byMilliseconds: -1), .doesNotFit), (.utc, midnight, .doesNotFit),
    ] {
      #expect(
        MutualPreferences(zone: zone).fit(of: seeker, with: born, at: moment) == expected)
    }
  }

  @Test(arguments: [(LeapDayPolicy.march1, PreferenceFit.doesNotFit), (.february28, .fits)])
  func leapDays(policy: LeapDayPolicy, expected: PreferenceFit) throws {
    let seeker = Person(id: "a", minimumAge: 18)
    let born = Person(id: "b", birthDate: CalendarDate("2008-02-29"))
    let preferences = MutualPreferences(leapDay: policy)
    #expect(
      preferences.fit(of: seeker, with: born, at: try noon("2026-02-28")) == expected)
    #expect(preferences.fit(of: seeker, with: born, at: try noon("2026-03-01")) == .fits)
  }

  /// Bounds that no person can have make nobody fit, and trap nothing.
  @Test func absurdBounds() {
    let person = Person(id: "b", birthDate: CalendarDate("1994-05-02"))
    expect(Person(id: "a", minimumAge: 1e300), person, .doesNotFit)
    expect(Person(id: "a", maximumAge: -1e300), person, .doesNotFit)
    expect(Person(id: "a", minimumAge: -1e300, maximumAge: 1e300), person, .fits)
    expect(Person(id: "a", minimumAge: 29.1), person, .doesNotFit)
    expect(Person(id: "a", minimumAge: 28.1), person, .fits)
    expect(Person(id: "a", maximumAge: 28.9), person, .doesNotFit)
    expect(Person(id: "a", maximumAge: 29.9), person, .fits)
  }
}
