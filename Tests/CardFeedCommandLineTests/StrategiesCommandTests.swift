import CardFeedCommandLine
import CardFeedConfiguration
import Testing

/// `cardfeed strategies`: what a configuration can ask for.
@Suite struct StrategiesCommandTests {
  @Test func allAreListed() async throws {
    let call = await Call.tool("strategies", "--format", "json")
    #expect(call.status == .fine)
    let rows = try #require(try call.json.array)
    let names = rows.map { "\($0["kind"]?.string ?? "") \($0["name"]?.string ?? "")" }
    #expect(Set(names).count == names.count)
    for name in [
      "source all", "source page", "filter mutual-preferences", "filter legal-age",
      "filter within-distance", "match-probability elo-two-scale",
      "ranking likers-first", "slate-rule epsilon", "match-rule mutual-like", "store sqlite",
    ] {
      #expect(names.contains(name))
    }
    // Of one deck are those that name no other; each has some of its own.
    let own = [
      "dating": "filter mutual-preferences", "quiz": "source due", "product": "source popular",
    ]
    for (deck, name) in own {
      let ofDeck = await Call.tool("strategies", "--format", "json", "--deck", deck)
      let listed = (try ofDeck.json.array ?? []).map {
        "\($0["kind"]?.string ?? "") \($0["name"]?.string ?? "")"
      }
      #expect(Set(listed).isSubset(of: names))
      for (other, name) in own { #expect(listed.contains(name) == (other == deck)) }
      #expect(listed.contains(name))
      #expect(listed.contains("source all"))
    }
  }

  @Test func oneIsExplained() async {
    let call = await Call.tool("strategies", "epsilon")
    #expect(call.status == .fine)
    #expect(
      call.output == """
        epsilon (slate rule)
        Deals a random candidate instead of the best one now and then.

        Sutton and Barto, Reinforcement Learning, 2018, section 2.2.

        parameter  allowed          default   unit         help
        ---------  ---------------  --------  -----------  --------------------------------------
        epsilon    a number, 0 … 1  required  probability  How often, for each place of the hand.

        """)
  }

  @Test func anUnknownNameGetsTheNearest() async {
    let call = await Call.tool("strategies", "epsilom")
    #expect(call.status.rawValue == 64)
    #expect(
      call.errors == """
        error: there is no strategy 'epsilom'; did you mean 'epsilon'?
        Usage: cardfeed strategies [options] [NAME]
        'cardfeed strategies --help' says more.

        """)
    let far = await Call.tool("strategies", "xyz")
    #expect(far.errors.hasPrefix("error: there is no strategy 'xyz'; 'cardfeed strategies' lists "))
    let deck = await Call.tool("strategies", "--deck", "datin")
    #expect(deck.status.rawValue == 64)
    #expect(
      deck.errors.hasPrefix(
        "error: there is no deck 'datin'; allowed: dating, quiz, product; did you mean 'dating'?\n")
    )
  }
}
