/// Swift source without what the compiler does not run: comments blanked, and string literals too
/// if asked. Line breaks stay, so that line numbers do.
///
/// An interpolation that contains a string literal is seen as code between two literals. That is
/// good enough to read imports and a manifest, and not for more.
struct SwiftText {
  private enum Place {
    case code
    case lineComment
    case blockComment(depth: Int)
    case string
    case longString
  }

  // Bytes, because every source of the package is read: characters take seconds.
  private let input: [UInt8]
  private var output: [UInt8] = []
  private var position = 0
  private var place = Place.code
  private let keepsStrings: Bool

  /// The source with comments, and with `keepingStrings: false` also literals, replaced by spaces.
  static func code(of source: String, keepingStrings: Bool) -> String {
    var text = SwiftText(input: Array(source.utf8), keepsStrings: keepingStrings)
    while text.position < text.input.count { text.step() }
    return String(decoding: text.output, as: UTF8.self)
  }

  private init(input: [UInt8], keepsStrings: Bool) {
    self.input = input
    self.keepsStrings = keepsStrings
    output.reserveCapacity(input.count)
  }

  private mutating func step() {
    switch place {
    case .code: stepThroughCode()
    case .lineComment:
      if isAt("\n") { place = .code }
      take(1, visibly: false)
    case .blockComment(let depth): stepThroughComment(depth: depth)
    case .string: stepThroughString()
    case .longString:
      if isAt("\"\"\"") {
        take(3, visibly: keepsStrings)
        place = .code
      } else {
        take(isAt("\\") ? 2 : 1, visibly: keepsStrings)
      }
    }
  }

  private mutating func stepThroughCode() {
    if isAt("//") {
      place = .lineComment
    } else if isAt("/*") {
      place = .blockComment(depth: 1)
      take(2, visibly: false)
    } else if isAt("\"\"\"") {
      place = .longString
      take(3, visibly: keepsStrings)
    } else if isAt("\"") {
      place = .string
      take(1, visibly: keepsStrings)
    } else {
      take(1, visibly: true)
    }
  }

  private mutating func stepThroughComment(depth: Int) {
    if isAt("*/") {
      place = depth == 1 ? .code : .blockComment(depth: depth - 1)
      take(2, visibly: false)
    } else if isAt("/*") {
      place = .blockComment(depth: depth + 1)
      take(2, visibly: false)
    } else {
      take(1, visibly: false)
    }
  }

  private mutating func stepThroughString() {
    // A literal that is still open at the end of its line is one this reader does not understand.
    if isAt("\"") || isAt("\n") { place = .code }
    take(isAt("\\") ? 2 : 1, visibly: keepsStrings)
  }

  private func isAt(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= input.count else { return false }
    return text.withUTF8Buffer { wanted in
      for offset in 0..<count where input[position + offset] != wanted[offset] { return false }
      return true
    }
  }

  private mutating func take(_ count: Int, visibly: Bool) {
    for byte in input[position..<min(position + count, input.count)] {
      output.append(visibly || byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
    }
    position += count
  }
}
