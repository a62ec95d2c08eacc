internal import CardFeed
internal import CardFeedConfiguration

/// What an arm of a replay learns before the first card and between rounds.
extension ExperimentSpecification {
  static let trainingParameters = [
    ParameterDescription(
      "prior", .choice(["none", "other-evenings"]), default: "none",
      help: "What the models of a replay are trained on before the first card."),
    ParameterDescription(
      "refit", .choice(["never", "each-round"]), default: "never",
      help: "Whether the models of a replay are trained anew before every round but the first."),
  ]

  /// Reports what an arm asks of a split that does not replay.
  static func reportTraining(
    _ parameters: Parameters, _ object: JSONObject, at path: JSONPath, split: Split,
    _ reader: inout ConfigurationReader
  ) {
    if case .deckReplay = split { return }
    for (name, usual) in [("prior", "none"), ("refit", "never")]
    where parameters.text(name) != usual {
      reader.report(
        "the key \"\(name)\" belongs to the split \"deck-replay\"", at: path.appending(name),
        object[name]?.location, found: "\"\(parameters.text(name))\"", allowed: "no such key")
    }
  }

  /// An arm's feed in which every training fits everything: people alone cannot be fitted before
  /// there is a model. Nil where the arm's feed has problems, which are reported for it.
  static func priorFeed(
    _ value: JSONValue?, common: JSONObject?, plugins: PluginSet
  ) -> FeedConfiguration? {
    let own = value.map { $0.object } ?? JSONObject()
    guard let own else { return nil }
    return try? FeedConfiguration(
      fittingEverything(merged(own, into: common)), file: "", plugins: plugins)
  }

  private static func fittingEverything(_ value: JSONValue) -> JSONValue {
    if let elements = value.array { return JSONValue(elements.map(fittingEverything)) }
    guard let object = value.object else { return value }
    return JSONValue(
      JSONObject(
        object.members.map { member in
          let isPeople = member.key == "refit" && member.value.string == "people"
          return (member.key, isPeople ? "all" : fittingEverything(member.value))
        }))
  }
}

extension ExperimentSpecification.Arm {
  /// What of an arm decides its figures. What is not asked for is left out.
  var deciding: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", JSONValue(name)), ("seeds", JSONValue(seeds)), ("feed", feed.effective),
    ]
    if let prior { members.append(("prior", prior.effective)) }
    if refitsEachRound { members.append(("refit", "each-round")) }
    return JSONValue(JSONObject(members))
  }
}
