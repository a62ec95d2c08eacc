#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One row of e^((P + P back) / 2β) at a time.
struct KernelRows<Pairs: PairProbabilities> {
  let pairs: Pairs
  let beta: Double
  private(set) var kernel: [Double]
  private(set) var match: [Double]
  private var back: [Double]

  init(pairs: Pairs, beta: Double) {
    self.pairs = pairs
    self.beta = beta
    kernel = Array(repeating: 0, count: pairs.rightCount)
    match = kernel
    back = kernel
  }

  /// Reads a person's row: `kernel`, and P(match) as `match`.
  mutating func read(_ row: Int) {
    let (pairs, beta) = (pairs, beta)
    kernel.withUnsafeMutableBufferPointer { kernel in
      back.withUnsafeMutableBufferPointer { back in
        match.withUnsafeMutableBufferPointer { match in
          pairs.write(left: row, likes: kernel, likesBack: back)
          for column in kernel.indices {
            precondition(
              kernel[column] >= 0 && back[column] >= 0 && (kernel[column] + back[column]).isFinite,
              "Probabilities of a market are finite and not negative.")
            match[column] = kernel[column] * back[column]
            kernel[column] = exp((kernel[column] + back[column]) / (2 * beta))
          }
        }
      }
    }
  }
}
