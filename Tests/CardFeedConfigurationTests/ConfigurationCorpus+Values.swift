import CardFeedConfiguration

extension ConfigurationCorpus {
  static let values: [Wrong] = [
    Wrong(
      "null where it means nothing",
      #"{"version": 1, "deck": "dating", "hand": {"size": null}}"#,
      #"""
      line 1, column 51, $.hand.size: wrong value; found null; allowed: a whole number, 1 \#
      … 1000
      """#),
    Wrong(
      "unknown choice",
      #"{"version": 1, "deck": "dating", "hand": {"ties": "seedet"}}"#,
      #"""
      line 1, column 51, $.hand.ties: unknown name "seedet"; allowed: "seeded", "id"; did \#
      you mean "seeded"?
      """#),
    Wrong(
      "choice of another type",
      #"{"version": 1, "deck": "dating", "hand": {"ties": true}}"#,
      #"""
      line 1, column 51, $.hand.ties: wrong value; found true; allowed: "seeded", "id"
      """#),
    Wrong(
      "zero weight",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "weighted", "terms": {"random": \#
      0.0, "age": 1}}}
      """#,
      #"""
      line 1, column 85, $.ranking.terms.random: a weight of 0 switches the term off \#
      silently; found 0; allowed: a number other than 0, or no such key
      """#),
    Wrong(
      "weight of another type",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "weighted", "terms": {"random": \#
      "1"}}}
      """#,
      #"""
      line 1, column 85, $.ranking.terms.random: wrong value; found "1"; allowed: a number \#
      other than 0
      """#),
    Wrong(
      "no weights",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "weighted", "terms": {}}}
      """#,
      #"""
      line 1, column 74, $.ranking.terms: wrong value; found an object; allowed: an object \#
      of numbers other than 0
      """#),
    Wrong(
      "misspelt answer",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      ["like", "superlike"]}]}
      """#,
      #"""
      line 1, column 92, $.filters[0].answers[1]: unknown name "superlike"; allowed: \#
      "like", "pass", "super-like"; did you mean "super-like"?
      """#),
    Wrong(
      "answer twice",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      ["like", "like"]}]}
      """#,
      #"""
      line 1, column 92, $.filters[0].answers[1]: "like" stands twice; allowed: each name \#
      once
      """#),
    Wrong(
      "no answers",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      []}]}
      """#,
      #"""
      line 1, column 83, $.filters[0].answers: wrong value; found an array; allowed: a \#
      list of one or more of "like", "pass", "super-like", each once
      """#),
    Wrong(
      "answer of another type",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "already-swiped", "answers": \#
      [1]}]}
      """#,
      #"""
      line 1, column 84, $.filters[0].answers[0]: wrong value; found 1; allowed: a list of \#
      one or more of "like", "pass", "super-like", each once
      """#),
    Wrong(
      "nested strategy",
      #"""
      {"version": 1, "deck": "dating", "ranking": {"use": "likers-first", "then": {"use": \#
      "weighted", "term": {}}}}
      """#,
      #"""
      line 1, column 77, $.ranking.then: missing key "terms"; allowed: an object of \#
      numbers other than 0
      """#,
      #"""
      line 1, column 97, $.ranking.then.term: unknown key "term"; allowed: "use", "terms"; \#
      did you mean "terms"?
      """#),
  ]

  static let wholes: [Wrong] = [
    Wrong(
      "duplicate key",
      #"{"version": 1, "deck": "dating", "salt": "a", "salt": "b"}"#, beyondSchema: true,
      #"""
      line 1, column 47, $.salt: the key stands twice; the first is at line 1, column 34; \#
      allowed: each key once
      """#),
    Wrong(
      "duplicate key inside",
      #"{"version": 1, "deck": "dating", "hand": {"size": 3, "size": 4}}"#, beyondSchema: true,
      #"""
      line 1, column 54, $.hand.size: the key stands twice; the first is at line 1, column \#
      43; allowed: each key once
      """#),
    Wrong(
      "missing version",
      #"{"deck": "dating"}"#,
      #"line 1, column 1, $: missing key "version"; allowed: 1"#),
    Wrong(
      "unknown version",
      #"{"version": 2, "deck": "dating"}"#,
      #"line 1, column 13, $.version: unknown version; found 2; allowed: 1"#),
    Wrong(
      "version of another type",
      #"{"version": "1", "deck": "dating"}"#,
      #"line 1, column 13, $.version: unknown version; found a string; allowed: 1"#),
    Wrong(
      "missing deck",
      #"{"version": 1}"#,
      #"""
      line 1, column 1, $: missing key "deck", so that nothing else could be checked; \#
      allowed: "dating", "quiz", "product"
      """#),
    Wrong(
      "unknown deck",
      #"{"version": 1, "deck": "Dating"}"#,
      #"""
      line 1, column 24, $.deck: unknown deck "Dating", so that nothing else could be \#
      checked; allowed: "dating", "quiz", "product"; did you mean "dating"?
      """#),
    Wrong(
      "deck of another type",
      #"{"version": 1, "deck": ["dating"]}"#,
      #"""
      line 1, column 24, $.deck: must be the name of a deck; found an array; allowed: \#
      "dating", "quiz", "product"
      """#),
    Wrong(
      "no object",
      #"[1]"#,
      #"line 1, column 1, $: must be an object; found an array; allowed: an object"#),
    Wrong(
      "no sources",
      #"{"version": 1, "deck": "dating", "sources": []}"#,
      #"""
      line 1, column 45, $.sources: a feed needs at least one source; found none; allowed: \#
      a list of one or more sources
      """#),
    Wrong(
      "repeated filter",
      #"""
      {"version": 1, "deck": "dating", "filters": [{"use": "self"}, {"use": \#
      "already-dealt"}, {"use": "already-dealt", "forHours": null}]}
      """#, beyondSchema: true,
      #"""
      line 1, column 89, $.filters[2]: the filter "already-dealt" stands twice with the \#
      same parameters; allowed: each filter once
      """#),
    Wrong(
      "refill above the size",
      #"{"version": 1, "deck": "dating", "hand": {"size": 2, "refillBelow": 3}}"#,
      beyondSchema: true,
      #"""
      line 1, column 69, $.hand.refillBelow: a hand cannot be refilled below more cards \#
      than it holds; found 3; allowed: 1 … 2, the size of the hand
      """#),
    Wrong(
      "shares above one",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0.6}, {"name": \#
      "b", "share": 0.5}]}
      """#, beyondSchema: true,
      #"""
      line 1, column 46, $.variants: the shares add up to more than everybody; found 1.1; \#
      allowed: a sum of 1 at most; the rest of the viewers get the base
      """#),
    Wrong(
      "a share of nobody",
      #"{"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0}]}"#,
      #"""
      line 1, column 70, $.variants[0].share: wrong value; found 0; allowed: a number, \#
      above 0, at most 1
      """#),
    Wrong(
      "variant name twice",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0.1}, {"name": \#
      "a", "share": 0.1}]}
      """#, beyondSchema: true,
      #"""
      line 1, column 85, $.variants[1].name: two variants are called "a"; allowed: a name \#
      of its own for each variant
      """#),
    Wrong(
      "variant without a name",
      #"{"version": 1, "deck": "dating", "variants": [{"share": 0.1}]}"#,
      #"""
      line 1, column 47, $.variants[0]: missing key "name"; allowed: a text that is not \#
      empty
      """#),
    Wrong(
      "variants is no list",
      #"{"version": 1, "deck": "dating", "variants": {}}"#,
      #"""
      line 1, column 46, $.variants: must be a list; found an object; allowed: a list of \#
      variants
      """#),
    Wrong(
      "wrong value in a variant",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0.1, "set": \#
      {"ranking": {"use": "rand"}}}]}
      """#,
      #"""
      line 1, column 102, $.variants[0].set.ranking.use: unknown ranking "rand"; allowed: \#
      \#(PluginSet.names(of: .ranking)); did you \#
      mean "random"?
      """#),
    Wrong(
      "unknown key in a variant",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "share": 0.1, "set": \#
      {"store": {"use": "memory"}}}]}
      """#,
      #"""
      line 1, column 83, $.variants[0].set.store: unknown key "store"; allowed: "hand", \#
      "sources", "filters", "matchProbability", "ranking", "slate", "match", "quotas"
      """#),
    Wrong(
      "variant key",
      #"""
      {"version": 1, "deck": "dating", "variants": [{"name": "a", "shares": 0.1, "set": \#
      {}}]}
      """#,
      #"""
      line 1, column 47, $.variants[0]: missing key "share"; allowed: a number, above 0, \#
      at most 1
      """#,
      #"""
      line 1, column 61, $.variants[0].shares: unknown key "shares"; allowed: "set", \#
      "name", "share"; did you mean "share"?
      """#),
    Wrong(
      "salt of another type",
      #"{"version": 1, "deck": "dating", "salt": 1}"#,
      #"line 1, column 42, $.salt: wrong value; found a number; allowed: a text"#),
    Wrong(
      "seed below zero",
      #"{"version": 1, "deck": "dating", "seed": -1}"#,
      #"""
      line 1, column 42, $.seed: wrong value; found -1; allowed: a whole number, 0 … \#
      9223372036854775807
      """#),
    Wrong(
      "seed too great",
      #"{"version": 1, "deck": "dating", "seed": 9223372036854775808}"#,
      #"""
      line 1, column 42, $.seed: wrong value; found 9223372036854775808; allowed: a whole \#
      number, 0 … 9223372036854775807
      """#),
    Wrong(
      "trace share",
      #"{"version": 1, "deck": "dating", "trace": {"share": 2}}"#,
      #"""
      line 1, column 53, $.trace.share: wrong value; found 2; allowed: a number, 0 … 1
      """#),
    Wrong(
      "no sessions",
      #"{"version": 1, "deck": "dating", "sessions": 0}"#,
      #"""
      line 1, column 46, $.sessions: wrong value; found 0; allowed: a whole number, 1 … \#
      100000000
      """#),
    Wrong(
      "unknown store",
      #"{"version": 1, "deck": "dating", "store": {"use": "sqlit", "path": "x"}}"#,
      #"""
      line 1, column 51, $.store.use: unknown store "sqlit"; allowed: "memory", "sqlite"; \#
      did you mean "sqlite"?
      """#),
    Wrong(
      "store without its path",
      #"{"version": 1, "deck": "dating", "store": {"use": "sqlite"}}"#,
      #"""
      line 1, column 43, $.store: missing key "path"; allowed: a text that is not empty
      """#),
  ]
}
