/// A model on disk, with the names of its cards.
///
/// 64 bytes of header (magic, version, lists, length, checksum), a table of the lists, the lists
/// themselves, each at a multiple of 64; numbers of the machine's byte order, which is checked. A file
/// is mapped, not copied: a model of a gigabyte is served after its bytes were read once for the
/// checksum, and processes share it.
public struct RecommenderFile: Sendable {
  /// The version this build writes, and the only one it reads.
  public static let version: UInt32 = 1
  private static let magic: UInt64 = 0x4c45_444f_4d52_4643  // "CFRMODEL" in a little-endian word

  /// The model.
  public let model: any Recommender
  /// The id of each card, byte for byte; empty for a model without ids.
  public let cards: [[UInt8]]

  /// Writes a model.
  ///
  /// - Parameters:
  ///   - model: A model of this library.
  ///   - cards: The id of each of its cards, or none.
  ///   - path: The file; it is replaced when the new one is whole.
  /// - Throws: ``RecommenderError`` `badInput` for a model that is not of this library or ids that are
  ///   not one for each card, `fileAccess` where the file cannot be written.
  /// - Complexity: O(bytes).
  public static func write(
    _ model: any Recommender, cards: [[UInt8]] = [], to path: String
  ) throws(RecommenderError) {
    try withPieces(of: model, cards) { pieces throws(RecommenderError) in
      try MappedFile.write(pieces, to: path)
    }
  }

  /// The bytes of a model as ``write(_:cards:to:)`` writes them. Equal models give equal bytes.
  ///
  /// - Throws: ``RecommenderError`` `badInput` as for writing.
  /// - Complexity: O(bytes).
  public static func bytes(
    of model: any Recommender, cards: [[UInt8]] = []
  ) throws(RecommenderError) -> [UInt8] {
    try withPieces(of: model, cards) { pieces throws(RecommenderError) in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
      for piece in pieces { bytes.append(contentsOf: piece) }
      return bytes
    }
  }

