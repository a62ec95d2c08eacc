import CardFeedAnki
import Foundation
import Testing

/// What is written, opened by Anki's own code, the Python package `anki`, and what that writes.
/// `CARDFEED_ANKI_PYTHON` names a Python that has it.
@Suite struct AnkiProgramTests {
  private static let python = ProcessInfo.processInfo.environment["CARDFEED_ANKI_PYTHON"]

  private static let script = """
    import json, sys
    from anki.collection import Collection
    collection = Collection(sys.argv[1])
    problems, _ = collection.fix_integrity()
    cards = [collection.get_card(number) for number in collection.find_cards('')]
    print(json.dumps({
      'moved': 'future' in problems,
      'answers': sorted(card.answer().split('<hr id=answer>')[1].strip() for card in cards),
      'suspended': len(collection.find_cards('is:suspended')),
      'new': len(collection.find_cards('is:new')),
      'duplicates': len(collection.find_notes('dupe:1400000000001,a')),
      'log': collection.db.all('select id, cid, ease from revlog order by id'),
      'decks': sorted(deck.name for deck in collection.decks.all_names_and_ids()),
      'queued': len(collection.sched.get_queued_cards(fetch_limit=9).cards),
    }))
    collection.close()
    # A package goes into another collection, and a second time changes nothing.
    from anki.collection import ImportAnkiPackageRequest
    collection = Collection(sys.argv[2])
    for _ in range(2):
      collection.import_anki_package(ImportAnkiPackageRequest(package_path=sys.argv[3]))
      print(collection.card_count(), collection.note_count())
    collection.close()
    """

  private static func run(_ script: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(python))
    process.arguments = ["-c", script] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self)
  }

  @Test(.enabled(if: python != nil, "skipped: CARDFEED_ANKI_PYTHON names no Python with anki"))
  func ankiOpensWhatIsWritten() throws {
    let folder = try AnkiFolder()
    let study = StudyFiles(
      cards: [
        .init(id: "7", prompt: "a", answer: "1 < 2", tags: ["t"], order: 1),
        .init(id: "8", prompt: "b", answer: "c", note: "n", tags: ["deck:A::B"], order: 2),
        .init(id: "9", prompt: "c", answer: "b", note: "n", order: 3),
        .init(id: "x", prompt: "d", answer: "e", order: 4),
      ],
      answers: [
        .init(card: "7", grade: .good, time: 1_700_000_000_000),
        .init(card: "x", grade: .suspend, time: 1_700_000_000_001),
      ])
    let path = folder.file("collection.anki2")
    let package = folder.file("deck.apkg")
    let now: Int64 = 1_710_000_000_000
    let collection = try AnkiCollection(study, at: now, file: "s")
    try collection.write(to: path, at: now)
    try collection.write(to: package, at: now)

    let output = try Self.run(Self.script, path, folder.file("other.anki2"), package)
    let lines = output.split(separator: "\n").suffix(3)
    #expect(
      lines.joined(separator: "\n") == """
        {"moved": false, "answers": ["1 &lt; 2", "b", "c", "e"], "suspended": 1, "new": 3, \
        "duplicates": 1, "log": [[1700000000000, 7, 3]], "decks": ["A", "A::B", "Default"], "queued": 2}
        4 3
        4 3
        """)
    // Anki has brought the file to its own schema; it says the same as before.
    let again = StudyFiles(try AnkiCollection(reading: path))
    #expect(again.answers.map(\.grade) == [.good, .suspend])
    #expect(Set(again.cards.map(\.prompt)) == ["a", "b", "c", "d"])
  }

  private static let exporting = """
    import sys
    from anki.collection import Collection, ExportAnkiPackageOptions
    from anki.scheduler.v3 import CardAnswer
    collection = Collection(sys.argv[1])
    deck = collection.decks.id('Cell::Parts')
    note = collection.new_note(collection.models.by_name('Basic (and reversed card)'))
    note['Front'], note['Back'], note.tags = 'a &amp; <img src="one.png">b', 'c', ['x', 'y::z']
    collection.add_note(note, deck)
    note = collection.new_note(collection.models.by_name('Cloze'))
    note['Text'] = 'The {{c1::sun::star}} is {{c2::hot}}.'
    collection.add_note(note, 1)
    collection.media.write_data('one.png', b'1')
    collection.decks.select(1)
    queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
    card = collection.get_card(queued.card.id)
    card.start_timer()
    collection.sched.answer_card(
      collection.sched.build_answer(card=card, states=queued.states, rating=CardAnswer.HARD))
    collection.sched.suspend_cards(collection.find_cards('card:2 tag:x'))
    options = dict(with_scheduling=True, with_deck_configs=True, with_media=True)
    for legacy in (True, False):
      collection.export_anki_package(
        out_path=sys.argv[3 - legacy], limit=None,
        options=ExportAnkiPackageOptions(legacy=legacy, **options))
    # This one closes the collection.
    collection.export_collection_package(sys.argv[4], include_media=True, legacy=False)
    """

  @Test(.enabled(if: python != nil, "skipped: CARDFEED_ANKI_PYTHON names no Python with anki"))
  func whatAnkiPacksIsRead() throws {
    let folder = try AnkiFolder()
    let paths = ["old.apkg", "new.apkg", "all.colpkg"].map(folder.file)
    _ = try Self.run(
      Self.exporting, folder.file("collection.anki2"), paths[0], paths[1], paths[2])
    let direct = try AnkiCollection(reading: folder.file("collection.anki2"))
    #expect(direct.cards.count == 4 && direct.notes.count == 2 && direct.reviews.count == 1)
    let study = StudyFiles(direct)
    #expect(
      study.cards.map(\.prompt).sorted()
        == ["The [star] is hot.", "The sun is [...].", "a & [image: one.png]b", "c"])
    #expect(
      Set(study.cards.filter { $0.tags.contains("x") }.map(\.tags))
        == [["x", "y::z", "deck:Cell::Parts"]])
    #expect(Set(study.answers.map(\.grade)) == [.hard, .suspend])
    for path in paths {
      let packed = try AnkiCollection(reading: path)
      #expect(packed.mediaCount == 1, "\(path)")
      #expect(packed.cards.map(\.queue) == direct.cards.map(\.queue), "\(path)")
      #expect(packed.reviews == direct.reviews && packed.notes == direct.notes, "\(path)")
      let files = StudyFiles(packed)
      #expect(files.cards == study.cards && files.answers == study.answers, "\(path)")
      #expect(files.omitted == ["media files": 1])
    }
  }
}
