#if OpenBLAS
  internal import COpenBLAS

  /// The linear autoencoder in closed form, EASE^R (Steck 2019): P = (XᵀX + λI)⁻¹, w(i → j) =
  /// −Pᵢⱼ / Pⱼⱼ, and 0 on the diagonal.
  ///
  /// Needs cards² numbers of memory, so it is for some ten thousands of cards at most.
  public struct LinearAutoencoder: Hashable, Sendable {
    /// λ, above 0: how strongly weights are held back.
    public var regularisation: Double
    /// How much a swipe of the history still counts.
    public var decay: HistoryDecay
    /// Up to how many cards the inverse is computed in double precision.
    public var doublePrecisionCards: Int

    /// A model to be fitted.
    public init(
      regularisation: Double = 400, decay: HistoryDecay = .none, doublePrecisionCards: Int = 4096
    ) {
      self.regularisation = regularisation
      self.decay = decay
      self.doublePrecisionCards = doublePrecisionCards
    }

    /// Inverts the matrix of shared viewers.
    ///
    /// - Throws: ``RecommenderError`` `tooLarge` past 46,340 cards, whose matrix LAPACK cannot index;
    ///   `diverged` where the inverse is not finite or the matrix is not positive definite.
    /// - Complexity: O(cards³); one thread.
    public func fit(
      _ matrix: InteractionMatrix, threads: Int = 1
    ) throws(RecommenderError) -> DenseItemWeights {
      let count = matrix.columnCount
      guard count <= 46_340 else {
        throw RecommenderError(
          .tooLarge,
          "a linear autoencoder of \(count) cards is too large; allowed: 46340 cards. Use a model of "
            + "neighbours or factors")
      }
      guard regularisation > 0, regularisation.isFinite, count > 0 else {
        throw RecommenderError(
          .badInput,
          "a linear autoencoder needs cards and a regularisation above 0; found: \(count) cards and "
            + "\(regularisation)")
      }
      useOneThreadOfOpenBLAS()
      return count <= doublePrecisionCards
        ? try fit(matrix, threads, Double.self) {
          dpotrf_("L", $0, $1, $0, $2)
        } invert: {
          dpotri_("L", $0, $1, $0, $2)
        }
        : try fit(matrix, threads, Float.self) {
          spotrf_("L", $0, $1, $0, $2)
        } invert: {
          spotri_("L", $0, $1, $0, $2)
        }
    }

    private typealias Routine<Real> = (
      UnsafePointer<Int32>, UnsafeMutablePointer<Real>, UnsafeMutablePointer<Int32>
    ) -> Void

    private func fit<Real: BinaryFloatingPoint & BitwiseCopyable & Sendable>(
      _ matrix: InteractionMatrix, _ threads: Int, _: Real.Type, factorise: Routine<Real>,
      invert: Routine<Real>
    ) throws(RecommenderError) -> DenseItemWeights {
      let count = matrix.columnCount
      let gram = UnsafeMutableBufferPointer<Real>.allocate(capacity: count * count)
      defer { gram.deallocate() }
      gram.initialize(repeating: 0)
      let shared = SharedMemory(gram)
      let byCard = matrix.transposed()
      let lambda = Real(regularisation)
      forEachRow(count, threads: threads) { card in
        let row = shared.base + card * count
        for place in byCard.row(card) {
          for other in matrix.row(Int(byCard.columns[place])) {
            row[Int(matrix.columns[other])] += 1
          }
        }
        row[card] += lambda
      }
      var size = Int32(count)
      var info: Int32 = 0
      factorise(&size, shared.base, &info)
      if info == 0 { invert(&size, shared.base, &info) }
      guard info == 0 else {
        throw RecommenderError(
          .diverged,
          "the matrix of shared viewers has no inverse at the regularisation \(regularisation); "
            + "allowed: one that makes it positive definite. Use a greater one")
      }
      // Fortran's lower half is the upper half of rows: P(i, j) stands in row min, column max.
      let inverse = (0..<count).map { 1 / shared.base[$0 * count + $0] }
      let weights = Numbers<Float>(count: count * count) { weights in
        let target = SharedMemory(weights)
        forEachBlock(count, of: 64, threads: threads) { block in
          for row in block {
            for column in 0..<count {
              let value = shared.base[
                row < column ? row * count + column : column * count + row]
              (target.base + row * count + column).initialize(
                to: row == column ? 0 : Float(-value * inverse[column]))
            }
          }
        }
      }
      guard weights.allSatisfy(\.isFinite) else {
        throw RecommenderError(
          .diverged,
          "weights of the linear autoencoder are not finite at the regularisation "
            + "\(regularisation); allowed: finite weights. Use a greater one")
      }
      return DenseItemWeights(cardCount: count, weights: weights, decay: decay)
    }
  }

  /// Threads are this library's own: OpenBLAS's would make sums depend on how many there are.
  func useOneThreadOfOpenBLAS() {
    if openblas_get_num_threads() != 1 { openblas_set_num_threads(1) }
  }
#endif
