// How a file is put together: the lists of the model, those of the ids, their table, and the header.
extension RecommenderFile {
  /// Writes a model.
  ///
  /// - Parameters:
  ///   - model: A model of this library.
  ///   - cards: The id of each of its cards, or none.
  ///   - path: The file; it is replaced when the new one is whole.
  /// - Throws: ``RecommenderError`` as ``init(_:cards:)``, and `fileAccess` where the file cannot be
  ///   written.
  /// - Complexity: O(bytes).
  public static func write(
    _ model: any Recommender, cards: [[UInt8]] = [], to path: String
  ) throws(RecommenderError) {
    try RecommenderFile(model, cards: CardNames(cards)).write(to: path)
  }

  /// Writes the model.
  ///
  /// - Parameter path: The file; it is replaced when the new one is whole.
  /// - Throws: ``RecommenderError`` `fileAccess` where the file cannot be written.
  /// - Complexity: O(bytes).
  public func write(to path: String) throws(RecommenderError) {
    try withPieces { pieces throws(RecommenderError) in
      try MappedFile.write(pieces, to: path)
    }
  }

  /// The bytes of a model as ``write(_:cards:to:)`` writes them. Equal models give equal bytes.
  ///
  /// - Throws: ``RecommenderError`` as ``init(_:cards:)``.
  /// - Complexity: O(bytes).
  public static func bytes(
    of model: any Recommender, cards: [[UInt8]] = []
  ) throws(RecommenderError) -> [UInt8] {
    try RecommenderFile(model, cards: CardNames(cards)).bytes
  }

  /// The bytes of the file. Equal models give equal bytes.
  ///
  /// - Complexity: O(bytes).
  public var bytes: [UInt8] {
    withPieces { pieces in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
      for piece in pieces { bytes.append(contentsOf: piece) }
      return bytes
    }
  }

  private func withPieces<Result, Failure: Error>(
    _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var sections = sections
    cards.add(to: &sections)
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
      Self.magic, UInt64(Self.version) | UInt64(lists.count) << 32, UInt64(offset), checksum.value,
      0, 0, 0, 0,
    ])
    return try withExtendedLifetime((table, padding, header, sections)) { () throws(Failure) in
      try body([UnsafeRawBufferPointer(header.buffer)] + pieces)
    }
  }
}

extension CardNames {
  static let prefix = "ids."
  static let offsetsName = prefix + "offsets"
  static let bytesName = prefix + "bytes"
  static let erasedName = prefix + "erased"

  /// Adds the ids as lists; those that were erased are not among them.
  fileprivate func add(to sections: inout ModelSections) {
    if erased.isEmpty {
      sections.add(Self.offsetsName, offsets)
      sections.add(Self.bytesName, bytes)
    } else {
      var starts = [0]
      starts.reserveCapacity(offsets.count)
      for row in indices {
        let length = isErased(row) ? 0 : offsets[row + 1] - offsets[row]
        // A part of a sum that fits.
        starts.append(starts[row] + length)
      }
      sections.add(Self.offsetsName, starts)
      sections.add(Self.bytesName, flatMap { $0 })
    }
    sections.add(Self.erasedName, erased.sorted())
  }
}
