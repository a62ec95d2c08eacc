internal import Glibc

/// Numbers for people to read.
package enum FixedDecimals {
  /// A number with a fixed number of decimals, rounded correctly; "-" for one that is not finite.
  package static func text(_ number: Double, decimals: Int) -> String {
    guard number.isFinite else { return "-" }
    // The largest double has 309 digits before the point.
    var buffer = [CChar](repeating: 0, count: 400)
    let length = withVaList([CInt(min(max(decimals, 0), 60)), number]) { list in
      vsnprintf(&buffer, buffer.count, "%.*f", list)
    }
    let digits = buffer.prefix(Int(length)).map(UInt8.init(bitPattern:))
    // A zero with a minus would make people look for a loss that is not there.
    let isZero = digits.allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    let minus = UInt8(ascii: "-")
    let shown = isZero && digits.first == minus ? digits.dropFirst() : digits[...]
    return String(decoding: shown, as: UTF8.self)
  }
}
