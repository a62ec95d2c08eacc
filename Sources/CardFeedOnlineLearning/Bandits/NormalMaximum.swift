/// Which of several independent normal numbers is the greatest: ∫ f_k(x) Π_{j≠k} F_j(x) dx for all k
/// in one pass over nodes that all share.
///
/// Where deviations are alike the nodes are even: the integrand is smooth and falls off on both sides,
/// so the error of the trapezoidal rule shrinks exponentially with the step (Trefethen and Weideman,
/// "The Exponentially Convergent Trapezoidal Rule", SIAM Review 2014). Where they are not, panels of
/// eight nodes of Gauss and Legendre are as wide as the sharpest number that they meet allows. Nodes
/// go downwards, until all numbers together lie below with a probability under 10⁻⁸. The error of a
/// probability is below 10⁻⁶.
struct NormalMaximum {
  typealias Lanes = SIMD4<Double>
  /// What a register holds on every processor; of longer vectors the compiler takes parts apart.
  typealias Pair = SIMD2<Double>

  /// Deviations from a mean beyond which nothing is expected.
  private static let reach = 5.5
  /// The most even nodes.
  private static let evenNodes = 48.0

  /// One of the numbers.
  private struct Number {
    let place: Int
    let mean: Double
    let deviation: Double
    /// 1 / deviation.
    let sharpness: Double
    /// Where it begins to matter, seen from above.
    let top: Double
  }

  /// In the order of their tops, the highest first.
  private var numbers: [Number] = []
  /// Those that begin above the nodes that come next: of the others the nodes see nothing but 1.
  private var seen = 0
  /// The greatest of n equal numbers has about this many of their deviations.
  private var narrowness = 1.0
  /// Two parts of each number's integral, and behind them what it needs at four nodes.
  private var parts: [Pair]

  /// - Parameters:
  ///   - means: Of each number, finite.
  ///   - deviations: Of each number, above 0.
  ///   - places: The numbers that count, one at least.
  init(means: [Double], deviations: [Double], places: [Int]) {
    numbers.reserveCapacity(places.count)
    for place in places {
      let deviation = deviations[place]
      numbers.append(
        Number(
          place: place, mean: means[place], deviation: deviation, sharpness: 1 / deviation,
          top: means[place] + Self.reach * deviation))
    }
    numbers.sort { $0.top == $1.top ? $0.place < $1.place : $0.top > $1.top }
    narrowness = 1.28 / (1.64 + 2 * Double(places.count).logarithm()).squareRoot()
    parts = Array(repeating: .zero, count: 3 * places.count)
  }

  /// Of each of the numbers that count, its place and the probability that it is the greatest, times
  /// a factor that all have. O(numbers · nodes).
  mutating func weigh(_ body: (_ place: Int, _ weight: Double) -> Void) {
    var (lowest, sharpest) = (-Double.infinity, Double.infinity)
    for number in numbers {
      lowest = max(lowest, number.mean - Self.reach * number.deviation)
      sharpest = min(sharpest, number.deviation)
    }
    let step = 1.1 * narrowness * sharpest
    if numbers[0].top - lowest <= Self.evenNodes * step {
      addEvenly(step, downTo: lowest)
    } else {
      addPanels(downTo: lowest)
    }
    for (index, number) in numbers.enumerated() { body(number.place, parts[index].sum()) }
  }

  private mutating func addEvenly(_ step: Double, downTo lowest: Double) {
    let places = Lanes(0.5, 1.5, 2.5, 3.5) * step
    var x = numbers[0].top
    while x > lowest {
      while seen < numbers.count, numbers[seen].top > x - 4 * step { seen += 1 }
      guard add(x - places, Lanes(repeating: 1)) else { return }
      x -= 4 * step
    }
  }

  private mutating func addPanels(downTo lowest: Double) {
    var x = numbers[0].top
    var sharpest = Double.infinity
    while x > lowest {
      while seen < numbers.count, numbers[seen].top >= x {
        sharpest = min(sharpest, numbers[seen].deviation)
        seen += 1
      }
      let scale = 3.3 * narrowness
      var width = scale * sharpest
      // Above a sharper number nothing of it changes: a panel ends where it begins.
      for number in numbers[seen...] {
        if number.top < x - width { break }
        width = min(width, max(scale * number.deviation, x - number.top))
      }
      while seen < numbers.count, numbers[seen].top > x - width {
        sharpest = min(sharpest, numbers[seen].deviation)
        seen += 1
      }
      let (middle, half) = (x - width / 2, width / 2)
      guard add(middle + Self.upper * half, Self.upperWeights * half),
        add(middle - Self.lower * half, Self.lowerWeights * half)
      else { return }
      x -= width
    }
  }

