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
    let now: Int64 = 1_710_000_000_000
    try AnkiCollection(study, at: now, file: "s").write(to: path, at: now)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = ["-c", Self.script, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try #require(try pipe.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let line = try #require(String(decoding: output, as: UTF8.self).split(separator: "\n").last)
    #expect(
      line == """
        {"moved": false, "answers": ["1 &lt; 2", "b", "c", "e"], "suspended": 1, "new": 3, \
        "duplicates": 1, "log": [[1700000000000, 7, 3]], "queued": 3}
        """)
    // Anki has brought the file to its own schema; it says the same as before.
    let again = StudyFiles(try AnkiCollection(reading: path))
    #expect(again.answers.map(\.grade) == [.good, .suspend])
    #expect(Set(again.cards.map(\.prompt)) == ["a", "b", "c", "d"])
  }
}
