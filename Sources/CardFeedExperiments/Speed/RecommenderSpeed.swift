internal import CardFeed
internal import CardFeedRecommenders

/// How long implicit factors take on swipes that other programs are measured on, too.
public struct RecommenderSpeed: Sendable {
  /// Who, of each line of the file.
  let viewers: [Int32]
  /// What.
  let cards: [Int32]
  private let matrix: InteractionMatrix

  /// Swipes out of a CSV file with the columns `user` and `item`, whole numbers from 0.
  ///
  /// - Throws: ``DataProblems`` with every fault.
  public init(path: String) throws {
    var problems = DataProblems()
    var (viewers, cards) = ([Int32](), [Int32]())
    do {
      _ = try SpeedDatingLoader.eachRow(path, ["user", "item"], &problems) { fields in
        viewers.append(Int32(fields.integer("user", in: 0...10_000_000)))
        cards.append(Int32(fields.integer("item", in: 0...10_000_000)))
      }
    } catch {
      problems.add(error)
    }
    guard problems.isEmpty else { throw problems }
    self.viewers = viewers
    self.cards = cards
    matrix = try Self.matrix(
      viewerCount: Int(viewers.max() ?? -1) + 1, cardCount: Int(cards.max() ?? -1) + 1,
      viewers: viewers, cards: cards)
  }

  /// Who has what.
  static func matrix(
    viewerCount: Int, cardCount: Int, viewers: [Int32], cards: [Int32]
  ) throws -> InteractionMatrix {
    try InteractionMatrix(
      ViewerHistories(
        viewerCount: viewerCount, cardCount: cardCount, viewers: viewers, cards: cards))
  }

  /// How many viewers and cards there are.
  var size: (viewers: Int, cards: Int) { (matrix.rowCount, matrix.columnCount) }

  #if OpenBLAS
    /// 64 factors in 15 rounds, weighted as a confidence of 2 and a regularisation of .05 for each
    /// vector are elsewhere: what implicit minimises is four times this, of vectors √2 times as long.
    static func settings(exactly: Bool) -> ImplicitFactors {
      ImplicitFactors(
        factors: 64, iterations: 15, regularisation: 0.025, unobserved: 1, exponent: 0,
        solver: exactly ? .cholesky : .conjugateGradient(steps: 3))
    }

    /// Fits 64 factors in 15 rounds with one thread and with two, and makes lists of 20 cards without
    /// what was seen. Processor time, but for what is said to be wall time.
    ///
    /// - Throws: `RecommenderError` where there is no fit.
    public func figures() throws -> [SpeedFigure] {
      let settings = Self.settings(exactly: false)
      let one = try Self.measured { try settings.fit(matrix) }
      let two = try Self.measured { try settings.fit(matrix, threads: 2) }
      precondition(one.result.viewers == two.result.viewers, "Threads have changed the factors.")
      let exact = try Self.measured { try Self.settings(exactly: true).fit(matrix) }
      let fit = one.result
      let asked = min(matrix.rowCount, 5000)
      let seen = InteractionMatrix(first: asked, of: matrix)
      let vectors = Array(fit.viewers[..<(asked * fit.model.factorCount)])
      let lists = Self.measured { fit.model.top(20, viewers: vectors, excluding: seen) }
      let singles = min(asked, 300)
      let alone = Self.measured {
        (0..<singles).map { viewer in single(viewer, fit, vectors) }
      }
      for (viewer, list) in alone.result.enumerated() {
        precondition(
          list == lists.result[viewer], "A list alone differs from that among others.")
      }
      return [
        SpeedFigure(
          task: "fit 64 factors in 15 rounds by conjugate gradients", value: one.processor,
          unit: .seconds, beside: "implicit_als_64x15_cg_cpu_s"),
        SpeedFigure(
          task: "the same with two threads, wall time over that of one",
          value: two.wall / one.wall, unit: .ratio),
        SpeedFigure(
          task: "fit 64 factors in 15 rounds by Cholesky's decomposition", value: exact.processor,
          unit: .seconds, beside: "implicit_als_64x15_cholesky_cpu_s"),
        SpeedFigure(
          task: "20 cards for each of \(asked) viewers, those seen left out",
          value: Double(asked) / lists.processor, unit: .viewersPerSecond,
          beside: "implicit_recommend_viewers_per_cpu_s"),
        SpeedFigure(
          task: "20 cards for one viewer, those seen left out",
          value: alone.processor / Double(singles) * 1e6, unit: .microseconds,
          beside: "implicit_recommend_one_us"),
      ]
    }

    private func single(
      _ viewer: Int, _ fit: ImplicitFactors.Fit, _ vectors: [Float]
    ) -> [ScoredCard] {
      let size = fit.model.factorCount
      return fit.model.top(
        20, viewer: Array(vectors[viewer * size..<(viewer + 1) * size]),
        excluding: matrix.columns[matrix.row(viewer)])
    }
  #else
    /// Nothing: this build has no implicit factors.
    public func figures() throws -> [SpeedFigure] { [] }
  #endif

  private static func measured<Result>(
    _ body: () throws -> Result
  ) rethrows -> (result: Result, processor: Double, wall: Double) {
    let clock = SystemClock()
    let (processor, start) = (ProcessorTime.seconds, clock.uptimeNanoseconds)
    let result = try body()
    return (
      result, ProcessorTime.seconds - processor, Double(clock.uptimeNanoseconds - start) * 1e-9
    )
  }
}
