internal import CardFeed

/// The posterior mode of a Social Relations Model by Newton's method.
///
/// Everything that is fitted has a normal prior, so the logarithm of the posterior is strictly
/// concave and has one mode. Each step solves H δ = g by preconditioned conjugate gradients
/// (Hestenes and Stiefel 1952), H being the negative second derivatives. The preconditioner knows H
/// exactly inside each person (2 × 2) and approximately among the weights (their Gram matrix times
/// the mean information). H itself is never formed: one product with it costs one pass over the
/// answers, whatever the graph of who met whom looks like.
///
/// Beside the mode, each person gets the inverse of their own 2 × 2 block of H: the covariance of
/// their two effects given everybody else. Where it was compared with the full inverse, on the
/// Columbia evenings, the averaged probabilities were no worse for it.
struct SocialRelationsFit {
  /// The unknowns, and vectors of their shape.
  struct Vector: Sendable {
    /// Actor and partner effect of each person.
    var people: [SIMD2<Double>]
    var bases: [Double]
    var weights: [SIMD4<Double>]

    func dot(_ other: Vector) -> Double {
      var sum = 0.0
      for i in people.indices { sum += (people[i] * other.people[i]).sum() }
      for i in bases.indices { sum += bases[i] * other.bases[i] }
      for i in weights.indices { sum += (weights[i] * other.weights[i]).sum() }
      return sum
    }

    mutating func add(_ factor: Double, _ other: Vector) {
      for i in people.indices { people[i] += factor * other.people[i] }
      for i in bases.indices { bases[i] += factor * other.bases[i] }
      for i in weights.indices { weights[i] += factor * other.weights[i] }
    }

    mutating func scale(_ factor: Double, adding other: Vector) {
      for i in people.indices { people[i] = factor * people[i] + other.people[i] }
      for i in bases.indices { bases[i] = factor * bases[i] + other.bases[i] }
      for i in weights.indices { weights[i] = factor * weights[i] + other.weights[i] }
    }
  }

  /// What stays as it is.
  enum Scope: Sendable {
    /// Everything is fitted.
    case everything
    /// Only the people; bases and weights are these.
    case people(bases: [Double], weights: [SIMD4<Double>])
  }

  /// The standard deviation of a base about the log-odds of all answers together.
  static let baseSpread = 2.0

  let data: SocialRelationsData
  let spreads: Spreads
  let scope: Scope
  /// The Gram matrix of the features over the answers; empty where weights are not fitted.
  let gram: [Double]
  let meanLogOdds: Double

  /// The log-odds of each answer apart from the people, where bases and weights are given.
  private let offsets: [Double]

  init(
    _ data: SocialRelationsData, spreads: Spreads, scope: Scope = .everything, gram: [Double]
  ) {
    self.data = data
    self.spreads = spreads
    self.scope = scope
    self.gram = gram
    let likes = data.answers.reduce(0, +)
    meanLogOdds = logOdds((likes + 0.5) / (Double(data.count) + 1))
    switch scope {
    case .everything: offsets = []
    case .people(let bases, let weights):
      offsets = (0..<data.count).map { row in
        var sum = SIMD4<Double>.zero
        for i in 0..<data.width { sum += data.features[row * data.width + i] * weights[i] }
        return bases[Int(data.raterGenders[row])] + sum.sum()
      }
    }
  }

  private var fitsGlobals: Bool { if case .everything = scope { true } else { false } }
  private var fitsPeople: Bool { spreads.actor > 0 }

  /// All zero, bases at the mean.
  var start: Vector {
    Vector(
      people: Array(repeating: .zero, count: fitsPeople ? data.peopleCount : 0),
      bases: fitsGlobals ? data.genders.map { _ in meanLogOdds } : [],
      weights: Array(repeating: .zero, count: fitsGlobals ? data.width : 0))
  }

  // The columns are taken out before each loop: without an optimiser, every access through `data`
  // would copy all of it.

