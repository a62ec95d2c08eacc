internal import CardFeed
internal import CardFeedConfiguration

extension BanditsPlugin {
  /// How a ranking forgets. One of the two at most, since they are two answers to one question.
  static var spans: [ParameterDescription] {
    [
      ParameterDescription(
        "halfLifeDays", .number(0.001...36_500), unit: "days", default: .null,
        help: "After how many days an answer weighs half as much, in steps of half of them; null "
          + "forgets nothing."),
      ParameterDescription(
        "windowDays", .number(0.001...36_500), unit: "days", default: .null,
        help: "How many days count at all, in steps of a twelfth of them; null is all time."),
    ]
  }

  func forgetting(_ parameters: Parameters, _ ranking: String) throws -> Forgetting? {
    let halfLife = parameters.optionalNumber("halfLifeDays")
    let window = parameters.optionalNumber("windowDays")
    guard halfLife == nil || window == nil else {
      throw FeedError(
        .badInput, "the ranking '\(ranking)' has a \"halfLifeDays\" and a \"windowDays\"",
        hint: "leave one of them out")
    }
    return halfLife.map { .halfLife(days: $0) } ?? window.map { .window(days: $0) }
  }
}
