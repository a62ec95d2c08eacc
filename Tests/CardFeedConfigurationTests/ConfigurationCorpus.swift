import CardFeedConfiguration
import Testing

/// Configurations that are right, and configurations that are wrong, each with its problems in the
/// decoder's words. The JSON Schema is asked about all of them too.
enum ConfigurationCorpus {
  struct Wrong: CustomTestStringConvertible {
    let name: String
    let text: String
    let problems: [String]
    /// Whether it is one of the faults that a schema cannot express.
    let isBeyondSchema: Bool

    init(_ name: String, _ text: String, beyondSchema: Bool = false, _ problems: String...) {
      self.name = name
      self.text = text
      self.problems = problems
      isBeyondSchema = beyondSchema
    }

    var testDescription: String { name }
  }

  struct Right: CustomTestStringConvertible {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }

    var testDescription: String { name }
  }

  static let right: [Right] = [
    Right(
      "nothing but the deck",
      #"{"version": 1, "deck": "dating"}"#),
    Right(
      "a whole number written with a point",
      #"{"version": 1, "deck": "dating", "hand": {"size": 2.0, "refillBelow": 1}}"#),
    Right(
      "a hand smaller than the default refill",
      #"{"version": 1, "deck": "dating", "hand": {"size": 1}}"#),
    Right(
      "no time budget",
      #"{"version": 1, "deck": "dating", "hand": {"timeBudgetMilliseconds": null}}"#),
    Right(
      "a time budget",
      #"""
      {"version": 1, "deck": "dating", "hand": {"timeBudgetMilliseconds": 50, "unscored": \#
      "exclude"}}
      """#),
    Right(
      "weights of columns",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "weighted", "terms": \#
      {"match-probability": 1, "random": -0.1}}}
      """#),
    Right(
      "a ranking inside a ranking",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "likers-first", "then": {"use": \#
      "likers-first", "then": {"use": "random"}}}}
      """#),
    Right(
      "some answers",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      ["like"], "negativeReturnsAfterDays": 7}]}
      """#),
    Right(
      "the same filter with two meanings",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      ["like"]}, {"use": "already-swiped", "answers": ["pass"], \#
      "negativeReturnsAfterDays": 1.5}]}
      """#),
    Right(
      "variants for everybody",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0.1}, {"name": \#
      "b", "share": 0.9, "set": {"hand": {"size": 9}, "slate": [{"use": "softmax", \#
      "temperature": 0.1}], "match": {"use": "threshold", "least": 0}}}], "salt": "x"}
      """#),
    Right(
      "a file store",
      #"""
      {"version": 1, "deck": "dating", "store": {"use": "sqlite", "path": "a b.db", \#
      "synchronous": "normal"}, "seed": 9223372036854775807, "sessions": 1, "trace": \#
      {"share": 1}}
      """#),
    Right(
      "limits of a day",
      #"""
      {"version": 1, "deck": "dating", "quotas": [{"use": "daily-quota", "answers": ["like", \#
      "super-like"], "perDay": 10, "zoneColumn": "zone"}, {"use": "daily-quota", \#
      "answers": ["super-like"], "perDay": 1, "zone": "+02:00"}]}
      """#),
    Right(
      "a page source",
      #"""
      {"version": 1, "deck": "dating", "sources": [{"use": "page", "pageSize": 5, "limit": \#
      10}]}
      """#),
  ]

  private static let names: [Wrong] = [
    Wrong(
      "unknown key",
      #"{"version": 1, "deck": "dating", "rankin": {"use": "random"}}"#,
      #"""
      line 1, column 34, $.rankin: unknown key "rankin"; allowed: "version", "deck", \#
      "store", "seed", "sessions", "trace", "hand", "sources", "filters", \#
      "matchProbability", "ranking", "slate", "match", "quotas", "variants", "salt"; did \#
      you mean "ranking"?
      """#),
    Wrong(
      "unknown key in a part",
      #"{"version": 1, "deck": "dating", "hand": {"sizes": 3}}"#,
      #"""
      line 1, column 43, $.hand.sizes: unknown key "sizes"; allowed: "size", \#
      "refillBelow", "rewind", "ties", "unscored", "batches", "timeBudgetMilliseconds"; \#
      did you mean "size"?
      """#),
    Wrong(
      "unknown parameter",
      #"""
      {"version": 1, "deck": "dating", "slate": [{"use": "epsilon", "epsilon": 0.1, \#
      "share": 2}]}
      """#,
      #"""
      line 1, column 79, $.slate[0].share: unknown key "share"; allowed: "use", "epsilon"
      """#),
    Wrong(
      "unknown name",
      #"{"version": 1, "deck": "dating", "ranking": {"use": "popularty"}}"#,
      #"""
      line 1, column 53, $.ranking.use: unknown ranking "popularty"; allowed: \#
      \#(PluginSet.names(of: .ranking)); did you \#
      mean "popularity"?
      """#),
    Wrong(
      "unknown name without a near one",
      #"{"version": 1, "deck": "dating", "ranking": {"use": "x"}}"#,
      #"""
      line 1, column 53, $.ranking.use: unknown ranking "x"; allowed: \#
      \#(PluginSet.names(of: .ranking))
      """#),
    Wrong(
      "wrong kind of strategy",
      #"{"version": 1, "deck": "dating", "sources": [{"use": "random"}]}"#,
      #"""
      line 1, column 54, $.sources[0].use: "random" is a ranking, not a source; allowed: \#
      \#(PluginSet.names(of: .source))
      """#),
    Wrong(
      "no strategy object",
      #"{"version": 1, "deck": "dating", "ranking": "random"}"#,
      #"""
      line 1, column 45, $.ranking: must be an object; found a string; allowed: an object
      """#),
    Wrong(
      "missing use",
      #"{"version": 1, "deck": "dating", "ranking": {}}"#,
      #"""
      line 1, column 45, $.ranking: missing key "use", the name of a ranking; allowed: \#
      \#(PluginSet.names(of: .ranking))
      """#),
    Wrong(
      "use is no text",
      #"{"version": 1, "deck": "dating", "ranking": {"use": 3}}"#,
      #"""
      line 1, column 53, $.ranking.use: must be the name of a ranking; found a number; \#
      allowed: \#(PluginSet.names(of: .ranking))
      """#),
    Wrong(
      "no list",
      #"{"version": 1, "deck": "dating", "filters": {"use": "self"}}"#,
      #"""
      line 1, column 45, $.filters: must be a list; found an object; allowed: a list of \#
      filters
      """#),
    Wrong(
      "missing parameter",
      #"{"version": 1, "deck": "dating", "slate": [{"use": "epsilon"}]}"#,
      #"""
      line 1, column 44, $.slate[0]: missing key "epsilon"; allowed: a number, 0 … 1
      """#),
    Wrong(
      "wrong type",
      #"{"version": 1, "deck": "dating", "hand": {"size": "5"}}"#,
      #"""
      line 1, column 51, $.hand.size: wrong value; found "5"; allowed: a whole number, 1 … \#
      1000
      """#),
    Wrong(
      "wrong type of a flag of a text",
      #"{"version": 1, "deck": "dating", "store": {"use": "sqlite", "path": ""}}"#,
      #"""
      line 1, column 69, $.store.path: wrong value; found ""; allowed: a text that is not \#
      empty
      """#),
    Wrong(
      "fraction for a whole number",
      #"{"version": 1, "deck": "dating", "hand": {"size": 2.5}}"#,
      #"""
      line 1, column 51, $.hand.size: wrong value; found 2.5; allowed: a whole number, 1 … \#
      1000
      """#),
    Wrong(
      "out of range",
      #"{"version": 1, "deck": "dating", "hand": {"size": 1001}}"#,
      #"""
      line 1, column 51, $.hand.size: wrong value; found 1001; allowed: a whole number, 1 \#
      … 1000
      """#),
    Wrong(
      "out of range, number",
      #"""
      {"version": 1, "deck": "dating", "matchProbability": {"use": "constant", "value": \#
      -0.1}}
      """#,
      #"""
      line 1, column 83, $.matchProbability.value: wrong value; found -0.1; allowed: a \#
      number, 0 … 1
      """#),
    Wrong(
      "not above zero",
      #"""
      {"version": 1, "deck": "dating", "slate": [{"use": "softmax", "temperature": 0}]}
      """#,
      #"""
      line 1, column 78, $.slate[0].temperature: wrong value; found 0; allowed: a number, \#
      above 0
      """#),
  ]

  static let wrong = names + values + wholes
}
