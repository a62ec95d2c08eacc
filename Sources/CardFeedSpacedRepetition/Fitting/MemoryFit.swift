/// Fits the parameters of a memory model to one learner's answers: the mode of log loss plus a normal
/// prior around the defaults (maximum a posteriori), within bounds.
///
/// Steps are those of Levenberg (1944) and Marquardt (1963) on the Fisher information, which exact
/// forward gradients give for nothing; parameters at a bound that would leave it are held. Every
/// accepted step lowers the objective, which at the defaults has no penalty: the result never fits
/// its own answers worse than the defaults do. Deterministic.
struct MemoryFit<Kernel: MemoryKernel>
where Kernel.Number == DualNumber<SIMD8<Double>> {
  /// Where the prior's mode is, and the fit begins.
  let defaults: [Double]
  let bounds: [ClosedRange<Double>]
  /// The first four are first stabilities: fitted as logarithms, in ascending order.
  let stabilityCount = 4

  private struct Pass {
    var loss = 0.0
    var gradient: [Double]
    /// Row after row.
    var information: [Double]
  }

  /// - Parameters:
  ///   - log: The answers.
  ///   - strength: Times the prior; 1 is the usual one.
  ///   - passes: The most passes over the answers.
  ///   - checkpoint: Called after each pass with the number of passes; throws to stop.
  func fit(
    _ log: ReviewLog, strength: Double = 1, passes: Int = 60,
    checkpoint: (Int) throws -> Void
  ) rethrows -> MemoryFitResult {
    let count = defaults.count
    var point = coordinates(defaults)
    let center = point
    // Of the prior, in coordinates: first stabilities are believed within a factor of e.
    let precision = (0..<count).map { index in
      if index < stabilityCount { return strength }
      let spread = max(0.3 * defaults[index].magnitude, 0.1)
      return strength / (spread * spread)
    }
    func penalty(_ point: [Double]) -> Double {
      var sum = 0.0
      for index in 0..<count {
        let away = point[index] - center[index]
        sum += precision[index] * away * away / 2
      }
      return sum
    }
    var uses = Array(repeating: 0.1, count: stabilityCount)
    var start = 0
    for end in log.ends {
      uses[log.reviews[start].rating.rawValue - 1] += 1
      start = end
    }
    var here = evaluate(point, log)
    let defaultLoss = here.loss
    var objective = here.loss
    var damping = 1e-2
    var used = 1
    try checkpoint(used)
    while used < passes {
      var gradient = here.gradient
      for index in 0..<count {
        gradient[index] += precision[index] * (point[index] - center[index])
      }
      let free = (0..<count).filter { index in
        let range = range(index)
        if point[index] <= range.lowerBound && gradient[index] > 0 { return false }
        return !(point[index] >= range.upperBound && gradient[index] < 0)
      }
      let size = free.count
      var matrix = Array(repeating: 0.0, count: size * size)
      for (row, i) in free.enumerated() {
        for (column, j) in free.enumerated() {
          matrix[row * size + column] = here.information[i * count + j]
        }
        matrix[row * size + row] += precision[i]
        matrix[row * size + row] *= 1 + damping
      }
      let step = solve(matrix, free.map { -gradient[$0] })
      var next = point
      for (row, i) in free.enumerated() { next[i] += step[row] }
      next = projected(next, uses: uses)
      let there = evaluate(next, log)
      used += 1
      try checkpoint(used)
      let candidate = there.loss + penalty(next)
      if candidate < objective {
        let gain = objective - candidate
        (point, here, objective) = (next, there, candidate)
        damping = max(damping / 4, 1e-6)
        if gain < 1e-6 * (1 + objective.magnitude) { break }
      } else {
        damping *= 8
        if damping > 1e8 { break }
      }
    }
    return MemoryFitResult(
      parameters: parameters(point), loss: here.loss, defaultLoss: defaultLoss,
      answers: log.predictedCount, passes: used)
  }

  private func coordinates(_ parameters: [Double]) -> [Double] {
    parameters.enumerated().map { $0 < stabilityCount ? $1.logarithm() : $1 }
  }

  private func parameters(_ point: [Double]) -> [Double] {
    point.enumerated().map { index, value in
      guard index < stabilityCount else { return value.clamped(to: bounds[index]) }
      // A logarithm and back is not the same number to the last bit.
      let isDefault = value == defaults[index].logarithm()
      return isDefault ? defaults[index] : value.exponential().clamped(to: bounds[index])
    }
  }

  private func range(_ index: Int) -> ClosedRange<Double> {
    let range = bounds[index]
    guard index < stabilityCount else { return range }
    return range.lowerBound.logarithm()...range.upperBound.logarithm()
  }

  /// Within the bounds, first stabilities in ascending order: the nearest such ones, each weighing
  /// as much as it was used (pool adjacent violators, Barlow et al. 1972). So a grade that nobody
  /// gives moves out of the way of one that is given.
  private func projected(_ point: [Double], uses: [Double]) -> [Double] {
    var result = point.enumerated().map { $1.clamped(to: range($0)) }
    var pools: [(sum: Double, weight: Double, count: Int)] = []
    for index in 0..<stabilityCount {
      pools.append((result[index] * uses[index], uses[index], 1))
      while pools.count > 1 {
        let last = pools[pools.count - 1]
        let before = pools[pools.count - 2]
        guard before.sum / before.weight > last.sum / last.weight else { break }
        pools.removeLast(2)
        pools.append(
          (before.sum + last.sum, before.weight + last.weight, before.count + last.count))
      }
    }
    var index = 0
    for pool in pools {
      for _ in 0..<pool.count {
        result[index] = (pool.sum / pool.weight).clamped(to: range(index))
        index += 1
      }
    }
    return result
  }

  /// One pass over all answers: the gradient of each prediction, eight parameters at a time, since
  /// longer vectors would not stay in registers.
  private func evaluate(_ point: [Double], _ log: ReviewLog) -> Pass {
    let count = defaults.count
    let items = log.predictedCount
    var pass = Pass(
      gradient: Array(repeating: 0, count: count),
      information: Array(repeating: 0, count: count * count))
    // Row after row: what each prediction's slope is, times the root of its weight.
    let width = (count + 7) / 8 * 8
    var slopes = Array(repeating: 0.0, count: items * width)
    slopes.withUnsafeMutableBufferPointer { slopes in
      for chunk in stride(from: 0, to: count, by: 8) {
        let kernel = Kernel(
          point.enumerated().map { index, value in
            let isHere = (chunk..<chunk + 8).contains(index)
            let number =
              isHere ? DualNumber<SIMD8<Double>>(value, lane: index - chunk) : DualNumber(value)
            return index < stabilityCount ? number.exponential() : number
          })
        let part = differentiate(kernel, log, slopes: slopes, chunk: chunk, width: width)
        pass.loss = part.loss
        for lane in 0..<min(8, count - chunk) { pass.gradient[chunk + lane] = part.gradient[lane] }
      }
      pass.information.withUnsafeMutableBufferPointer { information in
        for item in 0..<items {
          let row = slopes.baseAddress.unsafelyUnwrapped + item * width
          for i in 0..<count where row[i] != 0 {
            let factor = row[i]
            for j in 0...i { information[i * count + j] += factor * row[j] }
          }
        }
      }
    }
    for i in 0..<count {
      for j in 0..<i { pass.information[j * count + i] = pass.information[i * count + j] }
    }
    return pass
  }

  private func differentiate(
    _ kernel: Kernel, _ log: ReviewLog, slopes: UnsafeMutableBufferPointer<Double>, chunk: Int,
    width: Int
  ) -> (loss: Double, gradient: SIMD8<Double>) {
    var loss = 0.0
    var gradient = SIMD8<Double>.zero
    var item = 0
    var start = 0
    log.reviews.withUnsafeBufferPointer { reviews in
      for end in log.ends {
        var state = kernel.initial(reviews[start].rating)
        for index in start + 1..<max(end, start + 1) {
          let review = reviews[index]
          let answer = kernel.answer(state, days: review.days, review.rating)
          state = answer.state
          guard review.weight > 0 else { continue }
          defer { item += 1 }
          let recall = answer.recall.value.clamped(to: 1e-4...(1 - 1e-4))
          let isRecall = review.rating.isRecall
          loss -= review.weight * (isRecall ? recall : 1 - recall).logarithm()
          guard recall == answer.recall.value else { continue }
          let scale = review.weight / (recall * (1 - recall))
          gradient += answer.recall.gradient * (scale * (recall - (isRecall ? 1 : 0)))
          let scaled = answer.recall.gradient * scale.squareRoot()
          let row = item * width + chunk
          for lane in 0..<8 { slopes[row + lane] = scaled[lane] }
        }
        start = end
      }
    }
    return (loss, gradient)
  }

  /// Solves a symmetric positive definite system by Cholesky's decomposition.
  private func solve(_ matrix: [Double], _ right: [Double]) -> [Double] {
    let size = right.count
    var factor = matrix
    for column in 0..<size {
      var diagonal = factor[column * size + column]
      for k in 0..<column { diagonal -= factor[column * size + k] * factor[column * size + k] }
      let root = max(diagonal, 1e-12).squareRoot()
      factor[column * size + column] = root
      for row in column + 1..<max(size, column + 1) {
        var sum = factor[row * size + column]
        for k in 0..<column { sum -= factor[row * size + k] * factor[column * size + k] }
        factor[row * size + column] = sum / root
      }
    }
    var solution = right
    for row in 0..<size {
      for k in 0..<row { solution[row] -= factor[row * size + k] * solution[k] }
      solution[row] /= factor[row * size + row]
    }
    for row in (0..<size).reversed() {
      for k in row + 1..<max(size, row + 1) {
        solution[row] -= factor[k * size + row] * solution[k]
      }
      solution[row] /= factor[row * size + row]
    }
    return solution
  }
}
