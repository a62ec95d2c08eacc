internal import CVectorScan

/// A vector that is looked for, as scans want it: padded, and with codes where the index has them.
struct PreparedQuery {
  private let vector: [Float]
  private let codes: [Int8]
  private let scale: Float
  private let error: Float
  private let length: Float
  private let codeSum: Int32

  /// - Parameter vector: As long as the dimension of the shape.
  init(_ vector: [Float], _ shape: VectorBlock.Shape) {
    self.vector = vector + repeatElement(0, count: shape.stride - vector.count)
    // Rounded up, so that a bound stays one.
    length = Float(vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()) * 1.000_001
    var codes = Array(repeating: Int8(0), count: shape.codeStride)
    var codeLength: Float = 0
    var errorLength: Float = 0
    var sum: Int32 = 0
    if shape.hasCodes {
      scale = cardfeed_vector_encode(
        self.vector, UInt32(shape.stride), UInt32(shape.codeStride), &codes, &codeLength,
        &errorLength, &sum)
    } else {
      scale = 0
    }
    error = errorLength * scale * 1.000_001
    codeSum = sum
    self.codes = codes
  }

  func withCodes<Result>(
    _ body: (_ codes: UnsafePointer<Int8>, _ scale: Float, _ square: Float) -> Result
  ) -> Result { body(codes, scale, length * length) }

  func withVector<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result { body(vector) }

  func withQuery(_ body: (UnsafePointer<cardfeed_vector_query>) -> Void) {
    vector.withUnsafeBufferPointer { numbers in
      codes.withUnsafeBufferPointer { bytes in
        var query = cardfeed_vector_query(
          vector: numbers.baseAddress, codes: codes.isEmpty ? nil : bytes.baseAddress,
          scale: scale, error: error, length: length, code_sum: codeSum)
        body(&query)
      }
    }
  }
}
