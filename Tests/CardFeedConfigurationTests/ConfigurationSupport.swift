import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedDating
import CardFeedStandardPlugins
import CardFeedTesting
import ChildProcesses
import Foundation

/// A deck that says nothing about its configurations, beside the one that ships.
struct ToyPlugin: Plugin, DeckPlugin {
  let name = "toy"
  let deck = ToyDeck()
  let summary = "Cards for tests."
  let defaults: JSONValue = [:]

  var decks: [any DeckPlugin] { [self] }

  func register(in registry: inout StrategyRegistry<ToyDeck>) {}

  func card(from json: JSONValue) throws -> ToyCard {
    guard let id = json["id"]?.string else {
      throw CardProblem(path: .root.appending("id"), location: nil, message: "the key is missing")
    }
    return ToyCard(CardID(id))
  }

  func json(of card: ToyCard) -> JSONValue { ["id": JSONValue("\(card.id)")] }
}

extension PluginSet {
  /// The standard plugins without those behind a trait, so that texts are the same in every build.
  static let plain = PluginSet(
    PluginSet.standard.plugins.filter { !["postgres", "gradient-boosting"].contains($0.name) })

  /// The same, and another deck.
  static let withToy = PluginSet(PluginSet.plain.plugins + [ToyPlugin()])

  /// The strategies of the dating deck as error texts list them, so that a new one does not change
  /// every text.
  static func names(of kind: StrategyKind) -> String {
    plain.descriptions(for: DatingDeckPlugin()).filter { $0.kind == kind }
      .map { "\"\($0.use)\"" }.joined(separator: ", ")
  }
}

extension FeedConfiguration {
  init(_ text: String, plugins: PluginSet = .plain) throws(ConfigurationError) {
    try self.init(parsing: Array(text.utf8), file: "feed.json", plugins: plugins)
  }

  /// The problems of a text, each in its words.
  static func problems(of text: String, plugins: PluginSet = .plain) -> [String] {
    do {
      _ = try FeedConfiguration(text, plugins: plugins)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }
}

/// Files of tests and the programs that judge them.
enum TestFiles {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Whether golden files are written anew instead of compared.
  static var regenerates: Bool {
    ProcessInfo.processInfo.environment["CARDFEED_REGENERATE"] != nil
  }

  static func golden(_ name: String) -> URL {
    package.appendingPathComponent("Tests/Golden/\(name)")
  }

  static func examples() throws -> [URL] {
    let folder = package.appendingPathComponent("datasets/examples")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
  }

  /// Runs a Python script with a text as its input; nil when it fails.
  static func python(_ script: String, input: String) throws -> String? {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    let output = try? ChildProcess.output(
      of: ["python3", "-c", script], input: .descriptor(handle.fileDescriptor))
    return output.map { String(decoding: $0, as: UTF8.self) }
  }
}
