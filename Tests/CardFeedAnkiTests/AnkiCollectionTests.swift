import CardFeedAnki
import Foundation
import Testing

/// Collections that are read, and those that are refused.
@Suite struct AnkiCollectionTests {
  private let folder: AnkiFolder

  init() throws { folder = try AnkiFolder() }

  @Test(arguments: [11, 18])
  func bothSchemasSayTheSame(schema: Int) throws {
    let sql = schema == 11 ? AnkiSample.schema11() : AnkiSample.schema18()
    let path = try folder.database("collection.anki2", sql)
    let collection = try AnkiCollection(reading: path)
    #expect(collection.noteTypes.map(\.isCloze) == [false, true])
    #expect(collection.noteTypes.map(\.fields) == [["Front", "Back"], ["Text", "Extra"]])
    #expect(collection.reviews.map(\.ease) == [1, 4, 0, 3, 3])
    let files = StudyFiles(collection)
    #expect(
      files.cards == [
        StudyFiles.Card(
          id: "101", prompt: "What is\n1 < 2?", answer: "True & so", note: "g'one",
          tags: ["leech", "bio::cell"]),
        StudyFiles.Card(
          id: "102", prompt: "True & so", answer: "What is\n1 < 2?", note: "g'one",
          tags: ["leech", "bio::cell"], order: 5),
        StudyFiles.Card(
          id: "103", prompt: "The [star] is hot.", answer: "The sun is hot.", note: "gtwo",
          order: 6),
        StudyFiles.Card(
          id: "104", prompt: "The sun is [...].", answer: "The sun is hot.", note: "gtwo",
          order: 6),
      ])
    #expect(
      files.answers == [
        StudyFiles.Answer(card: "101", grade: .again, time: 1_700_000_000_123),
        StudyFiles.Answer(card: "101", grade: .good, time: 1_700_000_400_000),
        StudyFiles.Answer(card: "101", grade: .suspend, time: 1_700_000_500_000),
      ])
    #expect(
      files.omitted == [
        "rows of the log that are no answers": 2, "answers about cards that are not there": 1,
      ])
    #expect(StudyFiles(collection, keepingHTML: true).cards[0].prompt.hasPrefix("<b>What</b>"))
    // Nothing was made beside it.
    #expect(try folder.names == ["collection.anki2"])
  }

  @Test func aNewCardOfAFilteredDeckKeepsItsPlace() throws {
    let path = try folder.database(
      "c.anki2",
      AnkiSample.schema11(
        then: "UPDATE cards SET odid = 1, odue = 5, due = -99000 WHERE id = 102"))
    #expect(StudyFiles(try AnkiCollection(reading: path)).cards[1].order == 5)
  }

  @Test func theDeckOfACardBecomesATag() throws {
    let decks = #"{"1": {"name": "Default"}, "5": {"name": "A::B c"}, "6": {"name": "Cram"}}"#
    let old = try folder.database(
      "c.anki2",
      AnkiSample.schema11(
        then: """
          UPDATE col SET decks = '\(decks)'; UPDATE cards SET did = 5 WHERE id = 103;
          UPDATE cards SET did = 6, odid = 5, odue = 6 WHERE id = 104;
          UPDATE cards SET did = 77 WHERE id = 102
          """))
    let new = try folder.database(
      "d.anki2",
      AnkiSample.schema18(
        then: """
          INSERT INTO decks VALUES (5, 'A' || char(31) || 'B c', 0, 0, x'', x'');
          UPDATE cards SET did = 5 WHERE id IN (103, 104)
          """))
    let leech = ["leech", "bio::cell"]
    for path in [old, new] {
      let tags = StudyFiles(try AnkiCollection(reading: path)).cards.map(\.tags)
      #expect(tags == [leech, leech, ["deck:A::B c"], ["deck:A::B c"]])
    }
  }

  @Test func aSuspensionIsNotBeforeTheAnswerThatCausedIt() throws {
    let path = try folder.database(
      "c.anki2",
      AnkiSample.schema11(then: "UPDATE cards SET mod = 1700000399 WHERE id = 101"))
    let answers = StudyFiles(try AnkiCollection(reading: path)).answers
    #expect(answers.map(\.grade) == [.again, .good, .suspend])
    #expect(answers.last?.time == 1_700_000_400_000)
  }

  @Test func aCardWithoutTextIsLeftOutWithItsAnswers() throws {
    let path = try folder.database(
      "c.anki2",
      AnkiSample.schema11(
        then: "UPDATE notes SET flds = '<i></i>' || char(31) || 'x' WHERE id = 10"))
    let files = StudyFiles(try AnkiCollection(reading: path))
    #expect(files.cards.map(\.id) == ["103", "104"])
    #expect(files.answers == [])
    #expect(files.omitted["cards without a text on both sides"] == 2)
    #expect(files.omitted["answers about cards that are not there"] == 3)
  }

  @Test(arguments: [
    ("DROP TABLE revlog", "the table revlog is missing"),
    ("DELETE FROM col", "found 0 rows of col; allowed: one"),
    ("UPDATE col SET ver = 12", "found schema 12; allowed: 11 and 18"),
    ("UPDATE col SET models = '{'", "column models of col: line 1, column 2: "),
    ("UPDATE col SET models = '[]'", "found an array; allowed: an object of note types"),
    ("UPDATE col SET models = '{\"1\": {}}'", "note type 1 lacks its number"),
    (
      "UPDATE col SET decks = '7'",
      "column decks of col: found a number; allowed: an object of decks"
    ),
    ("UPDATE col SET decks = '{\"1\": {}}'", "deck 1 lacks its number or its name"),
    (
      "UPDATE notes SET flds = 'a' WHERE id = 10",
      "row 1 of notes: found 1 fields; allowed: the 2 of its note type"
    ),
    (
      "UPDATE notes SET flds = x'6100' WHERE id = 11",
      "row 2 of notes, column flds: found bytes; allowed: a text"
    ),
    (
      "UPDATE notes SET flds = 'a' || char(0) || char(31) WHERE id = 11",
      "row 2 of notes, column flds: the text has a NUL in it"
    ),
    (
      "UPDATE notes SET tags = CAST(x'ff' AS text)",
      "row 1 of notes, column tags: the text is not UTF-8"
    ),
    ("UPDATE notes SET mid = 3", "row 1 of notes: its note type is missing"),
    ("DELETE FROM notes WHERE id = 11", "row 3 of cards: its note is missing"),
    (
      "UPDATE cards SET queue = 'x'",
      "row 1 of cards, column queue: found a text; allowed: a whole number"
    ),
    (
      "UPDATE cards SET due = 1.5 WHERE id = 102",
      "row 2 of cards, column due: found a number with a fraction"
    ),
    ("UPDATE cards SET mod = 1 << 40", "row 1 of cards, column mod: found a time out of range"),
    (
      "UPDATE revlog SET ease = NULL WHERE cid = 999",
      "row 2 of revlog, column ease: found nothing; allowed: a whole number"
    ),
    ("UPDATE revlog SET ease = 7", "row 1 of revlog, column ease: found an answer out of range"),
    (
      "UPDATE revlog SET id = -5 WHERE cid = 999",
      "row 1 of revlog, column id: found a time out of range"
    ),
  ])
  func whatIsWrongIsRefusedWithItsPlace(sql: String, message: String) throws {
    let path = try folder.database("c.anki2", AnkiSample.schema11(then: sql))
    let error = #expect(throws: AnkiError.self) { try AnkiCollection(reading: path) }
    let text = try #require(error).description
    #expect(text.hasPrefix(path))
    #expect(text.contains(message), "\(text)")
  }

  @Test func settingsThatAreNoMessageAreRefused() throws {
    let path = try folder.database(
      "c.anki2",
      AnkiSample.schema18(then: "UPDATE templates SET config = x'0aff01' WHERE ntid = 2"))
    let error = #expect(throws: AnkiError.self) { try AnkiCollection(reading: path) }
    #expect(error?.place == "row 3 of templates, column config")
  }

  @Test(arguments: [
    (Array("PK\u{3}\u{4}rest of a package".utf8), "found a damaged ZIP archive"),
    ([0x28, 0xb5, 0x2f, 0xfd, 0, 0], "zstd"),
    (Array("card_id,rating\n".utf8), "found no SQLite file"),
    ([], "found no SQLite file"),
    (Array("SQLite format 3\0".utf8), "SQLite says"),
  ])
  func otherFilesAreNamed(bytes: [UInt8], message: String) throws {
    let path = folder.file("c.anki2")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: AnkiError.self) { try AnkiCollection(reading: path) }
    #expect(try #require(error).description.contains(message))
  }

  @Test func aFileThatIsCutAnywhereIsRefused() throws {
    let path = try folder.database("c.anki2", AnkiSample.schema11())
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(whole.count > 8192)
    for count in stride(from: 0, to: whole.count - 1, by: 1021) {
      let cut = folder.file("cut.anki2")
      try whole.prefix(count).write(to: URL(fileURLWithPath: cut))
      #expect(throws: AnkiError.self, "\(count) bytes") { try AnkiCollection(reading: cut) }
    }
  }

  @Test func aMissingFileAndAnOpenCollectionAreRefused() throws {
    let missing = #expect(throws: AnkiError.self) {
      try AnkiCollection(reading: folder.file("none.anki2"))
    }
    #expect(missing?.message == "cannot be read: No such file or directory")
    let path = try folder.database("c.anki2", AnkiSample.schema11())
    try Data([1]).write(to: URL(fileURLWithPath: path + "-wal"))
    let open = #expect(throws: AnkiError.self) { try AnkiCollection(reading: path) }
    #expect(open?.hint == "close Anki, or open and close the collection in it")
  }

  @Test func aNameWithSignsOfAnAddressIsRead() throws {
    let path = try folder.database("what? 100% #1.anki2", AnkiSample.schema11())
    #expect(try AnkiCollection(reading: path).cards.count == 4)
  }
}
