internal import Glibc

/// e to the power of `x`.
package func exponential(_ x: Double) -> Double { exp(x) }

/// The natural logarithm.
package func naturalLogarithm(_ x: Double) -> Double { log(x) }

/// The logistic function 1 / (1 + e^−x), without overflow on either side.
package func logistic(_ x: Double) -> Double {
  if x >= 0 { return 1 / (1 + exp(-x)) }
  let z = exp(x)
  return z / (1 + z)
}

/// The inverse of `logistic`: log(p / (1 − p)) for 0 < p < 1.
package func logOdds(_ p: Double) -> Double { log(p / (1 - p)) }
