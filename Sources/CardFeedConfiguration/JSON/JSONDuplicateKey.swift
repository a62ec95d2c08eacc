/// A key that stands twice in the same object of a JSON text.
///
/// RFC 8259 leaves open what such a text means, so every caller should refuse it. The parser
/// goes on after one, for all of them to be reported at once.
public struct JSONDuplicateKey: Error, Hashable, Sendable {
  /// The path of the member that stands twice.
  public let path: JSONPath

  /// Where the key stands first. The parsed object holds this member.
  public let first: JSONLocation

  /// Where the key stands again. The parsed object does not hold this member.
  public let duplicate: JSONLocation

  /// Makes a finding.
  ///
  /// - Parameters:
  ///   - path: The path of the member that stands twice.
  ///   - first: Where its key stands first.
  ///   - duplicate: Where its key stands again.
  public init(path: JSONPath, first: JSONLocation, duplicate: JSONLocation) {
    self.path = path
    self.first = first
    self.duplicate = duplicate
  }
}

extension JSONDuplicateKey: CustomStringConvertible {
  /// The finding in words.
  public var description: String {
    "\(duplicate), at \(path): the key stands here again, first at \(first); "
      + "an object holds every key once; remove one of the two."
  }
}
