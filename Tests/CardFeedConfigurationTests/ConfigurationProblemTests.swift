import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import Testing

/// What is wrong with a configuration, in the decoder's words.
@Suite struct ConfigurationProblemTests {
  @Test(arguments: ConfigurationCorpus.wrong)
  func isWrong(_ wrong: ConfigurationCorpus.Wrong) {
    #expect(FeedConfiguration.problems(of: wrong.text) == wrong.problems)
  }

  @Test(arguments: ConfigurationCorpus.right)
  func isRight(_ right: ConfigurationCorpus.Right) {
    #expect(FeedConfiguration.problems(of: right.text) == [])
  }

  /// Mistakes of nine kinds in one file, all at once, in the order of the file.
  @Test func everyMistakeOfAFileAtOnce() throws {
    let text = """
      {
        "version": 3,
        "deck": "dating",
        "hand": { "size": 2, "refillBelow": 5, "rewnd": 3 },
        "sources": [{ "use": "al" }, { "use": "weighted" }],
        "filters": [
          { "use": "already-swiped", "answers": ["likes"] },
          { "use": "blocked" }, { "use": "blocked" }
        ],
        "ranking": { "use": "weighted", "terms": { "random": 0, "age": "x" } },
        "slate": [{ "use": "epsilon", "epsilon": 7 }],
        "slate": [],
        "variants": [
          { "name": "a", "share": 0.7, "set": { "ranking": { "use": "randm" } } },
          { "name": "a", "share": 0.7 }
        ]
      }
      """
    let error = try #require(throws: ConfigurationError.self) {
      try FeedConfiguration(
        parsing: Array(text.utf8), file: "feed.json", plugins: .plain)
    }
    #expect(
      error.description == """
        feed.json: line 2, column 14, $.version: unknown version; found 3; allowed: 1
        feed.json: line 4, column 39, $.hand.refillBelow: a hand cannot be refilled below \
        more cards than it holds; found 5; allowed: 1 … 2, the size of the hand
        feed.json: line 4, column 42, $.hand.rewnd: unknown key "rewnd"; allowed: "size", \
        "refillBelow", "rewind", "ties", "unscored", "batches", "timeBudgetMilliseconds"; \
        did you mean "rewind"?
        feed.json: line 5, column 24, $.sources[0].use: unknown source "al"; allowed: \
        \(PluginSet.names(of: .source)); did you mean "all"?
        feed.json: line 5, column 41, $.sources[1].use: "weighted" is a ranking, not a \
        source; allowed: \(PluginSet.names(of: .source))
        feed.json: line 7, column 44, $.filters[0].answers[0]: unknown name "likes"; \
        allowed: "like", "pass", "super-like"; did you mean "like"?
        feed.json: line 8, column 27, $.filters[2]: the filter "blocked" stands twice with \
        the same parameters; allowed: each filter once
        feed.json: line 10, column 56, $.ranking.terms.random: a weight of 0 switches the \
        term off silently; found 0; allowed: a number other than 0, or no such key
        feed.json: line 10, column 66, $.ranking.terms.age: wrong value; found "x"; allowed: \
        a number other than 0
        feed.json: line 11, column 44, $.slate[0].epsilon: wrong value; found 7; allowed: a \
        number, 0 … 1
        feed.json: line 12, column 3, $.slate: the key stands twice; the first is at line \
        11, column 3; allowed: each key once
        feed.json: line 13, column 15, $.variants: the shares add up to more than everybody; \
        found 1.4; allowed: a sum of 1 at most; the rest of the viewers get the base
        feed.json: line 14, column 63, $.variants[0].set.ranking.use: unknown ranking \
        "randm"; allowed: \(PluginSet.names(of: .ranking)); did you mean "random"?
        feed.json: line 15, column 15, $.variants[1].name: two variants are called "a"; \
        allowed: a name of its own for each variant
        feed.json: 14 problems; nothing was changed
        """)
    #expect(error.problems.first?.location?.line == 2)
    let nested = try #require(error.problems.first { $0.nearest == "random" })
    #expect(nested.path.description == "$.variants[0].set.ranking.use")
    #expect(nested.location?.line == 14)
    #expect(nested.message == "unknown ranking \"randm\"")
    #expect(nested.allowed?.hasPrefix("\"source-order\", \"random\"") == true)
  }

  @Test func aSyntaxErrorIsTheOnlyProblem() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try FeedConfiguration("{\n  \"version\": 1,\n  \"deck\": \"dating\"\n  \"salt\": \"\"\n}")
    }
    #expect(
      error.description == """
        feed.json: line 4, column 3, $: a member does not end here; found '"'; allowed: ',' \
        or '}' (a comma is missing before it)
        feed.json: 1 problem; nothing was changed
        """)
  }

  @Test func theBaseIsComplainedAboutOnce() {
    // Three variants inherit the wrong ranking; it is wrong in one place.
    let variants = (0..<3).map { #"{"name": "v\#($0)", "share": 0.1, "set": {"slate": []}}"# }
    let text = """
      {"version": 1, "deck": "dating", "ranking": {"use": "rand"},
       "variants": [\(variants.joined(separator: ", "))]}
      """
    let problems = FeedConfiguration.problems(of: text)
    #expect(problems.count == 1)
    #expect(problems.first?.contains("$.ranking.use: unknown ranking \"rand\"") == true)
  }

  @Test func aDeckWithoutDefaultsNeedsSourcesAndAMatch() {
    #expect(
      FeedConfiguration.problems(of: #"{"version": 1, "deck": "toy"}"#, plugins: .withToy) == [
        "$.sources: a feed needs at least one source; found none; allowed: a list of one or more "
          + "sources",
        "$: missing key \"match\"; allowed: a match rule",
      ])
  }

  @Test func whatIsMissingOnlyShowsWhenItIsBuilt() throws {
    let configuration = try FeedConfiguration(
      """
      {"version": 1, "deck": "dating",
       "sources": [{"use": "page"}],
       "ranking": {"use": "weighted", "terms": {"agee": 1}},
       "slate": [{"use": "group-cap", "column": "gendre", "most": 1}],
       "variants": [{"name": "a", "share": 0.5, "set": {"slate": []}}]}
      """)
    let deck = DatingDeckPlugin()
    let context = BuildContext(
      deck: deck.deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
      registry: PluginSet.plain.registry(for: deck))
    #expect(
      configuration.buildingProblems(context).map(\.description).joined(separator: "\n") == """
        line 2, column 14, $.sources[0]: the source 'page' has nowhere to bring cards from; \
        give the host program's page loader when the feed is opened, or take the source out \
        of the configuration
        line 3, column 13, $.ranking: the ranking 'weighted' has an unknown term "agee"; \
        allowed: "match-probability", "forward", "backward", "random", "gender", "seeks", \
        "age", "birth_day", "min_age", "max_age", "place", "tags", "bio", "max_distance", \
        "intents", "verified", "wants_verified", "attributes", "attribute_names", \
        "dealbreakers", "dealbreaker_names", "zone", "daily_cards", "traits", "questions"; \
        did you mean "age"?
        line 4, column 12, $.slate[0]: the slate rule 'group-cap' asks for an unknown column \
        "gendre"; allowed: "gender", "seeks", "age", "birth_day", "min_age", "max_age", \
        "place", "tags", "bio", "max_distance", "intents", "verified", "wants_verified", \
        "attributes", "attribute_names", "dealbreakers", "dealbreaker_names", "zone", \
        "daily_cards", "traits", "questions"; did you mean "gender"?
        """)
    let error = try #require(throws: FeedError.self) { try configuration.pipelines(context) }
    #expect(error.code == .badInput)
    #expect(error.message == "the source 'page' has nowhere to bring cards from")
  }

  @Test func aConfigurationOfAnotherDeckTraps() async {
    await #expect(processExitsWith: .failure) {
      let configuration = try FeedConfiguration(#"{"version": 1, "deck": "dating"}"#)
      let toy = ToyPlugin()
      _ = try configuration.pipelines(
        BuildContext(
          deck: toy.deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
          registry: PluginSet.withToy.registry(for: toy)))
    }
  }
}
