#if OpenBLAS
  /// Factors of implicit feedback by alternating least squares, with a regularisation that grows with
  /// the number of swipes (Hu, Koren, Volinsky 2008; Rendle, Krichene, Zhang, Koren 2021).
  ///
  /// Minimises Σ over swipes (1 − u·v)² + α₀ Σ over all pairs (u·v)² + λ Σ (nᵤ + α₀ |cards|)^ν |u|² +
  /// the same of cards. The same seed gives the same factors with every number of threads.
  public struct ImplicitFactors: Hashable, Sendable {
    /// How a vector's least squares are solved.
    public enum Solver: Hashable, Sendable {
      /// A few steps from the vector before: fast, and as good after some iterations.
      case conjugateGradient(steps: Int)
      /// Exactly.
      case cholesky
    }

    /// Numbers in each vector.
    public var factors: Int
    /// Rounds over viewers and cards.
    public var iterations: Int
    /// λ.
    public var regularisation: Double
    /// α₀, the weight of pairs without a swipe.
    public var unobserved: Double
    /// ν: 0 regularises every vector alike, 1 by its swipes.
    public var exponent: Double
    /// How a vector's least squares are solved.
    public var solver: Solver
    /// Of the first vectors.
    public var seed: UInt64
    /// How much a swipe of the history still counts.
    public var decay: HistoryDecay

    /// A model to be fitted.
    public init(
      factors: Int = 64, iterations: Int = 15, regularisation: Double = 0.002,
      unobserved: Double = 1, exponent: Double = 1,
      solver: Solver = .conjugateGradient(steps: 3), seed: UInt64 = 1, decay: HistoryDecay = .none
    ) {
      self.factors = factors
      self.iterations = iterations
      self.regularisation = regularisation
      self.unobserved = unobserved
      self.exponent = exponent
      self.solver = solver
      self.seed = seed
      self.decay = decay
    }

    /// Vectors of viewers and cards.
    public struct Fit: Sendable {
      /// The model of the cards.
      public let model: FactorModel
      /// Viewer after viewer, as the last iteration left them.
      public let viewers: [Float]
    }

    /// Fits the vectors.
    ///
    /// - Throws: ``RecommenderError`` `badInput` for settings that make no model, `diverged` where a
    ///   vector is not finite or its least squares have no solution.
    /// - Complexity: O(iterations · (swipes · factors · steps + (viewers + cards) · factors²)) with
    ///   conjugate gradients, times factors with Cholesky's decomposition.
    public func fit(
      _ matrix: InteractionMatrix, threads: Int = 1
    ) throws(RecommenderError) -> Fit {
      guard factors > 0, factors <= 4096, iterations > 0, regularisation >= 0, unobserved >= 0,
        regularisation.isFinite, unobserved.isFinite, exponent.isFinite
      else {
        throw RecommenderError(
          .badInput,
          "implicit factors need 1…4096 factors, iterations above 0, and a regularisation and a "
            + "weight that are not negative")
      }
      useOneThreadOfOpenBLAS()
      let byCard = matrix.transposed()
      var generator = SeededGenerator(seed: seed)
      let scale = 0.1 / Double(factors).squareRoot()
      var viewers = start(matrix.rowCount, scale, &generator)
      var cards = start(matrix.columnCount, scale, &generator)
      for iteration in 0..<iterations {
        try half(&viewers, of: matrix, against: cards, threads, iteration)
        try half(&cards, of: byCard, against: viewers, threads, iteration)
      }
      let model = FactorModel(
        factors: Numbers(cards), biases: Numbers([]), factorCount: factors,
        foldIn: .leastSquares(
          unobserved: unobserved, regularisation: regularisation, exponent: exponent),
        decay: decay)
      return Fit(model: model, viewers: viewers)
    }

    private func start(
      _ count: Int, _ scale: Double, _ generator: inout SeededGenerator
    ) -> [Float] {
      (0..<count * factors).map { _ in Float(scale * generator.normal()) }
    }

    private func half(
      _ own: inout [Float], of matrix: InteractionMatrix, against other: [Float], _ threads: Int,
      _ iteration: Int
    ) throws(RecommenderError) {
      guard matrix.rowCount > 0, matrix.columnCount > 0 else { return }
      let failures = RowResults(count: matrix.rowCount, repeating: false)
      own.withUnsafeMutableBufferPointer { own in
        other.withUnsafeBufferPointer { other in
          guard let fixed = other.baseAddress else { return }
          var gram = [Float](repeating: 0, count: factors * factors)
          gram.withUnsafeMutableBufferPointer { gram in
            guard let gram = gram.baseAddress else { return }
            addGram(
              Float(unobserved), fixed, rows: matrix.columnCount, columns: factors, to: gram,
              mirrors: true)
          }
          let solve = LeastSquaresRows(
            settings: self, matrix: matrix, gram: gram,
            fixed: SharedMemory(UnsafeMutableBufferPointer(mutating: other)),
            own: SharedMemory(own))
          forEachBlock(matrix.rowCount, of: 16, threads: threads) { block in
            solve(block) { failures[$0] = true }
          }
        }
      }
      guard !failures.take().contains(true), own.allSatisfy(\.isFinite) else {
        throw RecommenderError(
          .diverged,
          "factors are not finite after iteration \(iteration + 1) of \(iterations); allowed: finite "
            + "factors. Use a greater regularisation")
      }
    }
  }

  /// The least squares of some rows against fixed vectors of the other side.
  private struct LeastSquaresRows: Sendable {
    let settings: ImplicitFactors
    let matrix: InteractionMatrix
    /// α₀ Σ v vᵀ.
    let gram: [Float]
    let fixed: SharedMemory<Float>
    let own: SharedMemory<Float>

    private var size: Int { settings.factors }

    private func shrink(_ row: Int) -> Float {
      let count = Double(matrix.row(row).count) + settings.unobserved * Double(matrix.columnCount)
      return Float(settings.regularisation * power(count, settings.exponent))
    }

    func callAsFunction(_ block: Range<Int>, failed: (Int) -> Void) {
      let size = size
      let places = matrix.offsets[block.lowerBound]..<matrix.offsets[block.upperBound]
      // One copy of the vectors that a block needs: every step reads them again, and from near.
      let gathered = UnsafeMutablePointer<Float>.allocate(capacity: max(1, places.count) * size)
      defer { gathered.deallocate() }
      for (index, place) in places.enumerated() {
        (gathered + index * size).update(
          from: fixed.base + Int(matrix.columns[place]) * size, count: size)
      }
      switch settings.solver {
      case .cholesky: exact(block, gathered, failed)
      case .conjugateGradient(let steps): descend(block, gathered, steps: steps, failed)
      }
    }

    private func exact(
      _ block: Range<Int>, _ gathered: UnsafeMutablePointer<Float>, _ failed: (Int) -> Void
    ) {
      let system = UnsafeMutablePointer<Float>.allocate(capacity: size * size)
      defer { system.deallocate() }
      let first = matrix.offsets[block.lowerBound]
      gram.withUnsafeBufferPointer { gram in
        guard let gram = gram.baseAddress else { return }
        for row in block {
          let places = matrix.row(row)
          let vectors = gathered + (places.lowerBound - first) * size
          let solution = own.base + row * size
          system.update(from: gram, count: size * size)
          if !places.isEmpty {
            addGram(1, vectors, rows: places.count, columns: size, to: system)
          }
          let shrink = shrink(row)
          for index in 0..<size {
            system[index * size + index] += shrink
            solution[index] = 0
          }
          for index in 0..<places.count {
            addScaled(1, vectors + index * size, to: solution, count: size)
          }
          if places.isEmpty { continue }
          if !solvePositiveDefinite(system, solution, size: size) { failed(row) }
        }
      }
    }

    private func descend(
      _ block: Range<Int>, _ gathered: UnsafeMutablePointer<Float>, steps: Int,
      _ failed: (Int) -> Void
    ) {
      let size = size
      let count = block.count * size
      let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 3 * count)
      defer { scratch.deallocate() }
      let (residual, direction, image) = (scratch, scratch + count, scratch + 2 * count)
      let first = matrix.offsets[block.lowerBound]
      let longest = block.reduce(1) { max($0, matrix.row($1).count) }
      let products = UnsafeMutablePointer<Float>.allocate(capacity: longest)
      defer { products.deallocate() }
      let solution = own.base + block.lowerBound * size

      /// image = (α₀ Σ v vᵀ + Σ over swipes v vᵀ + shrink) · vector, for all rows of the block; with
      /// `target` the swipes' part is that of v · (target − v · vector) instead, negated.
      func apply(_ vector: UnsafeMutablePointer<Float>, target: Float?) {
        gram.withUnsafeBufferPointer { gram in
          guard let gram = gram.baseAddress else { return }
          multiplyMatrices(
            vector, gram, rows: block.count, inner: size, columns: size, into: image)
        }
        for (index, row) in block.enumerated() {
          let places = matrix.row(row)
          let (own, result) = (vector + index * size, image + index * size)
          addScaled(shrink(row), own, to: result, count: size)
          guard !places.isEmpty else { continue }
          let vectors = gathered + (places.lowerBound - first) * size
          multiplyMatrix(vectors, rows: places.count, columns: size, own, into: products)
          if let target {
            for place in 0..<places.count { products[place] -= target }
          }
          addTransposed(vectors, rows: places.count, columns: size, products, to: result)
        }
      }

      for (index, row) in block.enumerated() where matrix.row(row).isEmpty {
        (solution + index * size).update(repeating: 0, count: size)
      }
      apply(solution, target: 1)
      var norms = [Float](repeating: 0, count: block.count)
      for index in 0..<count {
        residual[index] = -image[index]
        direction[index] = residual[index]
      }
      for row in norms.indices {
        norms[row] = dot(residual + row * size, residual + row * size, count: size)
        // Such a row would be left where it is, which looks like a fit and is none.
        if !norms[row].isFinite { failed(block.lowerBound + row) }
      }
      for _ in 0..<steps {
        apply(direction, target: nil)
        for row in norms.indices where norms[row] > 1e-20 {
          let start = row * size
          let curvature = dot(direction + start, image + start, count: size)
          guard curvature > 0 else { continue }
          let length = norms[row] / curvature
          addScaled(length, direction + start, to: solution + start, count: size)
          addScaled(-length, image + start, to: residual + start, count: size)
          let norm = dot(residual + start, residual + start, count: size)
          let turn = norm / norms[row]
          for index in start..<start + size {
            direction[index] = residual[index] + turn * direction[index]
          }
          norms[row] = norm
        }
      }
    }
  }
#endif
