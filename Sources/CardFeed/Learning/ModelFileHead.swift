/// What a model file says of its models, read without them.
package struct ModelFileHead: Hashable, Sendable {
  /// A model of the file.
  package struct Entry: Hashable, Sendable {
    package let identity: String
    package let position: LogPosition
    package let answers: Int
    /// Where in the file its bytes lie.
    package let range: Range<Int>
  }

  package let deck: String
  package let entries: [Entry]

  static let magic = Array("CardFeed model\n".utf8)
  static let version: UInt64 = 2
  /// The most bytes in front of a head.
  package static let longestStart = magic.count + 20

  /// The next place where a model may begin.
  static func aligned(_ place: Int) -> Int { (place + 63) / 64 * 64 }

  /// Where the head lies.
  ///
  /// - Parameters:
  ///   - start: The file, or its first ``longestStart`` bytes.
  ///   - name: What error texts call the file.
  /// - Throws: `FeedError.Code.model` for what is no model file or of another version.
  package static func place(in start: [UInt8], name: String) throws -> Range<Int> {
    guard start.starts(with: magic), start.count > magic.count + 4 else {
      throw FeedError(
        .model, "\(name) is no model file; a model file begins with \"CardFeed model\"",
        hint: "write one with cardfeed train --out FILE")
    }
    return try reading(name) {
      let bytes = Array(start[magic.count..<min(longestStart, start.count)])
      var reader = ByteReader(bytes)
      // Before the checksum: another version may have another one.
      try reader.modelVersion(version, of: name)
      let length = Int(clamping: try reader.unsigned())
      let first = magic.count + reader.offset
      return first..<first + min(length, .max - first)
    }
  }

  /// Reads a head.
  ///
  /// - Parameters:
  ///   - bytes: The file, or its beginning up to the end of the head.
  ///   - place: Where the head lies.
  ///   - fileSize: How many bytes the file has.
  ///   - name: What error texts call the file.
  /// - Throws: `FeedError.Code.model` when the file is not what it says.
  package init(
    _ bytes: [UInt8], at place: Range<Int>, fileSize: Int, name: String
  ) throws {
    guard place.upperBound <= min(bytes.count, fileSize - 4) else {
      throw Self.damaged(name, "it ends early")
    }
    (deck, entries) = try Self.reading(name) {
      var reader = ByteReader(Array(bytes[place]))
      let deck = try reader.text()
      var entries: [Entry] = []
      var end = place.upperBound
      for _ in 0..<(try reader.count()) {
        let identity = try reader.text()
        let position = LogPosition(try reader.signed())
        let answers = Int(truncatingIfNeeded: try reader.unsigned())
        let start = Self.aligned(end)
        let length = try reader.unsigned()
        guard length <= UInt64(max(0, fileSize - 4 - start)) else {
          throw Self.damaged(name, "it ends early")
        }
        end = start + Int(length)
        entries.append(
          Entry(identity: identity, position: position, answers: answers, range: start..<end))
      }
      guard reader.isAtEnd, end == fileSize - 4 else {
        throw Self.damaged(name, "it is longer than it says")
      }
      return (deck, entries)
    }
  }

  /// Where the model of a strategy lies.
  ///
  /// - Throws: `FeedError.Code.model` as `ModelFile.model(of:deck:name:)`.
  package func range(of identity: String, deck: String, name: String) throws -> Range<Int> {
    let place = try Self.index(
      of: identity, among: entries.map(\.identity), deck: deck, found: self.deck, name: name)
    return entries[place].range
  }

  /// Which of a file's models belongs to a strategy.
  static func index(
    of identity: String, among held: [String], deck: String, found: String, name: String
  ) throws -> Int {
    guard deck == found else {
      throw FeedError(
        .model, "\(name) holds models of the deck '\(found)', not of '\(deck)'",
        hint: "name a model that was trained with this deck")
    }
    if let place = held.firstIndex(of: identity) { return place }
    func strategy(_ identity: String) -> String { String(identity.prefix { $0 != "/" }) }
    let wanted = strategy(identity)
    let names = held.map { "'\(strategy($0))'" }.joined(separator: ", ")
    throw FeedError(
      .model,
      held.contains { strategy($0) == wanted }
        ? "\(name) holds a model of '\(wanted)' with other parameters"
        : "\(name) holds no model of '\(wanted)', but of \(names.isEmpty ? "nothing" : names)",
      hint: "train again with the parameters of the configuration")
  }

  /// Compares the checksum of all bytes but the last four with these.
  package static func check(
    _ checksum: UInt32, against end: [UInt8], name: String
  ) throws {
    let expected = try reading(name) {
      var reader = ByteReader(end)
      return try reader.fixed32()
    }
    guard expected == checksum else {
      throw damaged(name, "its checksum does not fit its bytes")
    }
  }

  private static func damaged(_ name: String, _ what: String) -> FeedError {
    FeedError(.model, "\(name) is damaged: \(what)", hint: "copy it again, or train again")
  }

  private static func reading<Result>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "\(name) cannot be read: \(damage)", hint: "train again")
    }
  }
}
