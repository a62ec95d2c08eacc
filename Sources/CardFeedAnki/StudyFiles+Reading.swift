public import CardFeedConfiguration

extension StudyFiles {
  /// Reads `cards.jsonl`, strictly; every line is read before anything is used.
  ///
  /// - Parameters:
  ///   - bytes: The file, one record a line.
  ///   - file: Its name, for errors.
  /// - Throws: `AnkiError` for the first line that is wrong, and for a card that stands twice.
  public static func cards(
    parsing bytes: [UInt8], file: String
  ) throws(AnkiError) -> [Card] {
    var seen: Set<String> = []
    var cards: [Card] = []
    for (number, value) in try lines(of: bytes, file) {
      let card: Card
      do throws(CardProblem) {
        card = try Card(json: value)
      } catch {
        throw AnkiError(file: file, place: "line \(number)", "\(error.path): \(error.message)")
      }
      guard seen.insert(card.id).inserted else {
        throw AnkiError(
          file: file, place: "line \(number)", "the card stands twice; allowed: each id once")
      }
      cards.append(card)
    }
    return cards
  }

  /// Reads a learner's answers: a file of swipes, one JSON object a line, or what `cardfeed store
  /// export` prints. Answers that were taken back are left out.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - file: Its name, for errors.
  ///   - viewer: Whose answers; nil where the file has those of one viewer only.
  /// - Throws: `AnkiError` for the first place that is wrong, an answer without a time, and a file
  ///   with answers of several viewers where none was named.
  public static func answers(
    parsing bytes: [UInt8], file: String, viewer: String? = nil
  ) throws(AnkiError) -> [Answer] {
    if let document = try? JSONDocument(parsing: bytes), let events = document.root["events"] {
      return try exported(document.root, events, file, viewer)
    }
    var found: String? = viewer
    var answers: [Answer] = []
    for (number, value) in try lines(of: bytes, file) {
      let place = "line \(number)"
      guard let name = value["viewer"]?.string else {
        throw AnkiError(file: file, place: place, "the key \"viewer\" is missing or no text")
      }
      if viewer == nil, let found, found != name {
        throw AnkiError(
          file: file, place: place, "found a second viewer; allowed: one", hint: "give --viewer")
      }
      guard viewer == nil || viewer == name else { continue }
      found = name
      answers.append(try Answer(value, file, place))
    }
    return answers
  }

  private static func exported(
    _ root: JSONValue, _ events: JSONValue, _ file: String, _ viewer: String?
  ) throws(AnkiError) -> [Answer] {
    guard let events = events.array, let name = root["viewer"]?.string else {
      throw AnkiError(
        file: file, "found no list of events with a viewer; allowed: what store export prints")
    }
    guard viewer == nil || viewer == name else {
      throw AnkiError(
        file: file, "the export is another viewer's; allowed: the one of --viewer",
        hint: "name its viewer, or leave --viewer out")
    }
    var answers: [Answer] = []
    for (index, event) in events.enumerated()
    where event["kind"]?.string == "swipe" && event["takenBack"]?.bool != true {
      answers.append(try Answer(event, file, "event \(index + 1)"))
    }
    return answers
  }

  private static func lines(
    of bytes: [UInt8], _ file: String
  ) throws(AnkiError) -> [(number: Int, value: JSONValue)] {
    var values: [(number: Int, value: JSONValue)] = []
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard !line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) else { continue }
      let document: JSONDocument
      do {
        document = try JSONDocument(parsing: Array(line))
      } catch {
        throw AnkiError(
          file: file, place: "line \(index + 1), column \(error.location.column)",
          "\(error.message); found \(error.found), allowed: \(error.allowed)")
      }
      guard document.duplicateKeys.isEmpty else {
        throw AnkiError(file: file, place: "line \(index + 1)", "a key stands twice")
      }
      values.append((index + 1, document.root))
    }
    return values
  }
}

extension StudyFiles.Card {
  /// Reads a record of the quiz deck. What Anki has no place for (skills, difficulty, discrimination,
  /// remark) is checked by the deck, not here, and left out.
  ///
  /// - Throws: A `CardProblem` for the first thing that is wrong.
  public init(json: JSONValue) throws(CardProblem) {
    let record = try CardRecord(
      json,
      keys: [
        "id", "prompt", "answer", "note", "skills", "tags", "order", "difficulty",
        "discrimination", "remark",
      ], of: "a question")
    func needed(_ key: String) throws(CardProblem) -> String {
      guard let text = try record.text(key) else {
        throw record.problem(key, "the key is missing; allowed: a text that is not empty")
      }
      return text
    }
    self.init(
      id: try needed("id"), prompt: try needed("prompt"), answer: try needed("answer"),
      note: try record.text("note"), tags: try record.texts("tags", mayBeEmpty: true),
      order: try record.number(
        "order", in: -1e15...1e15, allowed: "a whole number, -1e15 … 1e15"
      ).map { Int64($0.rounded()) })
  }
}

extension StudyFiles.Answer {
  fileprivate init(_ value: JSONValue, _ file: String, _ place: String) throws(AnkiError) {
    guard let card = value["card"]?.string, !card.isEmpty else {
      throw AnkiError(file: file, place: place, "the key \"card\" is missing or no text")
    }
    guard let grade = (value["answer"]?.string).flatMap(StudyFiles.Grade.init(rawValue:)) else {
      let allowed = StudyFiles.Grade.allCases.map(\.rawValue).joined(separator: ", ")
      throw AnkiError(
        file: file, place: place, "found no answer of the quiz deck; allowed: \(allowed)")
    }
    guard let time = value["time"]?.int64, AnkiCollection.timesAllowed.contains(time) else {
      throw AnkiError(
        file: file, place: place,
        "the key \"time\" is missing or out of range; allowed: milliseconds since 1970")
    }
    self.init(card: card, grade: grade, time: time)
  }
}
