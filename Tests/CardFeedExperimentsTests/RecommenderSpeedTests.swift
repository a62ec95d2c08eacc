import CardFeedExperiments
import Testing

/// What is measured beside other programs, on swipes in a file.
struct RecommenderSpeedTests {
  /// Twelve viewers and eight cards, in no order that popularity tells.
  private static let lines: [(viewer: Int, card: Int)] = (0..<12).flatMap { viewer in
    (0..<8).filter { (viewer * viewer + 3 * $0 * $0 + $0) % 5 < 3 }.map { (viewer, $0) }
  }

  private func speed() throws -> RecommenderSpeed {
    let folder = try TemporaryFolder()
    let rows = Self.lines.map { "\($0.viewer),\($0.card)\n" }.joined()
    return try RecommenderSpeed(
      path: folder.write("user,item\n" + rows, to: "interactions.csv"))
  }

  @Test func popularityIsJudgedByWhatWasHeldOut() throws {
    // Lines 10, 20 … 50 are those of viewers 1, 4, 6, 9 and 11 with card 6 or 7; what each of them has not
    // is that card and card 4, which more viewers have: rank 2 weighs 1 / log2(3).
    let figures = try speed().heldOut()
    let first = try #require(figures.first)
    #expect(first.beside == "popularity_ndcg20" && first.unit == .ndcg)
    #expect(abs(first.value - 0.6309297535714575) < 1e-12)
    #if OpenBLAS
      #expect(figures.count == 3)
      #expect(figures.allSatisfy { $0.value > 0.63 && $0.value <= 1 })
    #endif
  }

  #if OpenBLAS
    @Test func everyTaskHasAFigureAndAName() throws {
      let figures = try speed().figures()
      #expect(
        figures.map(\.beside) == [
          "implicit_als_64x15_cg_cpu_s", "", "implicit_als_64x15_cholesky_cpu_s",
          "implicit_recommend_viewers_per_cpu_s", "implicit_recommend_one_us",
        ])
      #expect(figures.allSatisfy { $0.value > 0 && $0.value.isFinite })
    }
  #endif
}
