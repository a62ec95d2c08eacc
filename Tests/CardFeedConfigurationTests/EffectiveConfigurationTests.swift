import CardFeed
import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation
import Testing

/// Defaults spelled out, and the fingerprint of what decides.
@Suite struct EffectiveConfigurationTests {
  @Test func everyDefaultIsSpelledOut() throws {
    let configuration = try FeedConfiguration(#"{"deck": "dating", "version": 1}"#)
    #expect(
      String(decoding: configuration.effective.bytes(.pretty), as: UTF8.self) == """
        {
          "version": 1,
          "deck": "dating",
          "store": {
            "use": "memory"
          },
          "seed": 0,
          "sessions": 10000,
          "trace": {
            "share": 0.0
          },
          "hand": {
            "size": 5,
            "refillBelow": 3,
            "rewind": 20,
            "ties": "seeded",
            "unscored": "last",
            "batches": 32,
            "timeBudgetMilliseconds": null
          },
          "sources": [
            {
              "use": "likes-received",
              "limit": 2000
            },
            {
              "use": "all",
              "limit": 2000
            }
          ],
          "filters": [
            {
              "use": "already-swiped",
              "answers": [
                "like",
                "pass",
                "super-like"
              ],
              "negativeReturnsAfterDays": null,
              "neutralReturnsAfterDays": null
            },
            {
              "use": "blocked"
            },
            {
              "use": "legal-age",
              "years": 18,
              "unknown": "remove",
              "zone": "UTC",
              "leapDay": "march-1"
            },
            {
              "use": "mutual-preferences",
              "whenExhausted": "stop",
              "standingLikes": "honour",
              "zone": "UTC",
              "leapDay": "march-1"
            }
          ],
          "matchProbability": {
            "use": "elo-two-scale",
            "prior": 0.6
          },
          "ranking": {
            "use": "match-probability"
          },
          "slate": [],
          "match": {
            "use": "mutual-like"
          },
          "variants": [],
          "salt": ""
        }
        """)
  }

  @Test(arguments: ConfigurationCorpus.right)
  func theEffectiveConfigurationMeansTheSame(_ right: ConfigurationCorpus.Right) throws {
    let configuration = try FeedConfiguration(right.text)
    let again = try FeedConfiguration(
      parsing: configuration.effective.bytes(.pretty), file: "feed.json", plugins: .plain)
    #expect(again.fingerprint == configuration.fingerprint)
    #expect(again.base.fingerprint == configuration.base.fingerprint)
    #expect(again.effective == configuration.effective)
    #expect(again.variants.map(\.name) == configuration.variants.map(\.name))
    #expect(
      again.variants.map(\.pipeline.fingerprint)
        == configuration.variants.map(\.pipeline.fingerprint))
  }

  private static let text = """
    {"version": 1, "deck": "dating", "hand": {"size": 4, "ties": "id"},
     "matchProbability": {"use": "constant", "value": 0.25},
     "ranking": {"use": "weighted", "terms": {"random": 0.5, "match-probability": 1}},
     "slate": [{"use": "epsilon", "epsilon": 0.1}]}
    """

  /// The same, with other spaces, another order of keys, other ways to write a number, defaults
  /// spelled out, and what does not decide: store, seed, sessions, trace.
  private static let same = """
    { "slate":[{"epsilon":1e-1,"use":"epsilon"}],
      "ranking":{"terms":{"match-probability":1.0,"random":5e-1},"use":"weighted"},
      "matchProbability":{"value":0.250,"use":"constant"},
      "hand":{"ties":"id","size":4.0,"refillBelow":3,"rewind":20,"timeBudgetMilliseconds":null},
      "sources":[{"use":"likes-received","limit":2000},{"use":"all"}], "variants":[], "salt":"",
      "filters":[{"use":"already-swiped","answers":["like","pass","super-like"]},
        {"use":"blocked"},{"use":"legal-age"},{"use":"mutual-preferences"}],
      "store":{"use":"sqlite","path":"x.db"}, "seed":9, "sessions":3, "trace":{"share":1},
      "match":{"use":"mutual-like"}, "deck":"dating", "version":1 }
    """

  @Test func theFingerprintIsOfWhatDecides() throws {
    let one = try FeedConfiguration(Self.text)
    let other = try FeedConfiguration(Self.same)
    #expect(one.fingerprint == other.fingerprint)
    #expect(one.base.fingerprint == other.base.fingerprint)
    #expect(one.fingerprint.utf8.count == 16)
    #expect(
      one.fingerprint.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) })
  }

  @Test(arguments: [
    ("\"size\": 4", "\"size\": 3"), ("0.25", "0.26"), ("\"random\": 0.5", "\"random\": 0.6"),
    ("\"random\"", "\"forward\""), ("0.1", "0.2"), ("\"id\"", "\"seeded\""),
    ("\"epsilon\", \"epsilon\"", "\"softmax\", \"temperature\""),
    ("\"hand\"", "\"sources\": [{\"use\": \"all\"}], \"hand\""),
    ("\"hand\"", "\"variants\": [{\"name\": \"a\", \"share\": 0.1}], \"hand\""),
    ("\"hand\"", "\"salt\": \"a\", \"hand\""),
  ])
  func theFingerprintChangesWithWhatDecides(_ old: String, _ new: String) throws {
    let one = try FeedConfiguration(Self.text)
    let text = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.text)
    #expect(try FeedConfiguration(text).fingerprint != one.fingerprint)
  }

  @Test func theOrderOfListsDecides() throws {
    func fingerprint(_ filters: String) throws -> String {
      try FeedConfiguration(#"{"version": 1, "deck": "dating", "filters": [\#(filters)]}"#)
        .fingerprint
    }
    let one = #"{"use": "already-swiped"}"#
    let other = #"{"use": "mutual-preferences"}"#
    #expect(try fingerprint("\(one), \(other)") != fingerprint("\(other), \(one)"))
  }

  @Test func aSmallHandIsRefilledBelowItsSize() throws {
    let configuration = try FeedConfiguration(
      #"{"version": 1, "deck": "dating", "hand": {"size": 2}}"#)
    #expect(configuration.base.hand.refillBelow == 2)
    #expect(configuration.effective["hand"]?["refillBelow"] == 2)
  }

  @Test func examplesAreRight() throws {
    let examples = try TestFiles.examples()
    #expect(!examples.isEmpty)
    for example in examples {
      let text = try String(contentsOf: example, encoding: .utf8)
      #expect(FeedConfiguration.problems(of: text) == [], "\(example.lastPathComponent)")
    }
  }
}
