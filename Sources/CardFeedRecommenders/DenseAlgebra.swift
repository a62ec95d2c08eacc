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
#endif
