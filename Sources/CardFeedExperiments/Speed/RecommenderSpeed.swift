internal import CardFeed
internal import CardFeedRecommenders

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How long implicit factors take on swipes that other programs are measured on, too.
public struct RecommenderSpeed: Sendable {
  /// One line of the table.
  public struct Figure: Sendable, Equatable {
    /// What was done, as a sentence.
    public let task: String
    /// How much of `unit` it took, or gave.
    public let value: Double
    /// What `value` counts.
    public let unit: String
    /// What the same task is called elsewhere; empty where nobody measures it.
    public let beside: String
  }

  private let histories: ViewerHistories
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
    histories = try ViewerHistories(
      viewerCount: Int(viewers.max() ?? -1) + 1, cardCount: Int(cards.max() ?? -1) + 1,
      viewers: viewers, cards: cards)
    matrix = InteractionMatrix(histories)
  }

  #if OpenBLAS
    /// Fits 64 factors in 15 rounds with one thread and with two, and makes lists of 20 cards without
    /// what was seen. Processor time, but for what is said to be wall time.
    ///
    /// - Throws: `RecommenderError` where there is no fit.
    public func figures() throws -> [Figure] {
      let settings = ImplicitFactors(factors: 64, iterations: 15)
      let one = try Self.measured { try settings.fit(matrix) }
      let two = try Self.measured { try settings.fit(matrix, threads: 2) }
      precondition(one.result.viewers == two.result.viewers, "Threads have changed the factors.")
      let exact = try Self.measured {
        try ImplicitFactors(factors: 64, iterations: 15, solver: .cholesky).fit(matrix)
      }
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
        Figure(
          task: "fit 64 factors in 15 rounds by conjugate gradients", value: one.processor,
          unit: "s", beside: "implicit_als_64x15_cg_cpu_s"),
        Figure(
          task: "the same with two threads, wall time over that of one",
          value: two.wall / one.wall, unit: "", beside: ""),
        Figure(
          task: "fit 64 factors in 15 rounds by Cholesky's decomposition", value: exact.processor,
          unit: "s", beside: "implicit_als_64x15_cholesky_cpu_s"),
        Figure(
          task: "20 cards for each of \(asked) viewers, those seen left out",
          value: Double(asked) / lists.processor, unit: "viewers/s",
          beside: "implicit_recommend_viewers_per_cpu_s"),
        Figure(
          task: "20 cards for one viewer, those seen left out",
          value: alone.processor / Double(singles) * 1e6, unit: "µs", beside: ""),
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
    public func figures() throws -> [Figure] { [] }
  #endif

  private static func measured<Result>(
    _ body: () throws -> Result
  ) rethrows -> (result: Result, processor: Double, wall: Double) {
    let clock = SystemClock()
    let (processor, start) = (processorSeconds(), clock.uptimeNanoseconds)
    let result = try body()
    return (
      result, processorSeconds() - processor, Double(clock.uptimeNanoseconds - start) * 1e-9
    )
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
