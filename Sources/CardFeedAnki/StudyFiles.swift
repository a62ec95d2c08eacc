public import CardFeedConfiguration

/// Cards of the quiz deck and one learner's answers, as the program's files have them.
///
/// Cards are records of `cards.jsonl`; answers become lines of `swipes.jsonl`, which `cardfeed swipe
/// --recorded --from` takes. An answer's event is made of its time, its card and the answer, so that
/// logs that overlap, and a log that is given twice, count once.
public struct StudyFiles: Hashable, Sendable {
  /// A question with its answer.
  public struct Card: Hashable, Sendable {
    /// Its identity.
    public var id: String
    /// What is asked.
    public var prompt: String
    /// What is right.
    public var answer: String
    /// The note it was made of; nil without siblings.
    public var note: String?
    /// Words to sort it by.
    public var tags: [String]
    /// Its place among new cards.
    public var order: Int64?

    /// A question.
    public init(
      id: String, prompt: String, answer: String, note: String? = nil, tags: [String] = [],
      order: Int64? = nil
    ) {
      self.id = id
      self.prompt = prompt
      self.answer = answer
      self.note = note
      self.tags = tags
      self.order = order
    }

    /// The record, without the keys that are unknown.
    public var json: JSONValue {
      var object: JSONObject = [
        "id": JSONValue(id), "prompt": JSONValue(prompt), "answer": JSONValue(answer),
      ]
      object["note"] = note.map { JSONValue($0) }
      if !tags.isEmpty { object["tags"] = JSONValue(tags.map { JSONValue($0) }) }
      object["order"] = order.map { JSONValue($0) }
      return JSONValue(object)
    }
  }

  /// What a learner can say, by the names of the quiz deck.
  public enum Grade: String, Hashable, Sendable, CaseIterable {
    /// Forgot it.
    case again
    /// Knew it, with effort.
    case hard
    /// Knew it.
    case good
    /// Knew it at once.
    case easy
    /// Not right, where nobody grades.
    case wrong
    /// Right, where nobody grades.
    case right
    /// Does not want to be asked any more.
    case suspend
    /// Wants to be asked again.
    case resume
    /// Does not want to be asked before the next day.
    case bury

    /// The answer of a rating, 1 again … 4 easy; nil for other numbers.
    public init?(rating: Int64) {
      switch rating {
      case 1: self = .again
      case 2: self = .hard
      case 3: self = .good
      case 4: self = .easy
      default: return nil
      }
    }

    /// The rating, 1 … 4; nil for what says nothing of knowledge.
    public var rating: Int64? {
      switch self {
      case .again, .wrong: 1
      case .hard: 2
      case .good, .right: 3
      case .easy: 4
      case .suspend, .resume, .bury: nil
      }
    }
  }

  /// A learner's answer.
  public struct Answer: Hashable, Sendable {
    /// The card's identity.
    public var card: String
    /// What was said.
    public var grade: Grade
    /// When, in milliseconds since 1970.
    public var time: Int64

    /// An answer.
    public init(card: String, grade: Grade, time: Int64) {
      self.card = card
      self.grade = grade
      self.time = time
    }

    /// The line of a file of swipes.
    ///
    /// - Parameter viewer: Who answered.
    public func json(viewer: String) -> JSONValue {
      [
        "viewer": JSONValue(viewer), "card": JSONValue(card), "answer": JSONValue(grade.rawValue),
        "event": JSONValue("\(time)/\(card)/\(grade.rawValue)"), "time": JSONValue(time),
      ]
    }
  }

  /// The cards.
  public var cards: [Card]
  /// The answers in the order of their times, of equal times in the order of the log, none twice.
  public private(set) var answers: [Answer]
  /// What was left out and how often, by a phrase that follows the number.
  public var omitted: [String: Int]

  /// Puts the answers in order and leaves out those that stand twice. O(n log n).
  public init(cards: [Card], answers: [Answer], omitted: [String: Int] = [:]) {
    self.cards = cards
    self.omitted = omitted
    var seen: Set<Answer> = []
    let once = answers.filter { seen.insert($0).inserted }
    self.answers = once.enumerated().sorted { left, right in
      (left.element.time, left.offset) < (right.element.time, right.offset)
    }.map(\.element)
    let repeated = answers.count - once.count
    if repeated > 0 { self.omitted["answers that stand twice", default: 0] += repeated }
  }

  /// The bytes of `cards.jsonl`.
  public func cardLines() -> [UInt8] {
    Array(cards.map { $0.json.bytes() + [0x0a] }.joined())
  }

  /// The bytes of `swipes.jsonl`.
  ///
  /// - Parameter viewer: Who answered.
  public func swipeLines(viewer: String) -> [UInt8] {
    Array(answers.map { $0.json(viewer: viewer).bytes() + [0x0a] }.joined())
  }
}
