internal import CardFeed
internal import CardFeedTwoSidedMarket

/// Measures how long lists for a whole market take, one thread, and how much memory.
public struct ListSpeed: Sendable {
  /// One line of the table.
  public struct Row: Sendable {
    /// What was done, as a sentence.
    public let name: String
    /// The shortest of the rounds.
    public let seconds: Double
    /// Expected matches, so that a faster wrong answer shows.
    public let expectedMatches: Double
    /// The most memory that the process held beyond what it held before, if the system tells.
    public let peakBytes: Int?
    /// Both matrices of probabilities of all pairs, 8 bytes a number: what a method that holds them
    /// needs at least, whether it did or not.
    public let pairBytes: Int
  }

  /// Runs a body, and says how many bytes more than before the process held at most; nil where the
  /// system does not tell.
  public typealias MemoryMeter = @Sendable (_ body: () -> Void) -> Int?

  private let memory: MemoryMeter

  /// A measurement.
  ///
  /// - Parameter memory: Measures memory; without one there are no figures of it.
  public init(
    memory: @escaping MemoryMeter = { body in
      body()
      return nil
    }
  ) {
    self.memory = memory
  }

  /// Lists for the synthetic markets of 30 × 20, 100 × 100 and 200 × 300 (λ = 0.5, seed 0), and top
  /// lists for 2,000 × 3,000 people whose probabilities are never in memory together.
  public func rows() -> [Row] {
    var rows: [Row] = []
    for (left, right, rounds) in [(30, 20, 20), (100, 100, 5), (200, 300, 2)] {
      let market = SyntheticMarket(left: left, right: right).market(seed: 0)
      let size = "\(left) × \(right)"
      let utility = TransferableUtility()
      func lists(_ masses: DenseMatrix) -> MutualExamination {
        MutualExamination(
          left: RankedLists(ranking: masses), right: RankedLists(ranking: masses.transposed()),
          .reciprocal)
      }
      func measure(_ name: String, _ body: () -> Double) {
        rows.append(
          measured("\(size): \(name)", pairs: left * right, rounds: rounds, body))
      }
      measure("equilibrium and its lists") {
        market.expectedMatches(lists(utility.masses(utility.equilibrium(of: market), of: market)))
      }
      measure("equilibrium and best responses") {
        let masses = utility.masses(utility.equilibrium(of: market), of: market)
        return BestResponse().lists(for: market, from: masses).expectedMatches
      }
      measure("social welfare") {
        FairLists(.socialWelfare).lottery(for: market).expectedMatches
      }
      measure("Nash welfare") {
        FairLists(.nashSocialWelfare).lottery(for: market).expectedMatches
      }
    }
    let streamed = StreamedMarket(leftCount: 2000, rightCount: 3000)
    for length in [10, 50] {
      rows.append(
        measured(
          "2000 × 3000, streamed: equilibrium and best responses, lists of \(length)",
          pairs: streamed.leftCount * streamed.rightCount, rounds: 1
        ) {
          BestResponse().topLists(streaming: streamed, length: length).expectedMatches
        })
    }
    return rows
  }

  private func measured(
    _ name: String, pairs: Int, rounds: Int, _ body: () -> Double
  ) -> Row {
    let clock = SystemClock()
    var best = UInt64.max
    var matches = 0.0
    let peak = memory {
      for _ in 0..<rounds {
        let start = clock.uptimeNanoseconds
        matches = body()
        best = min(best, clock.uptimeNanoseconds - start)
      }
    }
    return Row(
      name: name, seconds: Double(best) * 1e-9, expectedMatches: matches, peakBytes: peak,
      pairBytes: 2 * pairs * MemoryLayout<Double>.size)
  }
}

/// A market whose probabilities follow from the two people: nothing of it lies in memory.
struct StreamedMarket: PairProbabilities {
  let leftCount: Int
  let rightCount: Int

  func write(
    left: Int, likes: UnsafeMutableBufferPointer<Double>,
    likesBack: UnsafeMutableBufferPointer<Double>
  ) {
    var generator = SplitMix64(seed: UInt64(left))
    let popularity = 1 - Double(left) / Double(leftCount)
    for column in 0..<rightCount {
      likes[column] =
        0.5 * generator.unitInterval() + 0.5 * (1 - Double(column) / Double(rightCount))
      likesBack[column] = 0.5 * generator.unitInterval() + 0.5 * popularity
    }
  }
}
