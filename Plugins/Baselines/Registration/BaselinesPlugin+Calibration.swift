internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  /// Registers what makes probabilities of other strategies' numbers.
  static func registerCalibration<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(matchProbability: calibrated) { parameters, context in
      let specification = parameters.strategy("of")
      let method = CalibrationMethod(rawValue: parameters.text("method")) ?? .isotonic
      let least = parameters.optionalInteger("least") ?? method.leastAnswers
      let identity =
        "calibrated/1 method=\(method.rawValue) least=\(least) of=\(text(specification))"
      return CalibratedProbability(
        of: try context.registry.matchProbability(specification, context), method: method,
        least: least,
        slot: try context.slot(
          for: identity, path: parameters.optionalText("model"), of: CalibrationModel.self)
      ) { states in
        try context.registry.matchProbability(
          specification,
          BuildContext(
            deck: context.deck, states: states, safety: context.safety,
            pageLoader: context.pageLoader, registry: context.registry, models: context.models))
      }
    }
  }

  /// Everything that decides what a strategy says, but not where its model lies.
  private static func text(_ specification: StrategySpecification) -> String {
    String(decoding: withoutModels(specification.effective).canonicalBytes(), as: UTF8.self)
  }

  private static func withoutModels(_ json: JSONValue) -> JSONValue {
    guard let object = json.object else { return json }
    let members = object.members.filter { $0.key != "model" }
    return JSONValue(JSONObject(members.map { ($0.key, withoutModels($0.value)) }))
  }

  private static var calibrated: StrategyDescription {
    StrategyDescription(
      "calibrated", .matchProbability,
      summary: "Makes the numbers of another strategy probabilities: of 30 %, about 30 % match.",
      discussion: "Fitted to pairs that the other strategy has not seen: five folds if it is "
        + "trained, the last third of the log if it learns, all pairs if it does neither. "
        + "\"isotonic\" is a step function (Barlow et al. 1972; Zadrozny and Elkan 2002), \"platt\" "
        + "a logistic one (Platt 1999; Lin, Lin and Weng 2007). In a deck with one side the outcome "
        + "is the viewer's own answer, predicted as of its moment. With too few pairs in which both "
        + "have answered, or too few such answers, numbers stay what they are. Needs training: "
        + "cardfeed train, or feed.train().",
      parameters: [
        ParameterDescription(
          "of", .strategy(.matchProbability), help: "The strategy whose numbers are calibrated."),
        ParameterDescription(
          "method", .choice(CalibrationMethod.allCases.map(\.rawValue)), default: "isotonic",
          help: "The function: of any shape that never falls, or logistic."),
        ParameterDescription(
          "least", .integer(20...1_000_000_000), unit: "outcomes", default: .null,
          help: "Known outcomes that are enough, of pairs or in a deck with one side of answers; "
            + "null is 1000 for isotonic, 200 for platt."),
        ParameterDescription(
          "model", .text, default: .null, help: "The file of a trained model to begin with."),
      ])
  }
}
