import CardFeedCalendar
import Testing

@testable import CardFeed
@testable import CardFeedDating

@Suite struct PairComparerTests {
  private func values(
    _ feature: PairFeature, _ people: [[String: Double]], pairs: [(own: Int, other: Int)]
  ) -> [Double] {
    let comparer = PairComparer(
      [feature],
      people: { traits in people.map { person in traits.map { person[$0] ?? .nan } } },
      pairs: pairs)
    let table = people.map { person in comparer.traits.map { person[$0] ?? .nan } }
    return pairs.map { pair in
      var found = Double.nan
      comparer.compare(table[pair.own], table[pair.other]) { found = $1 }
      return found
    }
  }

  /// What a column of raw values becomes: missing ones the median, then mean 0 and deviation 1.
  private func standardised(_ column: [Double]) -> [Double] {
    let known = column.filter { !$0.isNaN }.sorted()
    let median = (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
    let filled = column.map { $0.isNaN ? median : $0 }
    let mean = filled.reduce(0, +) / Double(filled.count)
    let variance = filled.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(filled.count)
    return filled.map { ($0 - mean) / variance.squareRoot() }
  }

  @Test func everyComparison() {
    let people: [[String: Double]] = [
      ["a": 1, "b": 2, "c": 5, "d": 0], ["a": 4, "b": 2, "c": 1, "d": 1], ["a": 2, "c": 3, "d": 7],
      ["b": 7, "c": 2, "d": 2],
    ]
    let pairs: [(own: Int, other: Int)] = [(0, 1), (1, 0), (2, 0), (0, 2), (3, 1), (1, 3)]
    let none = Double.nan
    func product(_ x: Double, _ mx: Double, _ y: Double, _ my: Double) -> Double {
      (x - mx) * (y - my)
    }
    let (ma, mb) = (7.0 / 3, 11.0 / 3)
    let expected: [(PairFeature, [Double])] = [
      (PairFeature(comparison: .own, traits: ["a"]), [1, 4, 2, 1, none, 4]),
      (PairFeature(comparison: .other, traits: ["a"]), [4, 1, 1, 2, 4, none]),
      (PairFeature(comparison: .difference, traits: ["a"]), [3, 3, 1, 1, none, none]),
      (PairFeature(comparison: .same, traits: ["b"]), [1, 1, none, none, 0, 0]),
      (
        PairFeature(comparison: .product, traits: ["a", "b"]),
        [
          product(1, ma, 2, mb), product(4, ma, 2, mb), product(2, ma, 2, mb), none, none,
          product(4, ma, 7, mb),
        ]
      ),
    ]
    for (feature, raw) in expected {
      let found = values(feature, people, pairs: pairs)
      for (one, other) in zip(found, standardised(raw)) {
        #expect(abs(one - other) < 1e-12, "\(feature.name)")
      }
    }
    // Over four traits, so that two of these people have too few in common.
    let alike = values(
      PairFeature(comparison: .alike, traits: ["a", "b", "c", "d"]), people, pairs: pairs)
    #expect(alike[0] == alike[1])
    #expect(alike[2] == alike[4], "both are missing and count as the median")
  }

  @Test func aConstantTellsNothing() {
    let people: [[String: Double]] = [["a": 3], ["a": 3], [:]]
    let found = values(
      PairFeature(comparison: .own, traits: ["a"]), people, pairs: [(0, 1), (1, 2), (2, 0)])
    #expect(found == [0, 0, 0])
  }

  @Test func everythingMeansWhatIsNotSensitive() {
    let names: Set = ["age", "sports", "race_asian", "imprelig", "goal", "Political_view"]
    func resolved(_ comparisons: TraitComparisons) -> [String] {
      comparisons.features(among: names).map(\.name)
    }
    #expect(
      resolved(TraitComparisons(own: ["*"])) == ["own(age)", "own(goal)", "own(sports)"])
    #expect(
      resolved(TraitComparisons(own: ["*", "-goal", "race_asian"]))
        == ["own(race_asian)", "own(age)", "own(sports)"])
    #expect(
      resolved(
        TraitComparisons(
          difference: ["age"], product: ["age", "goal:sports", "goal:height"],
          same: ["goal", "height"]))
        == ["difference(age)", "product(age, age)", "product(goal, sports)", "same(goal)"])
    #expect(
      resolved(TraitComparisons(alike: ["age+goal+sports+race_asian", "age+goal"]))
        == ["alike(age, goal, sports, race_asian)"])
  }

  @Test(arguments: [
    ("race", true), ("imprace", true), ("sexual_orientation", true), ("HEALTH", true),
    ("religion", true), ("age", false), ("sports", false), ("", false),
  ])
  func namesThatSayThatTheyAreSensitive(_ name: String, _ expected: Bool) {
    #expect(SensitiveTraits.contains(name) == expected)
  }

  @Test func traitsComeFromRecordsAndTheAgeFromTheDayOfBirth() throws {
    let people = [
      Person(id: "a", birthDate: CalendarDate("1990-06-01"), traits: ["x": 1, "y": .nan]),
      Person(id: "b", age: 30.5, traits: ["z": 2]), Person(id: "c"),
    ]
    let table = CardTable<DatingDeck>.make(
      people.enumerated().map { (card: $1, number: CardNumber(Int64($0 + 1))) },
      deck: DatingDeck())
    #expect(TraitTable.names(in: table) == ["age", "x", "z"])
    let traits = try TraitTable(table, traits: ["age", "x", "z"], now: noon("2020-01-01"))
    let found = (0..<3).map { traits.values(of: Row($0)).map { $0.isNaN ? -1 : $0 } }
    #expect(found == [[29, 1, -1], [30, -1, 2], [-1, -1, -1]])
  }
}
