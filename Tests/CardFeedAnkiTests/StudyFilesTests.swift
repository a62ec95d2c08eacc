import CardFeedAnki
import Foundation
import Testing

/// Quiz files: made of collections, read, and turned into collections again.
@Suite struct StudyFilesTests {
  private let folder: AnkiFolder
  private let now: Int64 = 1_710_000_000_000

  init() throws { folder = try AnkiFolder() }

  private func written(_ study: StudyFiles, isHTML: Bool = false) throws -> AnkiCollection {
    let path = folder.file("\(UUID().uuidString).anki2")
    let collection = try AnkiCollection(study, isHTML: isHTML, at: now, file: "swipes.jsonl")
    try collection.write(to: path, at: now)
    return try AnkiCollection(reading: path)
  }

  private let day: Int64 = 86_400_000

  private var study: StudyFiles {
    StudyFiles(
      cards: [
        .init(id: "7", prompt: "a <b> & \"c\"\n\nd\r", answer: "{{c1::x}}", tags: ["t", "u::v"]),
        .init(id: "front", prompt: "sun", answer: "Sonne", note: "n", order: 3),
        .init(id: "back", prompt: "Sonne", answer: "sun", note: "n", order: 4),
        .init(id: "Ä", prompt: "&amp; [image: no]", answer: "x", order: -2),
      ],
      answers: [
        .init(card: "7", grade: .good, time: 1_700_000_000_000),
        .init(card: "back", grade: .hard, time: 1_700_000_000_001),
        .init(card: "7", grade: .again, time: 1_700_000_000_000 + 3 * day),
        .init(card: "front", grade: .suspend, time: 1_700_000_000_000 + 4 * day),
      ])
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let collection = try written(study)
    #expect(collection.notes.count == 3)
    #expect(collection.siblingsParted == 0)
    let again = StudyFiles(collection)
    #expect(again.omitted == [:])
    // A text's blanks at its ends are all that is lost; a card that was answered needs no order.
    var texts = study.cards.map { [$0.prompt, $0.answer] }
    texts[0][0].removeLast()
    #expect(Set(again.cards.map { [$0.prompt, $0.answer] }) == Set(texts))
    let seven = try #require(again.cards.first { $0.id == "7" })
    #expect(seven.tags == ["t", "u::v"])
    let orders = again.cards.filter { $0.note == "n" }.map(\.order)
    #expect(Set(orders) == [nil, 3])
    #expect(again.cards.contains { $0.order == -2 })
    #expect(again.answers.map(\.grade) == [.good, .hard, .again, .suspend])
    #expect(again.answers.prefix(3).map(\.time) == study.answers.prefix(3).map(\.time))
    // And from then on nothing changes, numbers included.
    let third = StudyFiles(try written(again))
    #expect(Set(third.cards) == Set(again.cards))
    #expect(third.answers.prefix(3) == again.answers.prefix(3))
  }

  @Test func ankiGetsDaysIntervalsAndLapses() throws {
    let collection = try written(study)
    #expect(collection.created == 1_699_920_000)
    let card = try #require(collection.cards.first { $0.id == 7 })
    #expect(card.type == 2 && card.queue == 2)
    #expect(card.interval == 1)
    #expect(card.due == 4)
    #expect(card.repetitions == 2)
    #expect(card.lapses == 1)
    #expect(collection.cards.filter { $0.queue == -1 }.map(\.ordinal) == [0])
    #expect(collection.reviews.map(\.type) == [0, 0, 1])
    #expect(collection.reviews.map(\.lastInterval) == [0, 0, 1])
  }

  @Test func htmlIsTakenAsItIs() throws {
    let study = StudyFiles(
      cards: [.init(id: "1", prompt: "<b>a</b>", answer: "b<br>c")], answers: [])
    let collection = try written(study, isHTML: true)
    #expect(collection.notes.first?.fields == ["<b>a</b>", "b<br>c"])
    #expect(StudyFiles(collection).cards.map(\.answer) == ["b\nc"])
  }

  @Test func siblingsThatAreNoReverseBecomeNotes() throws {
    let cards = (1...3).map { number in
      StudyFiles.Card(id: "\(number)", prompt: "p\(number)", answer: "a", note: "n")
    }
    let collection = try AnkiCollection(
      StudyFiles(cards: cards, answers: []), at: now, file: "cards.jsonl")
    #expect(collection.siblingsParted == 2)
    #expect(Set(collection.notes.map(\.guid)) == ["n", "card:2", "card:3"])
    #expect(Set(collection.cards.map(\.note)).count == 3)
  }

  @Test func answersOfOneMillisecondAreKeptInOrder() throws {
    let time: Int64 = 1_700_000_000_000
    let collection = try written(
      StudyFiles(
        cards: ["1", "2", "3"].map { .init(id: $0, prompt: "p", answer: "a") },
        answers: ["2", "1", "3"].map { .init(card: $0, grade: .easy, time: time) }))
    #expect(collection.reviews.map(\.card) == [2, 1, 3])
    #expect(collection.reviews.map(\.id) == [time, time + 1, time + 2])
  }

  @Test func overlappingLogsAreOne() throws {
    let first = study.answers
    let union = StudyFiles(cards: [], answers: Array(first.dropFirst(2)) + first)
    #expect(union.answers == first)
    #expect(union.omitted == ["answers that stand twice": 2])
    // The same time and card with another answer is another answer.
    let other = StudyFiles.Answer(card: "7", grade: .easy, time: 1_700_000_000_000)
    #expect(StudyFiles(cards: [], answers: first + [other]).answers.count == 5)
  }

