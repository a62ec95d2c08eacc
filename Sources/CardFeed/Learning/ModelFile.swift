/// Models as a file: what a training writes, and a strategy reads when it is built.
///
/// Layout, version 1: the magic line, the version, the deck's name, the entries (identity, place of
/// the log, number of answers, the model's own bytes), and a CRC-32C of everything before it, four
/// bytes, least significant first. Counts are LEB128.
public struct ModelFile: Hashable, Sendable {
  /// The model of one strategy.
  public struct Entry: Hashable, Sendable {
    /// The strategy's name, version and parameters.
    public let identity: String
    /// The place of the log up to which it was trained.
    public let position: LogPosition
    /// How many answers it was fitted to.
    public let answers: Int
    /// What the model wrote.
    public let model: [UInt8]

    /// The model of one strategy.
    public init(identity: String, position: LogPosition, answers: Int, model: [UInt8]) {
      self.identity = identity
      self.position = position
      self.answers = answers
      self.model = model
    }

    /// The name at the start of the identity.
    public var name: String { String(identity.prefix { $0 != "/" }) }
  }

  /// The deck whose strategies the models belong to.
  public let deck: String
  /// The models, each identity once.
  public let entries: [Entry]

  /// Models of a deck.
  public init(deck: String, entries: [Entry]) {
    self.deck = deck
    self.entries = entries
  }

  private static let magic = Array("CardFeed model\n".utf8)
  private static let version: UInt64 = 1

  /// The file. Equal models give equal bytes.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.text(deck)
    writer.count(entries.count)
    for entry in entries {
      writer.text(entry.identity)
      writer.signed(entry.position.rawValue)
      writer.count(entry.answers)
      writer.blob(entry.model)
    }
    let body = Self.magic + writer.bytes
    var checksum = ByteWriter()
    checksum.fixed32(CRC32C.checksum(of: body))
    return body + checksum.bytes
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What error texts call it.
  /// - Throws: `FeedError.Code.model`: no model file, another version, damaged.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8], name: String) throws {
    guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count + 4 else {
      throw FeedError(
        .model, "\(name) is no model file; a model file begins with \"CardFeed model\"",
        hint: "write one with cardfeed train --out FILE")
    }
    let body = Array(bytes.dropLast(4))
    do {
      var reader = ByteReader(Array(body.dropFirst(Self.magic.count)))
      // Before the checksum: another version may have another one.
      try reader.modelVersion(Self.version, of: name)
      var end = ByteReader(Array(bytes.suffix(4)))
      guard try end.fixed32() == CRC32C.checksum(of: body) else {
        throw FeedError(
          .model, "\(name) is damaged: its checksum does not fit its bytes",
          hint: "copy it again, or train again")
      }
      deck = try reader.text()
      var entries: [Entry] = []
      for _ in 0..<(try reader.count()) {
        entries.append(
          Entry(
            identity: try reader.text(), position: LogPosition(try reader.signed()),
            answers: Int(truncatingIfNeeded: try reader.unsigned()), model: try reader.blob()))
      }
      self.entries = entries
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "\(name) cannot be read: \(damage)", hint: "train again")
    }
  }

  /// The model of a strategy.
  ///
  /// - Parameters:
  ///   - identity: The strategy's identity.
  ///   - deck: The deck it works on.
  ///   - name: What error texts call the file.
  /// - Throws: `FeedError.Code.model` if the file belongs to another deck, or holds no model of
  ///   that strategy with those parameters.
  public func model(of identity: String, deck: String, name: String) throws -> [UInt8] {
    guard deck == self.deck else {
      throw FeedError(
        .model, "\(name) holds models of the deck '\(self.deck)', not of '\(deck)'",
        hint: "name a model that was trained with this deck")
    }
    if let entry = entries.first(where: { $0.identity == identity }) { return entry.model }
    let wanted = Entry(identity: identity, position: .start, answers: 0, model: []).name
    let held = entries.map { "'\($0.name)'" }.joined(separator: ", ")
    let isOther = entries.contains { $0.name == wanted }
    throw FeedError(
      .model,
      isOther
        ? "\(name) holds a model of '\(wanted)' with other parameters"
        : "\(name) holds no model of '\(wanted)', but of \(held.isEmpty ? "nothing" : held)",
      hint: "train again with the parameters of the configuration")
  }
}
