#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Double {
  @inline(__always)
  func exponential() -> Double { exp(self) }

  @inline(__always)
  func logarithm() -> Double { log(self) }
}
