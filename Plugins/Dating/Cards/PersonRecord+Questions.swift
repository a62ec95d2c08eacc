internal import CardFeed
internal import CardFeedConfiguration

extension PersonRecord {
  /// Answers by question. Error texts name the question and never an answer.
  func questions(_ key: String) throws(CardProblem) -> [String: QuestionAnswer] {
    try named(key, allowed: "an object of answers by question") {
      path, value throws(CardProblem) in
      try QuestionRecord(path: path, value: value).answer
    }
  }
}

extension QuestionAnswer {
  /// The answer in a person's record, without what is hoped for where anything will do.
  var json: JSONValue {
    var object: JSONObject = ["answer": JSONValue(answer)]
    if !accepts.isEmpty { object["accepts"] = JSONValue(accepts.map { JSONValue($0) }) }
    object["importance"] = JSONValue(importance.rawValue)
    return JSONValue(object)
  }
}

/// Reads what a person said to one question.
private struct QuestionRecord {
  static let keys = ["answer", "accepts", "importance"]

  let path: JSONPath
  let value: JSONValue

  var answer: QuestionAnswer {
    get throws(CardProblem) {
      let allowed = "an object with \"answer\", \"accepts\" and \"importance\""
      guard let object = value.object else {
        throw problem("found \(value.kind); allowed: \(allowed)")
      }
      guard object.members.allSatisfy({ Self.keys.contains($0.key) }) else {
        throw problem("a key is unknown; allowed: \(allowed)")
      }
      guard let answer = object["answer"]?.string, !answer.isEmpty else {
        throw problem("the answer is missing or not a text; allowed: a text that is not empty")
      }
      let importance = try importance(object["importance"])
      let accepts = try accepts(object["accepts"])
      guard !accepts.isEmpty || importance == .irrelevant else {
        throw problem(
          "no answer is accepted; allowed: a list of at least one in \"accepts\", or the "
            + "importance 0")
      }
      // One would replace the other where both stand under one name.
      let twin = accepts.first { $0 == answer }
      guard twin.map({ $0.utf8.elementsEqual(answer.utf8) }) ?? true else {
        throw problem("two answers differ in their Unicode form only; allowed: one of the forms")
      }
      return QuestionAnswer(answer: answer, accepts: accepts, importance: importance)
    }
  }

  private func importance(_ value: JSONValue?) throws(CardProblem) -> QuestionAnswer.Importance {
    guard let value, !value.isNull else { return .irrelevant }
    let points = value.double.flatMap { Int(exactly: $0) }
    guard let importance = points.flatMap(QuestionAnswer.Importance.init) else {
      throw problem("the importance is not one of the points; allowed: 0, 1, 10, 50, 250")
    }
    return importance
  }

  private func accepts(_ value: JSONValue?) throws(CardProblem) -> [String] {
    guard let value, !value.isNull else { return [] }
    let texts = (value.array ?? []).map { $0.string ?? "" }
    guard value.array != nil, !texts.contains("") else {
      throw problem(
        "the accepted answers are not a list of texts; allowed: a list of texts that are not "
          + "empty")
    }
    guard Set(texts).count == texts.count else {
      throw problem("an accepted answer stands there twice; allowed: each once")
    }
    return texts
  }

  private func problem(_ message: String) -> CardProblem {
    CardProblem(path: path, location: value.location, message: message)
  }
}
