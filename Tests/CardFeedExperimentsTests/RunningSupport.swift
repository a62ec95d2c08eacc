import CardFeed
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedStandardPlugins

extension ExperimentSpecification {
  init(_ text: String) throws(ConfigurationError) {
    try self.init(parsing: Array(text.utf8), file: "experiment.json", plugins: .standard)
  }

  /// Arms that differ in their rankings, over the dating deck.
  static func text(
    split: String, metrics: [String], arms: [(name: String, seeds: Int, feed: String)],
    data: String = #"{ "use": "generated-dating" }"#
  ) -> String {
    let names = metrics.map { "\"\($0)\"" }.joined(separator: ", ")
    let list = arms.map {
      #"{ "name": "\#($0.name)", "seeds": \#($0.seeds), "feed": {\#($0.feed)} }"#
    }
    return """
      { "version": 1, "name": "test", "data": \(data), "split": \(split), "metrics": [\(names)],
        "seed": 1, "resamples": 100,
        "feed": { "deck": "dating", "hand": { "size": 1, "refillBelow": 1, "ties": "id" },
          "sources": [{ "use": "all" }],
          "filters": [{ "use": "already-swiped" }, { "use": "mutual-preferences" }],
          "matchProbability": { "use": "constant" }, "match": { "use": "mutual-like" } },
        "arms": [\(list.joined(separator: ",\n    "))] }
      """
  }

  /// The feed of an arm that ranks by the strategy of a name.
  static func ranking(_ name: String) -> String { #""ranking": { "use": "\#(name)" }"# }
}

extension ExperimentResult {
  /// The value of a metric of an arm.
  func value(_ metric: String, of arm: String) -> Double? {
    arms.first { $0.name == arm }?.figures.first { $0.metric.description == metric }?.figure.value
  }
}

extension SpeedDatingData {
  /// An evening of which every answer is given: for each woman, whom she says yes to, and for each
  /// man. Women are 1, 2, …, men 11, 12, ….
  static func evening(women: [[Bool]], men: [[Bool]]) throws -> SpeedDatingData {
    var persons: [Person] = []
    var decisions: [Decision] = []
    var pairs: [Pair] = []
    for row in women.indices { persons.append(Person(id: row + 1, wave: 1, gender: .woman)) }
    for row in men.indices { persons.append(Person(id: row + 11, wave: 1, gender: .man)) }
    for (row, hers) in women.enumerated() {
      for (column, yes) in hers.enumerated() {
        let back = men[column][row]
        let id = pairs.count
        pairs.append(
          Pair(
            id: id, wave: 1, woman: row + 1, man: column + 11, womanDecision: yes,
            manDecision: back, timeSplit: .train, foldWave: 0, foldPair: id % 5))
        for (rater, target, decision, gender) in [
          (row + 1, column + 11, yes, Gender.woman), (column + 11, row + 1, back, .man),
        ] {
          decisions.append(
            Decision(
              wave: 1, rater: rater, target: target, decision: decision, pairID: id,
              raterGender: gender, order: 1 + (row + column) % women.count,
              foldDecision: id % 5, foldPair: id % 5, foldWave: 0))
        }
      }
    }
    return try SpeedDatingData(persons: persons, decisions: decisions, pairs: pairs)
  }
}
