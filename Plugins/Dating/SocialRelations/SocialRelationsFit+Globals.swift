internal import CardFeed

extension SocialRelationsFit {
  /// The negative second derivatives of the posterior by the weights and the bases at its mode, the
  /// bases in ascending order of their genders; nil where people are fitted too, of whom much more is
  /// unknown. Row after row. The inverse is their covariance by Laplace's approximation (MacKay 1992,
  /// "The Evidence Framework Applied to Classification Networks"). O(answers · features²).
  func globals(at mode: Vector) -> [Double]? {
    guard spreads.actor == 0, data.count > 0 else { return nil }
    let features = data.comparer.features.count
    let size = features + data.genders.count
    let logOdds = logOddsOfAnswers(mode)
    let raterGenders = data.raterGenders
    let width = data.width
    var matrix = Array(repeating: 0.0, count: size * size)
    var row = Array(repeating: 0.0, count: size)
    data.features.withUnsafeBufferPointer { values in
      matrix.withUnsafeMutableBufferPointer { matrix in
        for answer in 0..<data.count {
          for i in features..<size { row[i] = 0 }
          row[features + Int(raterGenders[answer])] = 1
          for i in 0..<features { row[i] = values[answer * width + i / 4][i % 4] }
          let p = logistic(logOdds[answer])
          for i in 0..<size {
            let scaled = p * (1 - p) * row[i]
            if scaled == 0 { continue }
            for j in 0...i { matrix[i * size + j] += scaled * row[j] }
          }
        }
        for i in 0..<size {
          let spread = i < features ? spreads.feature : Self.baseSpread
          matrix[i * size + i] += 1 / (spread * spread)
          for j in 0..<i { matrix[j * size + i] = matrix[i * size + j] }
        }
      }
    }
    return matrix
  }
}