  /// The log-odds of every answer. O(answers · features).
  func logOddsOfAnswers(_ x: Vector) -> [Double] {
    let count = data.count
    let raters = data.raters
    var sums = offsets.isEmpty ? Array(repeating: 0.0, count: count) : offsets
    if fitsPeople {
      let actors = x.people.map(\.x)
      let partners = x.people.map(\.y)
      let targets = data.targets
      for row in 0..<count { sums[row] += actors[Int(raters[row])] + partners[Int(targets[row])] }
    }
    guard fitsGlobals else { return sums }
    let genders = data.raterGenders
    for row in 0..<count { sums[row] += x.bases[Int(genders[row])] }
    let width = data.width
    guard width > 0 else { return sums }
    data.features.withUnsafeBufferPointer { features in
      x.weights.withUnsafeBufferPointer { weights in
        for row in 0..<count {
          var sum = SIMD4<Double>.zero
          for i in 0..<width { sum += features[row * width + i] * weights[i] }
          sums[row] += sum.sum()
        }
      }
    }
    return sums
  }

  /// Σ over the answers of value · (derivative of the log-odds by each unknown).
  private func scatter(_ values: [Double]) -> Vector {
    var sum = start
    let count = data.count
    if fitsPeople {
      var actors = Array(repeating: 0.0, count: data.peopleCount)
      var partners = actors
      let raters = data.raters
      let targets = data.targets
      for row in 0..<count {
        actors[Int(raters[row])] += values[row]
        partners[Int(targets[row])] += values[row]
      }
      sum.people = zip(actors, partners).map { SIMD2($0, $1) }
    }
    guard fitsGlobals else { return sum }
    for i in sum.bases.indices { sum.bases[i] = 0 }
    let genders = data.raterGenders
    for row in 0..<count { sum.bases[Int(genders[row])] += values[row] }
    let width = data.width
    guard width > 0 else { return sum }
    data.features.withUnsafeBufferPointer { features in
      sum.weights.withUnsafeMutableBufferPointer { weights in
        for row in 0..<count {
          let value = values[row]
          for i in 0..<width { weights[i] += value * features[row * width + i] }
        }
      }
    }
    return sum
  }

  /// Adds the prior's part of H · `x` times `factor`.
  private func addPrior(_ x: Vector, _ factor: Double, to sum: inout Vector, about mean: Double) {
    if fitsPeople {
      let q = spreads.precision
      for i in x.people.indices {
        let (a, p) = (x.people[i].x, x.people[i].y)
        sum.people[i] += factor * SIMD2(q.x * a + q.y * p, q.y * a + q.z * p)
      }
    }
    let base = factor / (Self.baseSpread * Self.baseSpread)
    for i in x.bases.indices { sum.bases[i] += base * (x.bases[i] - mean) }
    let weight = factor / (spreads.feature * spreads.feature)
    for i in x.weights.indices { sum.weights[i] += weight * x.weights[i] }
  }

  /// The logarithm of the posterior but for a constant.
  private func objective(_ x: Vector, _ logOdds: [Double]) -> Double {
    var sum = 0.0
    let answers = data.answers
    for row in 0..<data.count {
      let z = answers[row] > 0 ? logOdds[row] : -logOdds[row]
      // log σ(z), without overflow.
      sum += z > 0 ? -log1p(exponential(-z)) : z - log1p(exponential(z))
    }
    var prior = start
    for i in prior.bases.indices { prior.bases[i] = 0 }
    addPrior(x, 1, to: &prior, about: meanLogOdds)
    var centred = x
    for i in centred.bases.indices { centred.bases[i] -= meanLogOdds }
    return sum - prior.dot(centred) / 2
  }

  private func log1p(_ x: Double) -> Double { naturalLogarithm(1 + x) }

  /// Fits.
  ///
  /// - Parameters:
  ///   - first: Where to begin; the mode does not depend on it but for rounding.
  ///   - pause: Called in every step.
  /// - Throws: `FeedError.Code.training` when the steps do not come to an end; what `pause` throws.
  func mode(from first: Vector? = nil, pause: () async throws -> Void) async throws -> Vector {
    var x = first ?? start
    guard data.count > 0 else { return x }
    var logOdds = logOddsOfAnswers(x)
    var value = objective(x, logOdds)
    for _ in 0..<60 {
      try await pause()
      let p = logOdds.map(logistic)
      let information = p.map { $0 * (1 - $0) }
      var gradient = scatter(zip(data.answers, p).map { $0 - $1 })
      addPrior(x, -1, to: &gradient, about: meanLogOdds)
      let step = try await solve(gradient, information, pause: pause)
      let decrement = gradient.dot(step)
      guard decrement.isFinite else { break }
      if decrement < 1e-11 { return x }
      var length = 1.0
      var next = x
      next.add(length, step)
      var nextLogOdds = logOddsOfAnswers(next)
      var nextValue = objective(next, nextLogOdds)
      while !(nextValue >= value - 1e-9), length > 1e-6 {
        length /= 2
        next = x
        next.add(length, step)
        nextLogOdds = logOddsOfAnswers(next)
        nextValue = objective(next, nextLogOdds)
      }
      guard nextValue.isFinite, length > 1e-6 else { break }
      (x, logOdds, value) = (next, nextLogOdds, nextValue)
    }
    throw FeedError(
      .training, "the fit of a social relations model did not converge",
      hint: "give the spreads smaller values, or leave out traits with enormous numbers")
  }