  /// Positive nodes of Gauss and Legendre, the outermost first, and those below zero.
  private static var upper: Lanes {
    Lanes(0.9602898564975363, 0.7966664774136267, 0.525532409916329, 0.1834346424956498)
  }
  private static var upperWeights: Lanes {
    Lanes(0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.362683783378362)
  }
  private static var lower: Lanes {
    Lanes(0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363)
  }
  private static var lowerWeights: Lanes {
    Lanes(0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763)
  }

  /// Adds four nodes, from above downwards. Returns whether something is left below them.
  private mutating func add(_ x: Lanes, _ weights: Lanes) -> Bool {
    let (count, seen) = (numbers.count, seen)
    let (upper, lower) = (x.lowHalf, x.highHalf)
    var (upperProduct, lowerProduct) = (Pair(repeating: 1), Pair(repeating: 1))
    numbers.withUnsafeBufferPointer { numbers in
      parts.withUnsafeMutableBufferPointer { parts in
        for index in 0..<seen {
          let (mean, sharpness) = (numbers[index].mean, numbers[index].sharpness)
          let one = Self.normal((upper - mean) * sharpness)
          let other = Self.normal((lower - mean) * sharpness)
          upperProduct *= one.distribution
          lowerProduct *= other.distribution
          // What the other numbers' product is, is a quotient: the same for equal numbers.
          parts[count + 2 * index] = one.density * sharpness / one.distribution
          parts[count + 2 * index + 1] = other.density * sharpness / other.distribution
        }
        let upperFactor = upperProduct * weights.lowHalf
        let lowerFactor = lowerProduct * weights.highHalf
        for index in 0..<seen {
          parts[index] +=
            parts[count + 2 * index] * upperFactor + parts[count + 2 * index + 1] * lowerFactor
        }
      }
    }
    return lowerProduct[1] > 1e-8 || seen < count
  }

  /// √2π · φ(z) and Φ(z), the latter to 3 · 10⁻¹² and above 0.
  ///
  /// Φ(−|z|) = exp(−z²/2) · t · p(2t − 1) with t = 1 / (1 + |z|/4), the form of Abramowitz and Stegun,
  /// "Handbook of Mathematical Functions", 26.2.17, with ten coefficients that were fitted to the
  /// scaled complementary error function.
  @inline(__always)
  static func normal(_ z: Pair) -> (density: Pair, distribution: Pair) {
    let one = Pair(repeating: 1)
    var distance = z.replacing(with: -z, where: z .< Pair.zero)
    // Beyond this both are what they are here, to the last digit.
    let far = Pair(repeating: 37)
    distance.replace(with: far, where: distance .> far)
    let density = exponential2(distance * distance * -0.72134752044448170)
    let t = one / (one + distance * 0.25)
    let s = t + t - one
    // In pairs (Estrin's scheme), so that no step waits long for another.
    let square = s * s
    let fourth = square * square
    let low = 0.1888212940838196 + 0.1519738365047038 * s
    let second = 0.09678801213713188 + 0.04660793171291722 * s
    let third = 0.01518437188510361 + 0.001675266633922541 * s
    let high = -0.0005266548687153372 - 0.0007776306752187157 * s
    let highest = 0.00028172489201597206 - 2.8152304661577254e-05 * s
    let p = (low + second * square) + (third + high * square + highest * fourth) * fourth
    let tail = density * t * p
    return (density, tail.replacing(with: one - tail, where: z .> Pair.zero))
  }

  /// 2ˣ for −1000 ≤ x ≤ 0, to 10⁻¹² of it: a polynomial over −½ … ½, and the whole rest.
  @inline(__always)
  private static func exponential2(_ x: Pair) -> Pair {
    // Adding it rounds to a whole number, which then stands in the lowest bits.
    let shift = Pair(repeating: 0x1.8p52)
    let shifted = x + shift
    let r = x - (shifted - shift)
    let square = r * r
    let fourth = square * square
    let low = 0.9999999999997492 + 0.69314718054658 * r
    let second = 0.24022650699047868 + 0.05550410939133191 * r
    let third = 0.009618128509141956 + 0.0013333452230260402 * r
    let high = 0.0001540387346260978 + 1.5309698871372257e-05 * r
    let p =
      (low + second * square)
      + (third + high * square + 1.3171492489306253e-06 * fourth) * fourth
    // Vectors of one size without padding, of which every bit pattern is a value.
    let exponent = unsafeBitCast(shifted, to: SIMD2<Int64>.self) &<< 52
    return unsafeBitCast(
      unsafeBitCast(p, to: SIMD2<Int64>.self) &+ exponent, to: Pair.self)
  }
}
