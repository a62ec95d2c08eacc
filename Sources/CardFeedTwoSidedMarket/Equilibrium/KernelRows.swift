#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One row of e^(u / 2β) at a time.
struct KernelRows<Pairs: PairProbabilities> {
  let pairs: Pairs
  let utility: TransferableUtility
  private(set) var kernel: [Double]
  private(set) var match: [Double]
  private var back: [Double]

  init(pairs: Pairs, utility: TransferableUtility) {
    self.pairs = pairs
    self.utility = utility
    kernel = Array(repeating: 0, count: pairs.rightCount)
    match = kernel
    back = kernel
  }

  /// Reads a person's row: `kernel`, and P(match) as `match`.
  mutating func read(_ row: Int) {
    let (pairs, beta, joint) = (pairs, utility.beta, utility.joint)
    kernel.withUnsafeMutableBufferPointer { kernel in
      back.withUnsafeMutableBufferPointer { back in
        match.withUnsafeMutableBufferPointer { match in
          pairs.write(left: row, likes: kernel, likesBack: back)
          for column in kernel.indices {
            precondition(
              kernel[column] >= 0 && back[column] >= 0 && (kernel[column] + back[column]).isFinite,
              "Probabilities of a market are finite and not negative.")
            match[column] = kernel[column] * back[column]
            kernel[column] = exp(joint(kernel[column], back[column]) / (2 * beta))
          }
        }
      }
    }
  }
}