  /// The covariance of each person's two effects given everybody else. O(answers).
  func covariances(at x: Vector) -> [SIMD3<Double>] {
    guard fitsPeople else { return [] }
    let information = logOddsOfAnswers(x).map { z in
      let p = logistic(z)
      return p * (1 - p)
    }
    return personBlocks(information).map { $0.inverse.entries }
  }

  private func personBlocks(_ information: [Double]) -> [SymmetricPair] {
    guard fitsPeople else { return [] }
    let sums = scatter(information).people
    let prior = spreads.precision
    return sums.map { SymmetricPair(prior + SIMD3($0.x, 0, $0.y)) }
  }

  /// H⁻¹ · `gradient`, roughly: a step that is a little off costs less than its last digits.
  private func solve(
    _ gradient: Vector, _ information: [Double], pause: () async throws -> Void
  ) async throws -> Vector {
    let inverses = personBlocks(information).map(\.inverse)
    let mean = information.reduce(0, +) / Double(data.count)
    var baseInformation = Array(
      repeating: 1 / (Self.baseSpread * Self.baseSpread), count: gradient.bases.count)
    if fitsGlobals {
      for (gender, value) in zip(data.raterGenders, information) {
        baseInformation[Int(gender)] += value
      }
    }
    let size = gradient.weights.count * 4
    var matrix = gram.count == size * size ? gram.map { $0 * mean } : []
    for i in 0..<(matrix.isEmpty ? 0 : size) {
      matrix[i * size + i] += 1 / (spreads.feature * spreads.feature)
    }
    let factor = matrix.isEmpty ? nil : try CholeskyFactor(matrix, size: size)

    func preconditioned(_ r: Vector) -> Vector {
      var z = r
      for i in z.people.indices { z.people[i] = inverses[i].times(r.people[i]) }
      for i in z.bases.indices { z.bases[i] = r.bases[i] / baseInformation[i] }
      if let factor { z.weights = factor.solve(r.weights) }
      return z
    }
    func product(_ d: Vector) -> Vector {
      // The offsets are no part of a direction.
      var z = logOddsOfAnswers(d)
      if !offsets.isEmpty { z = zip(z, offsets).map { $0 - $1 } }
      var sum = scatter(zip(information, z).map { $0 * $1 })
      addPrior(d, 1, to: &sum, about: 0)
      return sum
    }

    var x = gradient
    x.scale(0, adding: gradient)
    x.add(-1, gradient)
    var residual = gradient
    var z = preconditioned(residual)
    var direction = z
    var measure = residual.dot(z)
    let goal = measure * 1e-7
    guard measure > 0 else { return x }
    for _ in 0..<2000 {
      try await pause()
      let image = product(direction)
      let curvature = direction.dot(image)
      guard curvature > 0 else { break }
      let length = measure / curvature
      x.add(length, direction)
      residual.add(-length, image)
      z = preconditioned(residual)
      let next = residual.dot(z)
      if next <= goal { break }
      direction.scale(next / measure, adding: z)
      measure = next
    }
    return x
  }
}

/// A symmetric 2 × 2 matrix: xx, xy, yy.
struct SymmetricPair: Sendable {
  var entries: SIMD3<Double>

  init(_ entries: SIMD3<Double>) { self.entries = entries }

  var inverse: SymmetricPair {
    let determinant = entries.x * entries.z - entries.y * entries.y
    return SymmetricPair(SIMD3(entries.z, -entries.y, entries.x) / determinant)
  }

  func times(_ v: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(entries.x * v.x + entries.y * v.y, entries.y * v.x + entries.z * v.y)
  }
}
