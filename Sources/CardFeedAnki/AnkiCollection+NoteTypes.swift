internal import CardFeedConfiguration

extension AnkiCollection {
  /// Note types of schema 11: JSON in the only row of `col`.
  static func noteTypes11(
    _ database: AnkiDatabase, _ file: String
  ) throws(AnkiError) -> [NoteType] {
    let object = try object(in: "models", of: "note types", database, file)
    var types: [NoteType] = []
    for member in object.members {
      guard let id = Int64(member.key), let type = NoteType(id: id, json: member.value) else {
        throw AnkiError(
          file: file, place: "column models of col",
          "note type \(types.count + 1) lacks its number, its fields or its templates")
      }
      types.append(type)
    }
    return types.sorted { $0.id < $1.id }
  }

  /// Note types of schema 18: tables whose settings are messages of Protocol Buffers.
  static func noteTypes18(
    _ database: AnkiDatabase, _ file: String
  ) throws(AnkiError) -> [NoteType] {
    var types = try database.rows("SELECT id, config FROM notetypes ORDER BY id", of: "notetypes") {
      row throws(AnkiError) in
      guard let fields = ProtocolBufferFields(try row.blob(1)) else {
        throw row.problem(1, "the settings cannot be read; allowed: a Protocol Buffers message")
      }
      // Field 1 of a note type's settings is its kind: 0 normal, 1 cloze.
      return NoteType(
        id: try row.integer(0), isCloze: fields.integers[1] == 1, fields: [], templates: [])
    }
    let places = Dictionary(
      types.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let fields = try database.rows(
      "SELECT ntid, name FROM fields ORDER BY ntid, ord", of: "fields"
    ) { row throws(AnkiError) in (type: try row.integer(0), name: try row.text(1)) }
    for field in fields {
      if let place = places[field.type] { types[place].fields.append(field.name) }
    }
    let templates = try database.rows(
      "SELECT ntid, config FROM templates ORDER BY ntid, ord", of: "templates"
    ) { row throws(AnkiError) in
      guard let fields = ProtocolBufferFields(try row.blob(1)) else {
        throw row.problem(1, "the settings cannot be read; allowed: a Protocol Buffers message")
      }
      // Fields 1 and 2 of a template's settings are its two sides.
      return (
        type: try row.integer(0),
        template: NoteType.Template(front: fields.text(1), back: fields.text(2))
      )
    }
    for template in templates {
      if let place = places[template.type] { types[place].templates.append(template.template) }
    }
    return types
  }
}

extension AnkiCollection.NoteType {
  fileprivate init?(id: Int64, json: JSONValue) {
    guard let fields = json["flds"]?.array, let templates = json["tmpls"]?.array else { return nil }
    func inOrder(_ values: [JSONValue]) -> [JSONValue] {
      values.enumerated().sorted { left, right in
        (left.element["ord"]?.int64 ?? Int64(left.offset), left.offset)
          < (right.element["ord"]?.int64 ?? Int64(right.offset), right.offset)
      }.map(\.element)
    }
    let names = inOrder(fields).compactMap { $0["name"]?.string }
    let sides = inOrder(templates).compactMap { template -> Template? in
      guard let front = template["qfmt"]?.string, let back = template["afmt"]?.string else {
        return nil
      }
      return Template(front: front, back: back)
    }
    guard names.count == fields.count, sides.count == templates.count else { return nil }
    self.init(id: id, isCloze: json["type"]?.int64 == 1, fields: names, templates: sides)
  }
}

/// The outermost fields of a message of Protocol Buffers (wire format of proto3), the last of each
/// number, and how often each number stands there.
struct ProtocolBufferFields {
  private(set) var integers: [UInt64: UInt64] = [:]
  private(set) var bytes: [UInt64: ArraySlice<UInt8>] = [:]
  private(set) var counts: [UInt64: Int] = [:]

  /// Nil for bytes that are no message.
  init?(_ message: [UInt8]) {
    var rest = message[...]
    while !rest.isEmpty {
      guard let key = Self.varint(&rest) else { return nil }
      counts[key >> 3, default: 0] += 1
      switch key & 7 {
      case 0:
        guard let value = Self.varint(&rest) else { return nil }
        integers[key >> 3] = value
      case 2:
        guard let count = Self.varint(&rest), count <= UInt64(rest.count) else { return nil }
        bytes[key >> 3] = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
      case 1, 5:
        let count = key & 7 == 1 ? 8 : 4
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
      default: return nil
      }
    }
  }

  /// A text; empty where there is none, as the format has it.
  func text(_ number: UInt64) -> String { String(decoding: bytes[number] ?? [], as: UTF8.self) }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      if shift < 64 { value |= UInt64(byte & 0x7f) << shift }
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
