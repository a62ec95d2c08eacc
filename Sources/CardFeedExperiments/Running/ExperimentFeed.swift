internal import CardFeed
public import CardFeedConfiguration

/// A clock that stands still: nothing in a replay may depend on the machine's time.
struct ReplayClock: FeedClock {
  let now = Timestamp(milliseconds: 1_034_467_200_000)
  let uptimeNanoseconds: UInt64 = 0
}

/// The recorded people as cards.
public enum SpeedDatingCards {
  /// A person as a record of the dating deck; the profile columns are the traits.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - data: Where the profile stands.
  ///   - dailyCards: The cards that the person answers in a day; nil is unknown.
  public static func json(
    of person: SpeedDatingData.Person, in data: SpeedDatingData, dailyCards: Int? = nil
  ) -> JSONValue {
    let id = SpeedDatingData.cardID(person: person.id)
    let isWoman = person.gender == .woman
    var members: [(String, JSONValue)] = [
      ("id", JSONValue(id)), ("name", JSONValue("Person \(person.id)")),
      ("gender", isWoman ? "woman" : "man"), ("seeks", isWoman ? ["man"] : ["woman"]),
      ("tags", JSONValue([JSONValue("evening-\(person.wave)")])),
    ]
    if let age = person.age { members.append(("age", JSONValue(Int(age)))) }
    if let dailyCards { members.append(("daily_cards", JSONValue(dailyCards))) }
    if let row = data.row(ofPerson: person.id) {
      let traits = zip(data.profileNames, data.profileColumns).compactMap { name, column in
        column[row].map { (name, JSONValue(orNull: $0)) }
      }
      if !traits.isEmpty { members.append(("traits", JSONValue(JSONObject(traits)))) }
    }
    return JSONValue(JSONObject(members))
  }

  /// Every decision as a recorded swipe, in the order of the evenings.
  public static func swipes(of data: SpeedDatingData) -> [JSONValue] {
    data.decisions.sorted(by: inOrder).map { decision in
      [
        "viewer": JSONValue(SpeedDatingData.cardID(person: decision.rater)),
        "card": JSONValue(SpeedDatingData.cardID(person: decision.target)),
        "answer": decision.decision ? "like" : "pass",
      ]
    }
  }

  /// The order of the evenings: rounds, then people.
  static func inOrder(
    _ left: SpeedDatingData.Decision, _ right: SpeedDatingData.Decision
  ) -> Bool {
    if left.wave != right.wave { return left.wave < right.wave }
    if left.order != right.order { return left.order < right.order }
    if left.rater != right.rater { return left.rater < right.rater }
    return left.target < right.target
  }
}

/// The feed of an arm: any deck, an empty store in memory, a clock that stands still.
typealias ReplayFeed<D: Deck> = FeedEngine<D, InMemoryStore, ReplayClock, SplitMix64>

extension FeedConfiguration {
  /// Opens the feed of an arm over some of the people; `dailyCards` by the numbers of people.
  func openReplay<P: DeckPlugin>(
    _ deck: P, seed: UInt64, plugins: PluginSet, people: [SpeedDatingData.Person],
    of data: SpeedDatingData, dailyCards: [Int: Int] = [:]
  ) async throws -> ReplayFeed<P.D> {
    let store = InMemoryStore()
    let states = LearnerStates()
    let context = BuildContext(
      deck: deck.deck, states: states, safety: StoreSafety(store),
      registry: plugins.registry(for: deck))
    var options = options
    options.seed = seed
    options.sessions = max(options.sessions, people.count)
    let feed = try await ReplayFeed<P.D>.open(
      deck: deck.deck, store: store, pipelines: try pipelines(context), states: states,
      clock: ReplayClock(), options: options)
    try await feed.put(
      people.map { person in
        try deck.card(
          from: SpeedDatingCards.json(of: person, in: data, dailyCards: dailyCards[person.id]))
      })
    return feed
  }
}

/// What a recorded yes or no is called in the deck.
func recordedAnswer<D: Deck>(_ yes: Bool, in deck: D.Type) throws -> D.Answer {
  let name = yes ? "like" : "pass"
  guard let answer = D.Answer(rawValue: name) else {
    throw FeedError(
      .badInput, "the deck '\(D.name)' has no answer '\(name)'",
      hint: "the speed-dating decisions need a deck with the answers like and pass")
  }
  return answer
}
