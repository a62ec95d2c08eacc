/// A model on disk, with the names of its cards.
///
/// 64 bytes of header (magic, version, lists, length, checksum), a table of the lists, the lists
/// themselves, each at a multiple of 64; numbers of the machine's byte order, which is checked. A file
/// is mapped, not copied: a model of a gigabyte is served after its bytes were read once for the
/// checksum, and processes share it.
public struct RecommenderFile: Sendable {
  /// The version this build writes, and the only one it reads.
  public static let version: UInt32 = 2
  static let magic: UInt64 = 0x4c45_444f_4d52_4643  // "CFRMODEL" in a little-endian word

  /// The model.
  public let model: any Recommender
  /// The id of each card, byte for byte; empty for a model without ids.
  public private(set) var cards: CardNames
  /// The lists of the model, without the ids.
  let sections: ModelSections

  /// A model that can be written.
  ///
  /// - Parameters:
  ///   - model: A model of this library.
  ///   - cards: The id of each of its cards, or none.
  /// - Throws: ``RecommenderError`` `badInput` for a model that is not of this library or ids that are
  ///   not one for each card; `diverged` or `tooLarge` for numbers that do not fit into a file.
  /// - Complexity: O(numbers that are not kept as a file has them).
  public init(_ model: any Recommender, cards: CardNames) throws(RecommenderError) {
    guard cards.isEmpty || cards.count == model.cardCount else {
      throw RecommenderError(
        .badInput,
        "a model of \(model.cardCount) cards was given \(cards.count) ids; allowed: one for each "
          + "card, or none")
    }
    var sections = ModelSections()
    try sections.add(model, prefix: "")
    self.model = model
    self.cards = cards
    self.sections = sections
  }

  /// The same model, in which a card has no id any more. O(erased cards).
  public func erasing(_ row: Int) -> RecommenderFile {
    var file = self
    file.cards.erase(row)
    return file
  }

  /// Maps a file, or the part of one that holds a model.
  ///
  /// Afterwards none of its pages are held: memory grows with what requests look at.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - range: Where in it the model's bytes lie, from a multiple of 64 on; nil for all of it.
  /// - Throws: ``RecommenderError`` `fileAccess` where it cannot be read; `damagedFile` where it is no
  ///   model of this version, is shorter or longer than it says, has another checksum, or holds lists
  ///   that make no model.
  /// - Complexity: O(bytes), once, for the checksum.
  public init(
    mapping path: String, at range: Range<Int>? = nil
  ) throws(RecommenderError) {
    let file = try MappedFile(path: path, range: range)
    try self.init(file)
    file.releasePages()
  }

  /// Reads a model out of bytes, which are copied.
  ///
  /// - Parameters:
  ///   - bytes: What ``bytes`` gave.
  ///   - name: What error texts call the model.
  /// - Throws: ``RecommenderError`` `damagedFile` as for a file.
  public init(bytes: [UInt8], name: String) throws(RecommenderError) {
    try self.init(MappedFile(copying: bytes, name: name))
  }

  init(_ file: MappedFile) throws(RecommenderError) {
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
    var places: [(name: String, place: ModelSections.Place)] = []
    for list in 0..<count {
      let first = 8 + list * 8
      let name = file.bytes[first * 8..<first * 8 + 32].prefix { $0 != 0 }
      let (width, offset, length) = (word(first + 4), word(first + 5), word(first + 6))
      let (bytes, overflows) = width.multipliedReportingOverflow(by: length)
      guard !overflows, width > 0, offset % 64 == 0, offset <= word(2), bytes <= word(2) - offset
      else { throw damaged("a list lies outside of the file") }
      let place = ModelSections.Place(
        width: Int(width), offset: Int(offset), count: Int(length))
      places.append((String(decoding: name, as: UTF8.self), place))
    }
    let sections = ModelSections(places, in: file)
    model = try sections.model(prefix: "")
    let offsets = try sections.numbers(CardNames.offsetsName, Int.self)
    let bytes = try sections.numbers(CardNames.bytesName, UInt8.self)
    let erased = try sections.numbers(CardNames.erasedName, Int32.self)
    guard sections.isRising(offsets, upTo: bytes.count),
      offsets.count == 1 || offsets.count == model.cardCount + 1,
      erased.allSatisfy({ 0..<(offsets.count - 1) ~= Int($0) })
    else { throw damaged("the ids of the cards are not one for each") }
    cards = CardNames(offsets: offsets, bytes: bytes, erased: Set(erased))
    self.sections = sections
  }
}
