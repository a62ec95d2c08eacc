internal import CardFeed
public import CardFeedConfiguration

extension QuizExperiment {
  /// Whether a text is an experiment on answers to questions; false for what cannot be read at all.
  public static func isDescribed(by bytes: [UInt8]) -> Bool {
    guard let root = (try? JSONDocument(parsing: bytes))?.root,
      let use = root.object?["split"]?.object?["use"]?.string
    else { return false }
    return splitDescriptions.contains { $0.use == use }
  }

  /// Reads an experiment on answers to questions.
  ///
  /// - Throws: A `ConfigurationError` with every problem at once.
  public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> QuizExperiment? {
    guard let object = reader.object(root, at: .root) else { return nil }
    let frame = reader.frame(of: object, root, drawn: "students or cards")
    let data = reader.choice("data", .source, of: object, root, among: dataDescriptions)
    let split = reader.choice("split", .slateRule, of: object, root, among: splitDescriptions)
    let answers = data.map(self.data)
    let parts = split.map(self.split)
    if let answers, let parts, let split { check(answers, split: split, parts, object, &reader) }
    let metrics = metrics(object, root, split: parts, &reader)
    let arms = arms(object, root, split: parts, &reader)
    if case .adaptiveTest? = parts, let baseline = object["baseline"], !baseline.isNull {
      reader.report(
        "the key \"baseline\" decides nothing in adaptive tests",
        at: JSONPath.root.appending("baseline"), baseline.location, allowed: "no such key")
    }
    guard reader.hasBaseline(of: object, among: arms?.map(\.name)) else { return nil }
    guard let frame, let data, let split, let answers, let parts, let metrics, let arms else {
      return nil
    }
    return QuizExperiment(
      name: frame.name, summary: frame.summary,
      data: answers, split: parts, metrics: metrics, seed: frame.seed, arms: arms,
      baseline: frame.baseline, resamples: frame.resamples,
      fingerprint: frame.fingerprint(
        data: data, split: split, metrics: metrics,
        arms: arms.map { ["name": JSONValue($0.name), "model": JSONValue($0.fingerprint)] }))
  }

  private static let dataDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "student-answers", .source, summary: "Answers of many students; needs --data DIR.",
      parameters: [
        ParameterDescription("set", .text, help: "The name that the files begin with.")
      ]),
    StrategyDescription(
      "test-answers", .source, summary: "Tests that were taken once; needs --data DIR.",
      parameters: [
        ParameterDescription("sets", .names, help: "The names of the tests.")
      ]),
    StrategyDescription(
      "reviews", .source, summary: "One learner's reviews; needs --data DIR."),
  ]

  private static let splitDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "unseen-students", .slateRule,
      summary: "Predicts each answer of new students from their own earlier answers.",
      parameters: [
        ParameterDescription(
          "twins", .choice(["leave-out", "keep"]), default: "leave-out",
          help: "Whether known students are learned from who are asked under another number.")
      ]),
    StrategyDescription(
      "held-out-answers", .slateRule, summary: "Predicts answers of a test from the others."),
    StrategyDescription(
      "adaptive-test", .slateRule, summary: "Asks each question after the answers before.",
      parameters: [
        ParameterDescription(
          "length", .integer(1...1_000), unit: "questions", default: 20,
          help: "The most questions."),
        ParameterDescription(
          "targetError", .number(0.01...1), default: 0.45,
          help: "The standard error at which a test could end."),
      ]),
    StrategyDescription(
      "later-reviews", .slateRule, summary: "Predicts each fold of reviews from those before.",
      parameters: [
        ParameterDescription(
          "reviews", .choice(["later-days", "every"]), default: "later-days",
          help: "Which are predicted."),
        ParameterDescription(
          "fold", .integer(0...99), default: .null, help: "The only fold; all without."),
      ]),
  ]

  private static func data(_ specification: StrategySpecification) -> Data {
    switch specification.use {
    case "student-answers": .students(set: specification.parameters.text("set"))
    case "test-answers": .tests(sets: specification.parameters.texts("sets"))
    default: .reviews
    }
  }

  private static func split(_ specification: StrategySpecification) -> Split {
    let parameters = specification.parameters
    return switch specification.use {
    case "unseen-students":
      .unseenStudents(leavesTwinsOut: parameters.text("twins") == "leave-out")
    case "held-out-answers": .heldOutAnswers
    case "adaptive-test":
      .adaptiveTest(
        length: parameters.integer("length"), targetError: parameters.number("targetError"))
    default:
      .laterReviews(
        isOfLaterDays: parameters.text("reviews") == "later-days",
        folds: parameters.optionalInteger("fold").map { [$0] })
    }
  }

  /// Each split has its own kind of data.
  private static func check(
    _ data: Data, split: StrategySpecification, _ parts: Split, _ object: JSONObject,
    _ reader: inout ConfigurationReader
  ) {
    let allowed: String
    switch (data, parts) {
    case (.students, .unseenStudents), (.tests, .heldOutAnswers), (.tests, .adaptiveTest),
      (.reviews, .laterReviews):
      return
    case (_, .unseenStudents): allowed = "\"student-answers\""
    case (_, .heldOutAnswers), (_, .adaptiveTest): allowed = "\"test-answers\""
    case (_, .laterReviews): allowed = "\"reviews\""
    }
    reader.report(
      "the data do not belong to the split \"\(split.use)\"",
      at: JSONPath.root.appending("data"), object["data"]?.location,
      allowed: "an object with \"use\": \(allowed)")
  }

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, split: Split?, _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    return reader.arms(of: object, root) { reader, object, element, place in
      let parameters = reader.parameters(
        object, at: place, element.location,
        by: [ParameterDescription("name", .text, help: "The name in the table.")],
        otherKeys: ["model"], strategies: [])
      let model = reader.model(
        of: object, element, at: place, .matchProbability,
        among: QuizModel.descriptions(of: split))
      guard let parameters, let model else { return nil }
      return Arm(
        name: parameters.parameters.text("name"), model: QuizModel(model),
        fingerprint: FeedConfiguration.fingerprint(of: model.effective))
    }
  }
}
