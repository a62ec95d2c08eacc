internal import CardFeedConfiguration

extension AnkiCollection {
  /// The deck that every collection has.
  static let defaultDeck = Deck(id: 1, name: "Default")

  /// Decks of schema 11: JSON in the only row of `col`.
  static func decks11(_ database: AnkiDatabase, _ file: String) throws(AnkiError) -> [Deck] {
    let object = try object(in: "decks", of: "decks", database, file)
    var decks: [Deck] = []
    for member in object.members {
      guard let id = Int64(member.key), let name = member.value["name"]?.string else {
        throw AnkiError(
          file: file, place: "column decks of col",
          "deck \(decks.count + 1) lacks its number or its name")
      }
      decks.append(Deck(id: id, name: name))
    }
    return decks.sorted { $0.id < $1.id }
  }

  /// Decks of schema 18: a table; in a name a unit separator stands before each deck within a deck.
  static func decks18(_ database: AnkiDatabase) throws(AnkiError) -> [Deck] {
    try database.rows("SELECT id, name FROM decks ORDER BY id", of: "decks") {
      row throws(AnkiError) in
      let parts = try row.text(1).split(separator: "\u{1f}", omittingEmptySubsequences: false)
      return Deck(id: try row.integer(0), name: parts.joined(separator: "::"))
    }
  }

  /// The JSON object in a column of the only row of `col`.
  static func object(
    in column: String, of kind: String, _ database: AnkiDatabase, _ file: String
  ) throws(AnkiError) -> JSONObject {
    let texts = try database.rows("SELECT \(column) FROM col", of: "col") {
      row throws(AnkiError) in try row.text(0)
    }
    let place = "column \(column) of col"
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: texts.first ?? "").root
    } catch {
      throw AnkiError(file: file, place: place, "\(error.location): \(error.message)")
    }
    guard let object = root.object else {
      throw AnkiError(
        file: file, place: place, "found \(root.kind); allowed: an object of \(kind)")
    }
    return object
  }
}
