internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments

/// An audit as text and as JSON.
struct AuditOutput {
  let audit: ExposureAudit
  let report: ExposureReport
  let scored: [ScoredFeatures]
  let isSensitive: (String) -> Bool

  private var isEmpty: Bool { report.groups.isEmpty && report.peopleLeftOut == 0 }

  func print(to context: CommandContext) throws {
    if isEmpty {
      context.note("the store has no cards")
    } else {
      try context.write(table, format: "text")
      let window = audit.days.map { "in the last \(Self.text($0)) days" } ?? "in the whole log"
      try context.print(
        "shown: \(audit.counting.rawValue) \(window); starved: shown fewer than "
          + "\(audit.fewerThan) times; brackets: 95 % intervals")
      if report.peopleLeftOut > 0 {
        try context.print(
          "left out: \(report.peopleLeftOut) people, in groups of fewer than "
            + "\(audit.smallestGroup)")
      }
    }
    for (group, starved) in zip(report.groups, report.starved ?? []) {
      for id in starved { try context.print("starved, \(group.name): \(id)") }
    }
    for strategy in scored {
      let features = strategy.features.isEmpty ? "answers only" : names(strategy.features)
      let missing = strategy.lacksModel ? "; its model is not at hand, and may score more" : ""
      try context.print("\(strategy.strategy) scores \(features)\(missing)")
    }
    let sensitive = sensitive
    try context.print(
      sensitive.isEmpty
        ? "nothing that is scored is sensitive, as far as names tell"
        : "sensitive, by name: \(names(sensitive))")
  }

  private func names(_ features: [String]) -> String { features.joined(separator: ", ") }

  private var sensitive: [String] {
    var known = Set<String>()
    return scored.flatMap(\.features).filter { isSensitive($0) && known.insert($0).inserted }
  }

  private var table: TextTable {
    var table = TextTable([
      audit.grouping.name, "people", "shown", "shown each", "gini", "liked", "matches each",
      "with match", "starved",
    ])
    for group in report.groups + (report.groups.count > 1 ? [report.all] : []) {
      table.append([
        .text(group.name), .integer(group.people), .integer(group.shown),
        .text(Self.text(group.shownPerPerson, decimals: 1)), .number(group.gini, decimals: 3),
        .optional(group.likeShare, decimals: 3),
        .text(Self.text(group.matchesPerPerson, decimals: 2)),
        .text(Self.text(group.matchedShare, decimals: 3)),
        .text("\(group.starved) (\(TableCell.fixed(100 * group.starvedShare, decimals: 1)) %)"),
      ])
    }
    return table
  }

  private static func text(_ estimate: ExposureReport.Estimate, decimals: Int) -> String {
    func fixed(_ number: Double) -> String { TableCell.fixed(number, decimals: decimals) }
    guard let low = estimate.low, let high = estimate.high else { return fixed(estimate.value) }
    return "\(fixed(estimate.value)) [\(fixed(low)), \(fixed(high))]"
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  var json: JSONValue {
    [
      "by": JSONValue(audit.grouping.name),
      "bounds": JSONValue(audit.grouping.bounds.map { JSONValue(orNull: $0) }),
      "count": JSONValue(audit.counting.rawValue),
      "days": JSONValue(orNull: audit.days),
      "fewerThan": JSONValue(audit.fewerThan),
      "smallestGroup": JSONValue(audit.smallestGroup),
      "groups": JSONValue(
        report.groups.enumerated().map { index, group in
          json(group, starved: report.starved?[index])
        }),
      "all": json(report.all, starved: nil),
      "peopleLeftOut": JSONValue(report.peopleLeftOut),
      "scored": JSONValue(
        scored.map { strategy in
          [
            "strategy": JSONValue(strategy.strategy),
            "features": JSONValue(strategy.features.map { JSONValue($0) }),
            "lacksModel": JSONValue(strategy.lacksModel),
          ] as JSONValue
        }),
      "sensitive": JSONValue(sensitive.map { JSONValue($0) }),
    ]
  }

  private func json(_ group: ExposureReport.Group, starved: [CardID]?) -> JSONValue {
    var object = JSONObject([
      ("name", JSONValue(group.name)), ("people", JSONValue(group.people)),
      ("shown", JSONValue(group.shown)), ("shownPerPerson", json(group.shownPerPerson)),
      ("gini", JSONValue(orNull: group.gini)), ("answers", JSONValue(group.answers)),
      ("likes", JSONValue(group.likes)),
      ("likeShare", JSONValue(orNull: group.likeShare)),
      ("matches", JSONValue(group.matches)),
      ("matchesPerPerson", json(group.matchesPerPerson)),
      ("matchedShare", json(group.matchedShare)), ("starved", JSONValue(group.starved)),
      ("starvedShare", JSONValue(orNull: group.starvedShare)),
    ])
    if let starved {
      object["starvedPeople"] = JSONValue(starved.map { JSONValue($0.description) })
    }
    return JSONValue(object)
  }

  private func json(_ estimate: ExposureReport.Estimate) -> JSONValue {
    [
      "value": JSONValue(orNull: estimate.value),
      "low": JSONValue(orNull: estimate.low),
      "high": JSONValue(orNull: estimate.high),
    ]
  }
}