  private static func withPieces<Result>(
    of model: any Recommender, _ cards: [[UInt8]],
    _ body: ([UnsafeRawBufferPointer]) throws(RecommenderError) -> Result
  ) throws(RecommenderError) -> Result {
    guard cards.isEmpty || cards.count == model.cardCount else {
      throw RecommenderError(
        .badInput,
        "a model of \(model.cardCount) cards was given \(cards.count) ids; allowed: one for each "
          + "card, or none")
    }
    var sections = ModelSections()
    try sections.add(model, prefix: "")
    sections.add("ids.offsets", try InteractionMatrix.offsets(of: cards.map(\.count)))
    sections.add("ids.bytes", cards.flatMap { $0 })
    let lists = sections.written
    var words: [UInt64] = []
    var offset = 64 + lists.count * 64
    for list in lists {
      offset = (offset + 63) / 64 * 64
      var name = Array(list.name.utf8.prefix(32))
      name += Array(repeating: 0, count: 32 - name.count)
      for word in 0..<4 {
        words.append((0..<8).reduce(0) { $0 | UInt64(name[word * 8 + $1]) << UInt64(8 * $1) })
      }
      words += [UInt64(list.width), UInt64(offset), UInt64(list.count), 0]
      offset += list.bytes.count
    }
    let table = Numbers(words)
    let padding = Numbers([UInt8](repeating: 0, count: 64))
    var pieces = [UnsafeRawBufferPointer(table.buffer)]
    var position = 64 + words.count * 8
    for list in lists {
      let gap = (position + 63) / 64 * 64 - position
      pieces.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: padding.buffer[..<gap])))
      pieces.append(list.bytes)
      position += gap + list.bytes.count
    }
    var checksum = Checksum()
    for piece in pieces { checksum.add(piece) }
    let header = Numbers([
      magic, UInt64(version) | UInt64(lists.count) << 32, UInt64(offset), checksum.value, 0, 0, 0,
      0,
    ])
    return try withExtendedLifetime((table, padding, header, sections)) {
      () throws(RecommenderError) in
      try body([UnsafeRawBufferPointer(header.buffer)] + pieces)
    }
  }

  /// Maps a file.
  ///
  /// - Throws: ``RecommenderError`` `fileAccess` where it cannot be read; `damagedFile` where it is no
  ///   model of this version, is shorter or longer than it says, has another checksum, or holds lists
  ///   that make no model.
  /// - Complexity: O(bytes), once, for the checksum.
  public init(mapping path: String) throws(RecommenderError) {
    try self.init(MappedFile(path: path))
  }

  /// Reads a model out of bytes, which are copied.
  ///
  /// - Parameters:
  ///   - bytes: What ``bytes(of:cards:)`` gave.
  ///   - name: What error texts call the model.
  /// - Throws: ``RecommenderError`` `damagedFile` as for a file.
  public init(bytes: [UInt8], name: String) throws(RecommenderError) {
    try self.init(MappedFile(copying: bytes, name: name))
  }

  private init(_ file: MappedFile) throws(RecommenderError) {
    let path = file.path
    func damaged(_ reason: String) -> RecommenderError {
      RecommenderError(
        .damagedFile,
        "\(path): \(reason); allowed: a model file of version \(Self.version) as it was written. "
          + "Train the model again")
    }
    func word(_ index: Int) -> UInt64 {
      file.bytes.load(fromByteOffset: index * 8, as: UInt64.self)
    }
    guard file.bytes.count >= 64, word(0) == Self.magic else {
      throw damaged("the file is no model of cards")
    }
    let (version, count) = (UInt32(truncatingIfNeeded: word(1)), Int(word(1) >> 32))
    guard version == Self.version else { throw damaged("the file has version \(version)") }
    guard word(2) == UInt64(file.bytes.count), 64 + count * 64 <= file.bytes.count else {
      throw damaged("the file has \(file.bytes.count) bytes and says \(word(2))")
    }
    var checksum = Checksum()
    checksum.add(UnsafeRawBufferPointer(rebasing: file.bytes[64...]))
    guard checksum.value == word(3) else { throw damaged("the checksum is not that of the bytes") }
    var places: [String: ModelSections.Place] = [:]
    for list in 0..<count {
      let first = 8 + list * 8
      let name = file.bytes[first * 8..<first * 8 + 32].prefix { $0 != 0 }
      let (width, offset, length) = (word(first + 4), word(first + 5), word(first + 6))
      let (bytes, overflows) = width.multipliedReportingOverflow(by: length)
      guard !overflows, width > 0, offset % 64 == 0, offset <= word(2), bytes <= word(2) - offset
      else { throw damaged("a list lies outside of the file") }
      places[String(decoding: name, as: UTF8.self)] = ModelSections.Place(
        width: Int(width), offset: Int(offset), count: Int(length))
    }
    let sections = ModelSections(places, in: file)
    model = try sections.model(prefix: "")
    let offsets = try sections.numbers("ids.offsets", Int.self)
    let bytes = try sections.numbers("ids.bytes", UInt8.self)
    guard sections.isRising(offsets, upTo: bytes.count),
      offsets.count == 1 || offsets.count == model.cardCount + 1
    else { throw damaged("the ids of the cards are not one for each") }
    cards = (0..<offsets.count - 1).map { Array(bytes[offsets[$0]..<offsets[$0 + 1]]) }
  }
}

/// A checksum of 64 bits over words of eight bytes. Every step is a bijection of the state, so that
/// one changed word always shows.
struct Checksum {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// Adds bytes; how they are cut into pieces makes no difference.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count, pendingCount > 0 || bytes.count - index < 8 {
      pending |= UInt64(bytes[index]) << UInt64(8 * pendingCount)
      pendingCount += 1
      index += 1
      if pendingCount == 8 {
        mix(pending)
        (pending, pendingCount) = (0, 0)
      }
    }
    while index + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < bytes.count {
      pending |= UInt64(bytes[index]) << UInt64(8 * pendingCount)
      pendingCount += 1
      index += 1
    }
  }

  private mutating func mix(_ word: UInt64) {
    // Wrapping: the product is meant modulo 2⁶⁴.
    state = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
    state ^= state >> 29
  }

  /// The sum so far, with what is left of a word.
  var value: UInt64 {
    var whole = self
    whole.mix(pending)
    whole.mix(UInt64(pendingCount))
    return whole.state
  }
}
