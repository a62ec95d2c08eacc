internal import CardFeed
public import CardFeedConfiguration

extension QuizCard {
  /// The keys of a record, in the order of the documentation.
  private static let keys = [
    "id", "prompt", "answer", "note", "skills", "tags", "order", "difficulty", "discrimination",
    "remark",
  ]

  /// Reads a record. Keys that are absent or `null` are unknown.
  ///
  /// - Throws: A `CardProblem` for the first thing that is wrong.
  public init(json: JSONValue) throws(CardProblem) {
    let record = try CardRecord(json, keys: Self.keys, of: "a question")
    func needed(_ key: String) throws(CardProblem) -> String {
      guard let text = try record.text(key) else {
        throw record.problem(key, "the key is missing; allowed: a text that is not empty")
      }
      return text
    }
    self.init(
      id: CardID(try needed("id")), prompt: try needed("prompt"), answer: try needed("answer"),
      note: try record.text("note"),
      skills: try record.texts("skills", mayBeEmpty: true),
      tags: try record.texts("tags", mayBeEmpty: true),
      order: try record.number(
        "order", in: -1e15...1e15, allowed: "a whole number, -1e15 … 1e15"
      ).map { Int64($0.rounded()) },
      difficulty: try record.number("difficulty", in: -20...20, allowed: "a number, -20 … 20"),
      discrimination: try record.number(
        "discrimination", in: 1e-6...20, allowed: "a number above 0, at most 20"),
      remark: try record.text("remark", mayBeEmpty: true))
  }

  /// The record, without the keys that are unknown.
  public var json: JSONValue {
    var object = JSONObject()
    object["id"] = JSONValue(id.description)
    object["prompt"] = JSONValue(prompt)
    object["answer"] = JSONValue(answer)
    object["note"] = note.map { JSONValue($0) }
    if !skills.isEmpty { object["skills"] = JSONValue(skills.map { JSONValue($0) }) }
    if !tags.isEmpty { object["tags"] = JSONValue(tags.map { JSONValue($0) }) }
    object["order"] = order.map { JSONValue($0) }
    object["difficulty"] = difficulty.map { JSONValue(orNull: $0) }
    object["discrimination"] = discrimination.map { JSONValue(orNull: $0) }
    object["remark"] = remark.map { JSONValue($0) }
    return JSONValue(object)
  }
}
