// Draws whose result for given bits is written down here. The standard library's `random(in:using:)`
// and `shuffle(using:)` do not promise the same result for the same bits in a later version, and a
// seeded experiment must.
extension RandomNumberGenerator {
  /// A whole number in `0..<bound`, each equally likely: the high half of a 64 × 64 bit product,
  /// with rejection of the few biased low halves (Lemire 2019, algorithm 5).
  mutating func drawIndex(below bound: Int) -> Int {
    precondition(bound > 0, "an index is drawn below a positive bound")
    let width = UInt64(bound)
    var product = next().multipliedFullWidth(by: width)
    if product.low < width {
      // 2⁶⁴ mod width; the wrapped difference 0 − width is 2⁶⁴ − width, which is what is wanted.
      let threshold = (0 &- width) % width
      while product.low < threshold { product = next().multipliedFullWidth(by: width) }
    }
    return Int(product.high)
  }

  /// A number in 0..<1, a multiple of 2⁻⁵³: the top 53 bits of one draw.
  mutating func drawUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A standard normal deviate by the polar method (Marsaglia & Bray 1964): a point drawn in the
  /// square until it falls inside the unit circle; the second coordinate is not used, so that a
  /// deviate depends on nothing but the bits drawn for it.
  mutating func drawNormal() -> Double {
    while true {
      let x = 2 * drawUnit() - 1
      let y = 2 * drawUnit() - 1
      let square = x * x + y * y
      if square > 0, square < 1 {
        return x * (-2 * PortableMath.log(square) / square).squareRoot()
      }
    }
  }

  /// Puts the elements into random order, every order equally likely (Fisher–Yates, from the end).
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, drawIndex(below: last + 1))
    }
  }
}
