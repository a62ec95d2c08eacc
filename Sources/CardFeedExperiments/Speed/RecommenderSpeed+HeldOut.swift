internal import CardFeedRecommenders

extension RecommenderSpeed {
  /// How good lists are that were made fast: NDCG@20 of held out swipes, the mean over viewers who have
  /// some.
  ///
  /// Every tenth line after the header is held out, and lists leave out what the others have. The list
  /// by popularity, of equal cards the lower number first, is there to see that two programs divide
  /// and judge alike: it has one figure.
  ///
  /// - Throws: `RecommenderError` where there is no fit.
  public func heldOut() throws -> [SpeedFigure] {
    let places = viewers.indices.filter { ($0 + 1) % 10 != 0 }
    let seen = try Self.matrix(
      viewerCount: size.viewers, cardCount: size.cards, viewers: places.map { viewers[$0] },
      cards: places.map { cards[$0] })
    var relevant = Array(repeating: Set<Int>(), count: size.viewers)
    for place in viewers.indices where (place + 1) % 10 == 0 {
      relevant[Int(viewers[place])].insert(Int(cards[place]))
    }
    func figure(_ name: String, _ beside: String, _ lists: [[Int]]) -> SpeedFigure {
      let values = zip(lists, relevant).compactMap {
        RankedList(items: $0, relevant: $1).ndcg(at: Self.length)
      }
      return SpeedFigure(
        task: "a tenth held out, \(name)",
        value: values.reduce(0, +) / Double(max(1, values.count)), unit: .ndcg, beside: beside)
    }
    var figures = [figure("by popularity", "popularity_ndcg20", Self.popular(seen))]
    #if OpenBLAS
      for (name, exactly, key) in [
        ("conjugate gradients", false, "cg"), ("Cholesky's decomposition", true, "cholesky"),
      ] {
        let fit = try Self.settings(exactly: exactly).fit(seen)
        let lists = fit.model.top(Self.length, viewers: fit.viewers, excluding: seen)
        figures.append(
          figure(
            "by factors (\(name))", "implicit_als_64x15_\(key)_ndcg20",
            lists.map { $0.map(\.card) }))
      }
    #endif
    return figures
  }

  private static var length: Int { 20 }

  private static func popular(_ seen: InteractionMatrix) -> [[Int]] {
    var counts = Array(repeating: 0, count: seen.columnCount)
    for card in seen.columns { counts[Int(card)] += 1 }
    let order = counts.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
    return (0..<seen.rowCount).map { viewer in
      let own = Set(seen.columns[seen.row(viewer)].map { Int($0) })
      return Array(order.lazy.filter { !own.contains($0) }.prefix(length))
    }
  }
}
