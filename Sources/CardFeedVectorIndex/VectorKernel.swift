internal import CVectorScan

/// The instructions that a scan is written for. All give the same rows; the scores of those with
/// fused multiply-add are equal to the bit.
package enum VectorKernel: UInt32, CaseIterable, Sendable {
  /// What every processor runs.
  case portable = 0
  /// AVX2 and FMA.
  case avx2 = 1
  /// AVX-512 with byte products.
  case avx512 = 2

  /// The best one that this machine runs.
  package static var best: VectorKernel {
    VectorKernel(rawValue: cardfeed_best_kernel().rawValue) ?? .portable
  }

  /// Those that this machine runs.
  package static var available: [VectorKernel] { allCases.filter { $0.rawValue <= best.rawValue } }

  var code: cardfeed_kernel { cardfeed_kernel(rawValue: rawValue) }
}
