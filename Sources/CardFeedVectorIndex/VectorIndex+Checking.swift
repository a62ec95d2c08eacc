extension VectorIndex {
  /// What the components are multiplied by before they are kept or looked for: 1, or for the metric
  /// cosine one over the length. Throws for a vector that is not fit.
  func factor(
    of vector: Span<Float>, _ subject: String, _ number: Int? = nil
  ) throws(VectorError) -> Float {
    func name() -> String { number.map { "\(subject) \($0)" } ?? subject }
    var square: Double = 0
    for place in 0..<vector.count {
      let value = vector[place]
      guard value.isFinite else { throw .notFinite(component: place, of: name()) }
      square += Double(value) * Double(value)
    }
    guard metric == .cosine else {
      // Sums and differences of a few products of two such vectors stay finite.
      guard square < 1e37 else { throw .tooLong(name()) }
      return 1
    }
    guard square > 0 else { throw .noDirection(name()) }
    let factor = Float(1 / square.squareRoot())
    // Beyond these lengths the factor itself leaves single precision.
    guard factor.isNormal else { throw .tooLong(name()) }
    return factor
  }
}
