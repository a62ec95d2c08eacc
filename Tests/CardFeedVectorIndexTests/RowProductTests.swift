import CVectorScan
import Testing

@testable import CardFeedVectorIndex

/// Products of rows that are not padded, by each kernel that this machine runs.
@Suite struct RowProductTests {
  @Test(arguments: VectorKernel.available)
  func `products are right, and a row's is the same to the bit wherever it stands`(
    kernel: VectorKernel
  ) {
    for length in [1, 5, 15, 16, 17, 31, 32, 40, 64, 67] {
      var numbers = SeededNumbers(seed: UInt64(length))
      let count = 41
      let rows = (0..<count * length).map { _ in numbers.unit() * 2 - 1 }
      let query = (0..<length).map { _ in numbers.unit() * 2 - 1 }
      func products(_ named: [UInt32]?, _ count: Int) -> [Float] {
        var found = [Float](repeating: .nan, count: count)
        cardfeed_vector_products(
          cardfeed_kernel(kernel.rawValue), rows, UInt32(length), named, UInt32(count), query,
          &found)
        return found
      }
      let all = products(nil, count)
      for row in 0..<count {
        let expected = (0..<length).reduce(0.0) {
          $0 + Double(rows[row * length + $1]) * Double(query[$1])
        }
        #expect(abs(Double(all[row]) - expected) < 1e-5)
        #expect(products([UInt32(row)], 1) == [all[row]])
      }
      let backwards = (0..<UInt32(count)).reversed()
      #expect(products(Array(backwards), count) == all.reversed())
      #expect(products(Array(backwards.dropFirst(9)), 19) == all.reversed()[9..<28].map { $0 })
    }
  }
}
