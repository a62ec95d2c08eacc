import CardFeedConfiguration
import CardFeedStandardPlugins

@testable import CardFeedServer

/// Services for tests.
enum TestService {
  static func service(
    _ change: (inout FeedService.Options) -> Void = { _ in }
  ) -> FeedService {
    var options = FeedService.Options()
    options.version = "test"
    change(&options)
    return FeedService(options: options)
  }

  static func configuration(_ value: JSONValue) throws -> FeedConfiguration {
    try FeedConfiguration(value, file: "test", plugins: .standard)
  }

  /// People without wishes, in the order in which they came, with a quota of likes.
  static let dating: JSONValue = [
    "version": 1, "deck": "dating", "hand": ["size": 3, "refillBelow": 2],
    "sources": [["use": "all"]], "filters": [["use": "already-swiped"], ["use": "blocked"]],
    "matchProbability": ["use": "constant"], "ranking": ["use": "source-order"],
  ]

  static func feed(
    _ value: JSONValue = dating, named name: String = "people", source: ServedFeed.Source? = nil
  ) async throws -> ServedFeed {
    try await ServedFeed.open(
      configuration(value), name: name, source: source, plugins: .standard)
  }

  /// JSON Lines of people with these identities.
  static func people(_ ids: [String]) -> [UInt8] {
    ids.flatMap { id in
      let person: JSONValue = ["id": JSONValue(id), "name": "N", "age": 30]
      return person.bytes() + [UInt8(ascii: "\n")]
    }
  }
}
