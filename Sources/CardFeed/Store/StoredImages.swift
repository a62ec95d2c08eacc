/// What a swipe keeps of the time before it, so that a rewind can restore it. Version 1: the
/// version, flags (1: was dealt, 2: was answered), then the fields that are there.
package enum SeenImage {
  private static var version: UInt64 { 1 }

  package static func encode(_ entry: SeenEntry) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(version)
    writer.unsigned((entry.dealtAt == nil ? 0 : 1) | (entry.answer == nil ? 0 : 2))
    if let dealtAt = entry.dealtAt { writer.signed(dealtAt.milliseconds) }
    if let answer = entry.answer {
      writer.text(answer.answer)
      writer.unsigned(UInt64(answer.meaning.rawValue))
      writer.signed(answer.time.milliseconds)
      writer.signed(answer.event.rawValue)
    }
    return writer.bytes
  }

  /// - Throws: `ByteReader.Damage` or ``StoredImageDamage``.
  package static func decode(_ bytes: [UInt8]) throws -> SeenEntry {
    var reader = ByteReader(bytes)
    try reader.requireVersion(version)
    let flags = try reader.unsigned()
    var entry = SeenEntry()
    if flags & 1 != 0 { entry.dealtAt = Timestamp(milliseconds: try reader.signed()) }
    if flags & 2 != 0 {
      let answer = try reader.text()
      let raw = UInt8(exactly: try reader.unsigned())
      guard let meaning = raw.flatMap(AnswerMeaning.init(rawValue:)) else {
        throw StoredImageDamage(description: "an image with an unknown meaning of an answer")
      }
      entry.answer = SeenEntry.Answered(
        answer: answer, meaning: meaning, time: Timestamp(milliseconds: try reader.signed()),
        event: LogPosition(try reader.signed()))
    }
    try reader.requireEnd()
    return entry
  }
}

/// What one event adds for one learner. Version 1: the version, then the increments.
package enum IncrementsImage {
  private static var version: UInt64 { 1 }

  package static func encode(_ increments: [Increment]) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(version)
    writer.increments(increments)
    return writer.bytes
  }

  /// - Throws: `ByteReader.Damage` or ``StoredImageDamage``.
  package static func decode(_ bytes: [UInt8]) throws -> [Increment] {
    var reader = ByteReader(bytes)
    try reader.requireVersion(version)
    let increments = try reader.increments()
    try reader.requireEnd()
    return increments
  }
}

/// Why an image cannot be read, where every single byte of it can.
package struct StoredImageDamage: Error, CustomStringConvertible {
  package let description: String
}

extension ByteReader {
  fileprivate mutating func requireVersion(_ wanted: UInt64) throws {
    let found = try unsigned()
    if found != wanted {
      throw StoredImageDamage(
        description: "version \(found) of an image, version \(wanted) is allowed")
    }
  }

  fileprivate func requireEnd() throws {
    if !isAtEnd { throw StoredImageDamage(description: "an image with bytes after its end") }
  }
}
