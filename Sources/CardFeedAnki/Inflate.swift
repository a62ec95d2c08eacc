/// Unpacks DEFLATE (RFC 1951), by which the files of a package are compressed.
struct Inflate {
  private let input: ArraySlice<UInt8>
  private var place: Int
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0
  private var output: [UInt8] = []
  private let limit: Int

  /// The unpacked bytes; nil where the input is damaged or does not make exactly `count` bytes.
  /// O(count).
  static func bytes(of input: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var inflate = Inflate(input: input, limit: count)
    guard inflate.run(), inflate.output.count == count else { return nil }
    return inflate.output
  }

  private init(input: ArraySlice<UInt8>, limit: Int) {
    self.input = input
    self.limit = limit
    place = input.startIndex
  }

  private mutating func run() -> Bool {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return false }
      let isFine =
        switch kind {
        case 0: copyStored()
        case 1: decode(lengths: Self.fixedLengths, distances: Self.fixedDistances)
        case 2: decodeDynamic()
        default: false
        }
      guard isFine else { return false }
      if isLast == 1 { return true }
    }
  }

  private mutating func take(_ count: UInt32) -> Int? {
    while bitCount < count {
      guard place < input.endIndex else { return nil }
      bits |= UInt32(input[place]) << bitCount
      place += 1
      bitCount += 8
    }
    let value = bits & ((1 << count) - 1)
    bits >>= count
    bitCount -= count
    return Int(value)
  }

  private mutating func copyStored() -> Bool {
    // A stored block begins at a byte; at most seven bits are left of the one before.
    bits = 0
    bitCount = 0
    guard let count = take(16), let check = take(16), count ^ check == 0xffff,
      input.endIndex - place >= count, output.count + count <= limit
    else { return false }
    output += input[place..<place + count]
    place += count
    return true
  }

  private mutating func decodeDynamic() -> Bool {
    guard let lengthCount = take(5), let distanceCount = take(5), let codeCount = take(4) else {
      return false
    }
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var codeLengths = [Int](repeating: 0, count: 19)
    for symbol in order.prefix(codeCount + 4) {
      guard let length = take(3) else { return false }
      codeLengths[symbol] = length
    }
    guard let code = PrefixCode(codeLengths) else { return false }
    var lengths: [Int] = []
    let count = lengthCount + 257 + distanceCount + 1
    while lengths.count < count {
      guard let symbol = take(code) else { return false }
      switch symbol {
      case ..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last, let more = take(2) else { return false }
        lengths += Array(repeating: last, count: more + 3)
      case 17:
        guard let more = take(3) else { return false }
        lengths += Array(repeating: 0, count: more + 3)
      default:
        guard let more = take(7) else { return false }
        lengths += Array(repeating: 0, count: more + 11)
      }
    }
    guard lengths.count == count, let first = PrefixCode(Array(lengths[..<(lengthCount + 257)])),
      let second = PrefixCode(Array(lengths[(lengthCount + 257)...]))
    else { return false }
    return decode(lengths: first, distances: second)
  }

  private mutating func take(_ code: PrefixCode) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  private mutating func decode(lengths: PrefixCode?, distances: PrefixCode?) -> Bool {
    guard let lengths, let distances else { return false }
    while let symbol = take(lengths) {
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      guard let length = length(symbol - 257), let code = take(distances),
        let distance = distance(code), distance <= output.count, output.count + length <= limit
      else { return false }
      // Byte by byte, since what is copied may be part of the copy.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  /// The length of a copy: 3 … 10 by themselves, then four to each number of further bits.
  private mutating func length(_ code: Int) -> Int? {
    if code < 8 { return code + 3 }
    if code == 28 { return 258 }
    guard code < 28 else { return nil }
    let extra = code / 4 - 1
    guard let more = take(UInt32(extra)) else { return nil }
    return ((4 + code % 4) << extra) + 3 + more
  }

  /// How far back a copy lies: 1 … 4 by themselves, then two to each number of further bits.
  private mutating func distance(_ code: Int) -> Int? {
    if code < 4 { return code + 1 }
    guard code < 30 else { return nil }
    let extra = code / 2 - 1
    guard let more = take(UInt32(extra)) else { return nil }
    return ((2 + code % 2) << extra) + 1 + more
  }

  private static let fixedLengths = PrefixCode(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = PrefixCode(Array(repeating: 5, count: 30))
}

/// A code of which no word begins another, given by the lengths of its words.
private struct PrefixCode: Sendable {
  /// How many words there are of each length.
  let counts: [Int]
  /// The symbols in the order of their words.
  let symbols: [Int]

  /// Nil where there are more words than fit.
  init?(_ lengths: [Int]) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[length] += 1 }
    var left = 1
    for length in 1...15 {
      left = left * 2 - counts[length]
      if left < 0 { return nil }
    }
    self.counts = counts
    symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { left, right in
      (lengths[left], left) < (lengths[right], right)
    }
  }
}