  @Test func answersAreInTheOrderOfTheirTimesEqualOnesInTheOrderOfTheLog() {
    let answers: [StudyFiles.Answer] = [
      .init(card: "b", grade: .good, time: 5), .init(card: "a", grade: .good, time: 5),
      .init(card: "c", grade: .good, time: 2),
    ]
    #expect(StudyFiles(cards: [], answers: answers).answers.map(\.card) == ["c", "b", "a"])
  }

  @Test func linesAreTheProgramsFormat() throws {
    let study = StudyFiles(
      cards: [.init(id: "1", prompt: "p", answer: "a")],
      answers: [.init(card: "1", grade: .good, time: 1_700_000_000_000)])
    #expect(
      String(decoding: study.cardLines(), as: UTF8.self)
        == #"{"id":"1","prompt":"p","answer":"a"}"# + "\n")
    #expect(
      String(decoding: study.swipeLines(viewer: "ada"), as: UTF8.self)
        == #"{"viewer":"ada","card":"1","answer":"good","event":"1700000000000/1/good","#
        + #""time":1700000000000}"# + "\n")
    #expect(
      try StudyFiles.cards(parsing: study.cardLines(), file: "cards.jsonl") == study.cards)
    #expect(
      try StudyFiles.answers(parsing: study.swipeLines(viewer: "ada"), file: "swipes.jsonl")
        == study.answers)
  }

  @Test func anExportOfAStoreIsReadWithoutWhatWasTakenBack() throws {
    let export = """
      { "viewer": "ada", "events": [
        { "event": 1, "kind": "deal", "card": null, "time": 1, "answer": null, "takenBack": false },
        { "event": 2, "kind": "swipe", "card": "x", "time": 5, "answer": "right", "takenBack": false },
        { "event": 3, "kind": "swipe", "card": "y", "time": 6, "answer": "good", "takenBack": true }
      ] }
      """
    let answers = try StudyFiles.answers(parsing: Array(export.utf8), file: "export.json")
    #expect(answers == [.init(card: "x", grade: .right, time: 5)])
    #expect(throws: AnkiError.self) {
      try StudyFiles.answers(parsing: Array(export.utf8), file: "export.json", viewer: "bea")
    }
  }

  @Test(arguments: [
    (#"{"viewer":"a","card":"1","answer":"good"}"#, "line 1: the key \"time\" is missing"),
    (#"{"viewer":"a","card":"1","answer":"good","time":0}"#, "\"time\" is missing or out of range"),
    (#"{"viewer":"a","card":"1","answer":"like","time":5}"#, "found no answer of the quiz deck"),
    (#"{"viewer":"a","answer":"good","time":5}"#, "the key \"card\" is missing"),
    (#"{"card":"1","answer":"good","time":5}"#, "the key \"viewer\" is missing"),
    ("\n{", "line 2, column 2: "),
    (
      #"{"viewer":"a","card":"1","answer":"good","time":5}"# + "\n"
        + #"{"viewer":"b","card":"1","answer":"good","time":5}"#,
      "line 2: found a second viewer; allowed: one; give --viewer"
    ),
  ])
  func brokenAnswersAreRefused(text: String, message: String) throws {
    let error = #expect(throws: AnkiError.self) {
      try StudyFiles.answers(parsing: Array(text.utf8), file: "s")
    }
    let description = try #require(error).description
    #expect(description.contains(message), "\(description)")
  }

  @Test(arguments: [
    (#"{"id":"1","prompt":"p"}"#, "line 1: $.answer: the key is missing"),
    (#"{"id":"1","prompt":"p","answer":""}"#, "found an empty text"),
    (#"{"id":"1","prompt":"p","answer":"a","tag":[]}"#, "did you mean \"tags\"?"),
    (
      #"{"id":"1","prompt":"p","answer":"a"}"# + "\n" + #"{"id":"1","prompt":"p","answer":"a"}"#,
      "line 2: the card stands twice"
    ),
  ])
  func brokenCardsAreRefused(text: String, message: String) throws {
    let error = #expect(throws: AnkiError.self) {
      try StudyFiles.cards(parsing: Array(text.utf8), file: "c")
    }
    let description = try #require(error).description
    #expect(description.contains(message), "\(description)")
  }

  @Test func nothingIsOverwrittenAndNothingIsLeftBehind() throws {
    let collection = try AnkiCollection(study, at: now, file: "s")
    let path = folder.file("c.anki2")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let exists = #expect(throws: AnkiError.self) { try collection.write(to: path, at: now) }
    #expect(exists?.message == "the file exists; allowed: a new one")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    #expect(throws: AnkiError.self) { try collection.write(to: folder.file("no/c.anki2"), at: now) }
    var twice = collection
    twice.notes += collection.notes
    #expect(throws: AnkiError.self) { try twice.write(to: folder.file("d.anki2"), at: now) }
    #expect(try folder.names == ["c.anki2"])
  }

  @Test func anAnswerAboutAnotherCardIsRefused() throws {
    let answers: [StudyFiles.Answer] = [.init(card: "9", grade: .good, time: 5)]
    let error = #expect(throws: AnkiError.self) {
      try AnkiCollection(StudyFiles(cards: [], answers: answers), at: now, file: "s")
    }
    #expect(error?.place == "answer 1 in the order of time")
    let separator = StudyFiles.Card(id: "1", prompt: "a\u{1f}b", answer: "c")
    #expect(throws: AnkiError.self) {
      try AnkiCollection(StudyFiles(cards: [separator], answers: []), at: now, file: "c")
    }
  }
}
