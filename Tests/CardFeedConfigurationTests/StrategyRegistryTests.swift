import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedStandardPlugins
import CardFeedTesting
import Testing

/// Descriptions of strategies: their texts, and what a programmer must not do with them.
@Suite struct StrategyRegistryTests {
  @Test(
    arguments: [
      (.integer(1...5), "a whole number, 1 … 5"), (.integer(1...1), "the number 1"),
      (.integer(0...Int64.max), "a whole number, 0 … 9223372036854775807"),
      (.integer(Int64.min...Int64.max), "a whole number, of any size"),
      (.number(.share), "a number, 0 … 1"), (.number(.positive), "a number, above 0"),
      (.number(Double.leastNonzeroMagnitude...1), "a number, above 0, at most 1"),
      (.number(.nonNegative), "a number, 0 or more"),
      (.number(.anyNumber), "a number, of any size"),
      (.number(-0.5...2.25), "a number, -0.5 … 2.25"), (.bool, "true or false"),
      (.text, "a text that is not empty"), (.choice(["a", "b"]), "\"a\", \"b\""),
      (.choices(["a", "b"]), "a list of one or more of \"a\", \"b\", each once"),
      (.ascending(.positive), "a list of ascending numbers, each above 0"),
      (.weights(nil), "an object of numbers other than 0"),
      (.weights(["x"]), "an object of numbers other than 0 by \"x\""),
      (.strategy(.ranking), "an object with \"use\" and the parameters of a ranking"),
    ] as [(ParameterDescription.Kind, String)])
  func whatIsAllowedIsSaid(_ kind: ParameterDescription.Kind, _ text: String) {
    #expect(kind.allowed == text)
  }

  @Test func whatShipsIsDescribedInSentences() {
    let plugins = PluginSet.standard
    for deck in plugins.decks {
      #expect(deck.summary.hasSuffix("."))
      for description in descriptions(of: deck) {
        #expect(description.summary.hasSuffix("."), "\(description.use)")
        for parameter in description.parameters {
          #expect(parameter.help.hasSuffix("."), "\(description.use).\(parameter.name)")
          #expect(parameter.help.first?.isUppercase == true || parameter.help.hasPrefix("P("))
          // A default that the decoder would refuse would only show in a user's file.
          if let value = parameter.defaultValue, !value.isNull {
            var object: JSONObject = [:]
            object[parameter.name] = value
            var reader = ConfigurationReader()
            _ = reader.parameters(
              object, at: .root, nil, by: [parameter], strategies: descriptions(of: deck))
            #expect(reader.problems == [], "\(description.use).\(parameter.name)")
          }
        }
      }
    }
  }

  private func descriptions(of deck: some DeckPlugin) -> [StrategyDescription] {
    PluginSet.standard.descriptions(for: deck) + PluginSet.standard.stores.map(\.description)
  }

  @Test func ascendingNumbersAndNamedWeightsAreRead() throws {
    func problems(_ kind: ParameterDescription.Kind, _ text: String) throws -> [String] {
      var reader = ConfigurationReader()
      let object = try #require(try JSONDocument(parsing: text).root.object)
      let parameter = ParameterDescription("x", kind, help: "A value.")
      let decoded = reader.parameters(object, at: .root, nil, by: [parameter], strategies: [])
      #expect((decoded == nil) == !reader.problems.isEmpty)
      return reader.problems.map(\.description)
    }
    #expect(try problems(.ascending(.positive), #"{"x": [1, 2.5]}"#) == [])
    let refused =
      "line 1, column 7, $.x: wrong value; found an array; allowed: a list of ascending "
      + "numbers, each above 0"
    for text in ["[1, 1]", "[2, 1]", "[0, 1]", "[\"1\"]"] {
      #expect(try problems(.ascending(.positive), "{\"x\": \(text)}") == [refused])
    }
    #expect(try problems(.weights(["a"]), #"{"x": {"a": -1}}"#) == [])
    #expect(
      try problems(.weights(["abc"]), #"{"x": {"abd": 1}}"#) == [
        "line 1, column 8, $.x.abd: unknown name \"abd\"; allowed: \"abc\"; did you mean "
          + "\"abc\"?"
      ])
    #expect(
      try problems(.bool, #"{"x": 1}"#) == [
        "line 1, column 7, $.x: wrong value; found 1; allowed: true or false"
      ])
  }

  @Test func namesThatAreNoNamesTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = StrategyDescription("Random", .ranking, summary: "")
    }
    await #expect(processExitsWith: .failure) {
      _ = StrategyDescription("", .ranking, summary: "")
    }
  }

  @Test func aNameTwiceOrOfAnotherKindTraps() async {
    await #expect(processExitsWith: .failure) {
      var registry = StrategyRegistry<ToyDeck>()
      let description = StrategyDescription("x", .ranking, summary: "")
      registry.register(ranking: description) { _, _ in SourceOrderRanking() }
      registry.register(ranking: description) { _, _ in SourceOrderRanking() }
    }
    await #expect(processExitsWith: .failure) {
      var registry = StrategyRegistry<ToyDeck>()
      let description = StrategyDescription("x", .filter, summary: "")
      registry.register(ranking: description) { _, _ in SourceOrderRanking() }
    }
  }

  @Test func theSameNameOfTwoKindsIsFine() {
    var registry = StrategyRegistry<ToyDeck>()
    registry.register(ranking: StrategyDescription("x", .ranking, summary: "")) { _, _ in
      SourceOrderRanking()
    }
    registry.register(source: StrategyDescription("x", .source, summary: "")) { _, _ in
      AllSource()
    }
    #expect(registry.descriptions.map(\.kind) == [.ranking, .source])
    // Every source has a limit, whoever brings it.
    #expect(registry.descriptions.last?.parameters.map(\.name) == ["limit"])
  }

  @Test func askingForWhatIsNotDescribedTraps() async {
    await #expect(processExitsWith: .failure) { _ = Parameters([:]).integer("x") }
    await #expect(processExitsWith: .failure) {
      _ = Parameters(["x": .text("1")]).integer("x")
    }
    await #expect(processExitsWith: .failure) {
      let description = StrategySpecification(
        use: "x", path: .root, parameters: Parameters([:]), effective: [:])
      let registry = StrategyRegistry<ToyDeck>()
      _ = try registry.ranking(
        description,
        BuildContext(
          deck: ToyDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
          registry: registry))
    }
  }

  @Test func whatIsNotSetIsNil() {
    let parameters = Parameters(["x": .null, "n": .number(0.5), "t": .text("a")])
    #expect(parameters.optionalInteger("x") == nil)
    #expect(parameters.optionalNumber("x") == nil)
    #expect(parameters.optionalText("x") == nil)
    #expect(parameters.optionalNumber("n") == 0.5)
    #expect(parameters.optionalText("t") == "a")
  }
}
