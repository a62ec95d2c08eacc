import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import CardFeedVectorSearch
import Testing

@Suite("The registration of vector search")
struct VectorRegistrationTests {
  private func build(_ members: JSONObject, isMutual: Bool = false) throws -> Pipeline<ThingDeck> {
    let plugin = ThingPlugin(deck: ThingDeck(isMutual: isMutual))
    let plugins = PluginSet([BaselinesPlugin(), VectorSearchPlugin(), plugin])
    var object: JSONObject = ["version": 1, "deck": "things"]
    for member in members.members { object[member.key] = member.value }
    let configuration = try FeedConfiguration(
      JSONValue(object), file: "test.json", plugins: plugins)
    let context = BuildContext(
      deck: plugin.deck, states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
      registry: plugins.registry(for: plugin))
    return try configuration.pipelines(context).base
  }

  @Test("both are built from their names, with every target")
  func names() throws {
    for target in ["likes", "latest-like", "viewer"] {
      let pipeline = try build(
        [
          "sources": [["use": "vector-nearest", "to": JSONValue(target), "limit": 40]],
          "ranking": ["use": "vector-similarity", "metric": "euclidean", "to": JSONValue(target)],
        ], isMutual: true)
      #expect(pipeline.sources[0].strategy is VectorNearestSource<ThingDeck>)
      #expect(pipeline.ranking.strategy is VectorSimilarityRanking<ThingDeck>)
      #expect(pipeline.ranking.strategy.scored == ["vector"])
    }
  }

  @Test("a column that holds no vectors is refused with those that do")
  func columns() throws {
    let error = try #require(throws: (any Error).self) {
      try build(["sources": [["use": "vector-nearest", "column": "expires"]]])
    }
    #expect("\(error)".contains("which is no column of vectors; allowed: \"vector\""))
  }

  @Test("a deck whose viewers are no cards has no own vector")
  func viewers() throws {
    let error = try #require(throws: (any Error).self) {
      try build(["ranking": ["use": "vector-similarity", "to": "viewer"]])
    }
    #expect("\(error)".contains("write \"to\": \"likes\""))
  }
}
