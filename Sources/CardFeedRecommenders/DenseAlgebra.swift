#if OpenBLAS
  internal import COpenBLAS

  /// y = A x for a row-major A.
  func multiplyMatrix(
    _ matrix: UnsafePointer<Float>, rows: Int, columns: Int, _ vector: UnsafePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      CblasRowMajor, CblasNoTrans, Int32(rows), Int32(columns), 1, matrix, Int32(columns), vector,
      1, 0, result, 1)
  }

  /// y += Aᵀ x for a row-major A.
  func addTransposed(
    _ matrix: UnsafePointer<Float>, rows: Int, columns: Int, _ vector: UnsafePointer<Float>,
    to result: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      CblasRowMajor, CblasTrans, Int32(rows), Int32(columns), 1, matrix, Int32(columns), vector, 1,
      1, result, 1)
  }

  /// C = A B for row-major matrices of (rows × inner) and (inner × columns); with `transposed` B is
  /// (columns × inner).
  func multiplyMatrices(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, rows: Int, inner: Int, columns: Int,
    transposed: Bool = false, into result: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, Int32(rows),
      Int32(columns), Int32(inner), 1, a, Int32(inner), b, Int32(transposed ? inner : columns), 0,
      result, Int32(columns))
  }

  /// C += a Aᵀ A for a row-major A; both halves of C where `mirrors`, else its lower one.
  func addGram(
    _ a: Float, _ matrix: UnsafePointer<Float>, rows: Int, columns: Int,
    to result: UnsafeMutablePointer<Float>, mirrors: Bool = false
  ) {
    cblas_ssyrk(
      CblasRowMajor, CblasLower, CblasTrans, Int32(columns), Int32(rows), a, matrix,
      Int32(columns), 1, result, Int32(columns))
    guard mirrors else { return }
    for row in 0..<columns {
      for column in 0..<row { result[column * columns + row] = result[row * columns + column] }
    }
  }

  /// Solves A x = b by Cholesky's decomposition; A's lower half in rows. Both are overwritten.
  ///
  /// - Returns: Whether A was positive definite.
  func solvePositiveDefinite(
    _ matrix: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, size: Int
  ) -> Bool {
    var (order, info) = (Int32(size), Int32(0))
    // The lower half of rows is Fortran's upper half.
    spotrf_("U", &order, matrix, &order, &info)
    guard info == 0 else { return false }
    cblas_strsv(
      CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, order, matrix, order, right, 1)
    cblas_strsv(
      CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, order, matrix, order, right, 1)
    return true
  }

  extension FactorModel {
    /// The best cards for each of many viewers' vectors.
    ///
    /// - Parameters:
    ///   - count: Most cards of a list.
    ///   - viewers: Vectors of ``factorCount`` numbers, back to back.
    ///   - seen: For each viewer the cards that are left out.
    ///   - threads: How many work; the lists do not depend on it.
    /// - Complexity: O(viewers · cards · factors).
    public func top(
      _ count: Int, viewers: [Float], excluding seen: InteractionMatrix, threads: Int = 1
    ) -> [[ScoredCard]] {
      precondition(
        viewers.count == seen.rowCount * factorCount,
        "There is one vector for each row of what was seen.")
      guard cardCount > 0, factorCount > 0 else {
        return Array(repeating: [], count: seen.rowCount)
      }
      useOneThreadOfOpenBLAS()
      let results = RowResults<[ScoredCard]>(count: seen.rowCount, repeating: [])
      // A part of the cards that stays in the second-level cache, for some viewers at a time.
      let model = self
      forEachBlock(seen.rowCount, of: 32, threads: threads) { block in
        let scores = UnsafeMutableBufferPointer<Float>.allocate(
          capacity: block.count * model.cardCount)
        defer { scores.deallocate() }
        viewers.withUnsafeBufferPointer { vectors in
          guard let vectors = vectors.baseAddress, let base = scores.baseAddress else { return }
          multiplyMatrices(
            vectors + block.lowerBound * model.factorCount, model.factors.pointer(at: 0),
            rows: block.count, inner: model.factorCount, columns: model.cardCount,
            transposed: true, into: base)
          for (row, viewer) in block.enumerated() {
            let own = base + row * model.cardCount
            for index in model.biases.indices { own[index] += model.biases[index] }
            for place in seen.row(viewer) { own[Int(seen.columns[place])] = -.infinity }
            results[viewer] = TopCards.select(
              count, of: UnsafeBufferPointer(start: own, count: model.cardCount))
          }
        }
      }
      return results.take()
    }
  }
#endif
