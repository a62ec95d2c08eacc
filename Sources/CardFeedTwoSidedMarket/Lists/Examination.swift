#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How likely somebody looks at a place of their list, by the place alone (the position-based model:
/// Craswell, Zoeter, Taylor, Ramsey, "An Experimental Comparison of Click Position-Bias Models",
/// WSDM 2008).
public enum Examination: Hashable, Sendable {
  /// 1 / k for place k = 1, 2, ….
  case reciprocal
  /// 1 / log₂(1 + k), the discount of DCG.
  case logarithmic
  /// e^(1 − k).
  case exponential
  /// 1 for the first `count` places, else 0.
  case first(Int)

  /// The probability of a place, counted from 1. Never rises with the place.
  public func callAsFunction(_ place: Int) -> Double {
    precondition(place >= 1, "The places of a list are counted from 1.")
    switch self {
    case .reciprocal: return 1 / Double(place)
    case .logarithmic: return 1 / log2(1 + Double(place))
    case .exponential: return exp(1 - Double(place))
    case .first(let count): return place <= count ? 1 : 0
    }
  }

  /// The probabilities of the places 1…`count`. O(count).
  public func weights(_ count: Int) -> [Double] { (0..<count).map { self($0 + 1) } }
}
