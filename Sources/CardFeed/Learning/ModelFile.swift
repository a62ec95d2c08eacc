/// Models as a file: what a training writes, and a strategy reads when it is built.
///
/// Layout, version 2: the magic line, the version, the length of the head; the head with the deck's
/// name and the entries (identity, place of the log, number of answers, length of the model); the
/// models' own bytes, each from a multiple of 64 on, so that numbers in them can be used where they
/// lie; and a CRC-32C of everything before it, four bytes, least significant first. Counts are LEB128.
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

  /// The file. Equal models give equal bytes.
  public var bytes: [UInt8] {
    var head = ByteWriter()
    head.text(deck)
    head.count(entries.count)
    for entry in entries {
      head.text(entry.identity)
      head.signed(entry.position.rawValue)
      head.count(entry.answers)
      head.count(entry.model.count)
    }
    var start = ByteWriter()
    start.unsigned(ModelFileHead.version)
    start.count(head.bytes.count)
    var body = ModelFileHead.magic + start.bytes + head.bytes
    body.reserveCapacity(body.count + entries.reduce(4) { $0 + $1.model.count + 64 })
    for entry in entries {
      body += Array(repeating: 0, count: ModelFileHead.aligned(body.count) - body.count)
      body += entry.model
    }
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
    let place = try ModelFileHead.place(in: bytes, name: name)
    try ModelFileHead.check(
      CRC32C.checksum(of: bytes.dropLast(4)), against: Array(bytes.suffix(4)), name: name)
    let head = try ModelFileHead(bytes, at: place, fileSize: bytes.count, name: name)
    deck = head.deck
    entries = head.entries.map { entry in
      Entry(
        identity: entry.identity, position: entry.position, answers: entry.answers,
        model: Array(bytes[entry.range]))
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
    let place = try ModelFileHead.index(
      of: identity, among: entries.map(\.identity), deck: deck, found: self.deck, name: name)
    return entries[place].model
  }
}
