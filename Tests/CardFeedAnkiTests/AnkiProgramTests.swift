import CardFeedAnki
import Foundation
import Testing

/// What is written, opened by Anki's own code: the Python package `anki`. `CARDFEED_ANKI_PYTHON`
/// names a Python that has it.
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

  @Test(.enabled(if: python != nil, "skipped: CARDFEED_ANKI_PYTHON names no Python with anki"))
  func ankiOpensWhatIsWritten() throws {
    let folder = try AnkiFolder()
    let study = StudyFiles(
      cards: [
        .init(id: "7", prompt: "a", answer: "1 < 2", tags: ["t"], order: 1),
        .init(id: "8", prompt: "b", answer: "c", note: "n", order: 2),
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

    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = ["-c", Self.script, path, folder.file("other.anki2"), package]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try #require(try pipe.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").suffix(3)
    #expect(
      lines.joined(separator: "\n") == """
        {"moved": false, "answers": ["1 &lt; 2", "b", "c", "e"], "suspended": 1, "new": 3, \
        "duplicates": 1, "log": [[1700000000000, 7, 3]], "queued": 3}
        4 3
        4 3
        """)
    // Anki has brought the file to its own schema; it says the same as before.
    let again = StudyFiles(try AnkiCollection(reading: path))
    #expect(again.answers.map(\.grade) == [.good, .suspend])
    #expect(Set(again.cards.map(\.prompt)) == ["a", "b", "c", "d"])
  }
}
