/// Turns the bytes of a terminal into keys.
///
/// Bytes may come in any pieces: a sequence that is cut continues with the next piece. Whether a lone
/// escape is a key or the beginning of a sequence, time alone tells: when nothing more comes, call
/// ``flush()``. What a terminal brackets as pasted is left out, Ctrl-C aside, and so are answers that
/// it gives to questions. Memory is bounded, whatever comes.
public struct KeyDecoder: Sendable {
  private enum State: Hashable {
    case ground
    /// After an escape.
    case escape
    /// In a control sequence, with its parameters so far; nil if there were too many.
    case control([UInt8]?)
    /// After escape and O: the next byte names a key.
    case single
    /// A function key of the Linux console: the next byte says which.
    case console
    /// In a string that a terminal sends, until a bell or escape and backslash.
    case string(afterEscape: Bool)
    /// In pasted text; so many bytes of its end are there.
    case paste(matched: Int)
    /// In a character: what it is so far, how many bytes are to come, and the least it may be.
    case character(UInt32, left: Int, least: UInt32)
  }

  private static let pasteEnd: [UInt8] = [0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e]
  private static let longestParameters = 32

  private var state = State.ground

  /// A decoder before the first byte.
  public init() {}

  /// Whether bytes wait for others. After a tenth of a second without any, call ``flush()``.
  public var isWaiting: Bool {
    switch state {
    case .ground, .paste: false
    default: true
    }
  }

  /// Nothing more came: a lone escape is a key, anything else that was begun is nothing.
  public mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    defer { state = .ground }
    return state == .escape ? [.escape] : []
  }

  /// The keys that are complete with these bytes. O(bytes).
  public mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
    switch state {
    case .ground: begin(byte, &keys)
    case .escape: afterEscape(byte, &keys)
    case .control(let parameters): control(parameters, byte, &keys)
    case .single:
      state = .ground
      keys.append(Self.named(byte))
    case .console:
      state = .ground
      keys.append(.other)
    case .string(let afterEscape):
      let ends = byte == 0x07 || afterEscape && byte == UInt8(ascii: "\\")
      if byte == 0x03 { keys.append(.interrupt) }
      state = ends || byte == 0x03 ? .ground : .string(afterEscape: byte == 0x1b)
    case .paste(let matched): paste(matched, byte, &keys)
    case .character(let value, let left, let least):
      guard byte & 0xc0 == 0x80 else {
        state = .ground
        return begin(byte, &keys)
      }
      let next = value << 6 | UInt32(byte & 0x3f)
      guard left == 1 else {
        state = .character(next, left: left - 1, least: least)
        return
      }
      state = .ground
      if next >= least, let scalar = Unicode.Scalar(next) { keys.append(.character(scalar)) }
    }
  }

  private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case 0x1b: state = .escape
    case 0x03: keys.append(.interrupt)
    case 0x04: keys.append(.endOfInput)
    case 0x1a: keys.append(.suspend)
    case 0x0c: keys.append(.redraw)
    case 0x0a, 0x0d: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7f: keys.append(.backspace)
    case 0x00..<0x20: keys.append(.other)
    case 0x20..<0x80: keys.append(.character(Unicode.Scalar(byte)))
    case 0xc2..<0xe0: state = .character(UInt32(byte & 0x1f), left: 1, least: 0x80)
    case 0xe0..<0xf0: state = .character(UInt32(byte & 0x0f), left: 2, least: 0x800)
    case 0xf0..<0xf5: state = .character(UInt32(byte & 0x07), left: 3, least: 0x1_0000)
    default: break
    }
  }

  private mutating func afterEscape(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string(afterEscape: false)
    case 0x1b: keys.append(.escape)
    case 0x20..<0x7f:
      // A letter with Alt.
      state = .ground
      keys.append(.other)
    default:
      state = .ground
      keys.append(.escape)
      begin(byte, &keys)
    }
  }

  private mutating func control(
    _ parameters: [UInt8]?, _ byte: UInt8, _ keys: inout [Key]
  ) {
    switch byte {
    case 0x20..<0x40:
      let fits = (parameters?.count ?? .max) < Self.longestParameters
      state = .control(fits ? parameters.map { $0 + [byte] } : nil)
    case UInt8(ascii: "[") where parameters == []:
      state = .console
    case 0x40..<0x7f:
      state = .ground
      finish(parameters, byte, &keys)
    default:
      // Cut off: the byte stands for itself.
      state = .ground
      begin(byte, &keys)
    }
  }

  private mutating func finish(
    _ parameters: [UInt8]?, _ final: UInt8, _ keys: inout [Key]
  ) {
    guard final == UInt8(ascii: "~") else { return keys.append(Self.named(final)) }
    let first = parameters.map { $0.prefix { $0 != UInt8(ascii: ";") } }
    switch first.map({ String(decoding: $0, as: UTF8.self) }) {
    case "1", "7": keys.append(.home)
    case "4", "8": keys.append(.end)
    case "5": keys.append(.pageUp)
    case "6": keys.append(.pageDown)
    case "200": state = .paste(matched: 0)
    case "201": break
    default: keys.append(.other)
    }
  }

  private mutating func paste(_ matched: Int, _ byte: UInt8, _ keys: inout [Key]) {
    guard byte != 0x03 else {
      state = .ground
      return keys.append(.interrupt)
    }
    // Only its first byte is an escape, so a failed match begins anew with the byte at hand.
    let next = byte == Self.pasteEnd[matched] ? matched + 1 : byte == 0x1b ? 1 : 0
    state = next == Self.pasteEnd.count ? .ground : .paste(matched: next)
  }

  private static func named(_ final: UInt8) -> Key {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: .other
    }
  }
}
