/// An identifier that is compared byte by byte.
///
/// Swift compares strings by Unicode canonical equivalence; identifiers from outside must not be
/// merged that way ("A" is not "a", and two spellings of "é" are two identifiers).
public protocol ByteIdentifier: Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The identifier itself. Any bytes, zero included.
  var bytes: [UInt8] { get }

  /// Takes the bytes as they are.
  init(bytes: [UInt8])
}

extension ByteIdentifier {
  /// The UTF-8 bytes of `text`, without normalisation.
  public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// The UTF-8 bytes of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The order of the bytes as unsigned numbers; a prefix comes first.
  public static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// The bytes as text where they are UTF-8, with repair marks where they are not.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// The identity of a card. In a deck of people, of the viewer too.
public struct CardID: ByteIdentifier {
  /// The identifier itself.
  public let bytes: [UInt8]

  /// Takes the bytes as they are.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Who looks at cards. In a dating deck every viewer is also a card, so the two share one type.
public typealias ViewerID = CardID

/// The identity that a client gives to one of its events; the same event may be sent many times.
public struct EventID: ByteIdentifier {
  /// The identifier itself, unique for its viewer.
  public let bytes: [UInt8]

  /// Takes the bytes as they are.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}
