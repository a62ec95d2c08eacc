internal import CardFeed

/// The answers of a table's people, as codes.
///
/// A person is one sorted list: for each text that they give or accept, the code of
/// `question=text` and a small number that says which and how important. So what a viewer and a card
/// have in common is found in one pass over the card's list, with reads of two arrays that are made
/// once for a slate: no text is compared, nothing is hashed, and nothing is allocated for a pair.
/// An entry takes twelve bytes, a question with two accepted answers mostly two entries.
struct QuestionColumn: Sendable {
  /// The column of the deck.
  static let name = "questions"

  private static let separator = UInt8(ascii: "=")

  /// Of each row.
  let rows: [NamedNumbers]
  /// For each code the question it belongs to, counted from 0.
  let questions: [Int32]
  let questionCount: Int

  /// Nil when the table lacks the column, as one without cards does. O(texts of all questions).
  init?(_ table: CardTable<DatingDeck>) {
    guard case .numbers(let rows, let names)? = table.column(Self.name) else { return nil }
    self.rows = rows
    var known: [[UInt8]: Int32] = [:]
    questions = names.names.map { name in
      let question = Array(name.utf8.prefix { $0 != Self.separator })
      if let place = known[question] { return place }
      let place = Int32(known.count)
      known[question] = place
      return place
    }
    questionCount = known.count
  }

  /// A person's entries, as the column holds them. Every entry says how important its question is,
  /// so that none has to be looked up in another one.
  static func entries(of person: Person) -> [String: Double] {
    var entries: [String: Double] = [:]
    for (question, said) in person.questions where !question.utf8.contains(separator) {
      for text in said.accepts {
        entries["\(question)=\(text)"] =
          Entry(isOwn: text == said.answer, isAccepted: true, importance: said.importance).number
      }
      if !said.accepts.contains(said.answer) {
        entries["\(question)=\(said.answer)"] =
          Entry(isOwn: true, isAccepted: false, importance: said.importance).number
      }
    }
    return entries
  }

  /// What is said about one text of one question.
  struct Entry {
    /// Whether it is the person's own answer.
    let isOwn: Bool
    /// Whether the person would like to hear it.
    let isAccepted: Bool
    /// Of the question.
    let importance: QuestionAnswer.Importance

    init(isOwn: Bool, isAccepted: Bool, importance: QuestionAnswer.Importance) {
      self.isOwn = isOwn
      self.isAccepted = isAccepted
      self.importance = importance
    }

    init(_ number: Double) {
      let bits = Int(number)
      isOwn = bits & 1 != 0
      isAccepted = bits & 2 != 0
      importance = QuestionAnswer.Importance(rawValue: bits >> 2) ?? .irrelevant
    }

    /// A whole number, which a fraction of 64 bits holds exactly.
    var number: Double {
      Double((isOwn ? 1 : 0) | (isAccepted ? 2 : 0) | importance.rawValue << 2)
    }
  }
}
