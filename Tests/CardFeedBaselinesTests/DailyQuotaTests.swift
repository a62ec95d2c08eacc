import CardFeed
import CardFeedBaselines
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedTesting
import Testing

@Suite struct DailyQuotaTests {
  private func quota(_ members: JSONObject) throws -> any QuotaStrategy<ToyDeck> {
    var quota: JSONObject = ["use": "daily-quota", "answers": ["like"], "perDay": 2]
    for member in members.members { quota[member.key] = member.value }
    let configuration = try FeedConfiguration(
      ["version": 1, "deck": "toy", "quotas": [JSONValue(quota)]], file: "test.json",
      plugins: toyPlugins)
    let context = BuildContext(
      deck: ToyDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
      registry: toyPlugins.registry(for: ToyPlugin()))
    return try #require(try configuration.pipelines(context).base.quotas.first).strategy
  }

  private func span(
    _ quota: any QuotaStrategy<ToyDeck>, viewer card: ToyCard, at hour: Int64 = 12
  ) throws -> Range<Int64> {
    let slate = toySlate([card], viewer: ViewerID("\(card.id)"))
    let now = Timestamp(milliseconds: hour * 3_600_000)
    let limit = try #require(
      quota.limit(
        for: QuotaContext(
          viewer: slate.context.viewer, row: slate.context.row, table: slate.table, now: now)))
    #expect(limit.answers == ["like"] && limit.most == 2)
    #expect(limit.span.contains(now))
    let hours = [limit.span.lowerBound, limit.span.upperBound].map { $0.milliseconds / 3_600_000 }
    return hours[0]..<hours[1]
  }

  @Test func theDayIsTheViewersOrTheFeeds() throws {
    #expect(try span(quota([:]), viewer: ToyCard("v")) == 0..<24)
    let east = try quota(["zone": "+02:00"])
    #expect(try span(east, viewer: ToyCard("v")) == -2..<22)
    #expect(try span(east, viewer: ToyCard("v"), at: 22) == 22..<46)
    let own = try quota(["zone": "+02:00", "zoneColumn": "group"])
    #expect(try span(own, viewer: ToyCard("v")) == -2..<22)
    #expect(try span(own, viewer: ToyCard("v", group: "-03:00")) == 3..<27)
    for unknown in ["nowhere", "../passwd", ""] {
      #expect(try span(own, viewer: ToyCard("v", group: unknown)) == -2..<22, "asked twice")
      #expect(try span(own, viewer: ToyCard("v", group: unknown)) == -2..<22)
    }
  }

  @Test func whatCannotBeIsRefused() throws {
    let wrong: [JSONObject] = [
      ["answers": ["likes"]], ["answers": []], ["perDay": -1], ["perDay": 1.5],
    ]
    for members in wrong {
      #expect(throws: ConfigurationError.self) { try quota(members) }
    }
    let zone = #expect(throws: ZoneError.self) { try quota(["zone": "Europe/Berlyn"]) }
    #expect(zone?.code == .unknownName)
    let column = #expect(throws: FeedError.self) { try quota(["zoneColumn": "grup"]) }
    #expect(
      column?.description
        == "the quota 'daily-quota' asks for the zone in the column \"grup\"; allowed: \"group\"; "
        + "did you mean \"group\"?")
    #expect(throws: FeedError.self) { try quota(["zoneColumn": "weight"]) }
  }

  @Test func quotasAreSpelledOutWhereThereAreAny() throws {
    func configuration(_ members: JSONObject) throws -> FeedConfiguration {
      var object: JSONObject = ["version": 1, "deck": "toy"]
      for member in members.members { object[member.key] = member.value }
      return try FeedConfiguration(JSONValue(object), file: "test.json", plugins: toyPlugins)
    }
    let quotas: JSONValue = [["use": "daily-quota", "answers": ["like"], "perDay": 1]]
    let (none, some) = (try configuration([:]), try configuration(["quotas": quotas]))
    #expect(none.effective["quotas"] == nil)
    #expect(
      some.effective["quotas"] == [
        [
          "use": "daily-quota", "answers": ["like"], "perDay": 1, "zone": "UTC", "zoneColumn": nil,
        ]
      ])
    #expect(none.fingerprint == (try configuration(["quotas": []])).fingerprint)
    #expect(none.fingerprint != some.fingerprint)
    let variant = try configuration([
      "variants": [["name": "more", "share": 0.5, "set": ["quotas": quotas]]]
    ])
    #expect(variant.base.quotas.isEmpty && variant.variants[0].pipeline.quotas.count == 1)
  }
}
