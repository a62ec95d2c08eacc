import CardFeed
import CardFeedBatchModels
import CardFeedTesting
import CardFeedVectorFiles
import Testing

@Suite("A ranking by vectors of a batch training")
struct BatchVectorRankingTests {
  /// Cards have the numbers 1 to 4, the viewer 5.
  private let slate = StrategyConformance.slate(
    of: ["a", "b", "c", "d"].map { ToyCard(CardID($0)) }, deck: ToyDeck(isMutual: false),
    viewer: "v")

  @Test func scoresAreInnerProductsOfTheModelInUse() async throws {
    let scratch = try ModelScratch()
    let ranking = BatchVectorRanking<ToyDeck>(folder: scratch.path)
    func scores() async throws -> [Double] {
      try await ranking.scores(for: slate, estimates: MatchEstimates(count: 4)).values
    }
    // Before the first model nothing is scored.
    #expect(try await scores().allSatisfy(\.isNaN))
    try scratch.writeModel(
      "1", cards: [(1, [1, 0]), (2, [0.5, 2]), (4, [0, -1])], viewers: [(5, [2, 3])])
    try VectorModelFolder(path: scratch.path).publish(1)
    let first = try await scores()
    #expect(first[0] == 2 && first[1] == 7 && first[2].isNaN && first[3] == -3)
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    try scratch.writeModel("2", cards: [(3, [1, 1])], viewers: [(5, [1, 1])])
    try VectorModelFolder(path: scratch.path).publish(2)
    let second = try await scores()
    #expect(second[2] == 2 && second[0].isNaN)
    // A viewer whom the training did not know is scored nothing.
    try scratch.writeModel("3", cards: [(3, [1, 1])], viewers: [(6, [1, 1])])
    try VectorModelFolder(path: scratch.path).publish(3)
    #expect(try await scores().allSatisfy(\.isNaN))
  }

  @Test func aFirstModelThatCannotBeOpenedIsAnError() async throws {
    let scratch = try ModelScratch()
    try VectorModelFolder(path: scratch.path).publish(1)
    let ranking = BatchVectorRanking<ToyDeck>(folder: scratch.path)
    let error = await #expect(throws: FeedError.self) {
      _ = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 4))
    }
    #expect(error?.code == .model)
  }
}
