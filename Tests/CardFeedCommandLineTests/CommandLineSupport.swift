import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation

/// A folder that is removed with its content.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-commands-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try FileSystem.write(Array(text.utf8), to: file(name))
    return file(name)
  }

  func text(of name: String) throws -> String {
    String(decoding: try FileSystem.read(file(name)), as: UTF8.self)
  }
}

/// What a command came to.
struct Call: Equatable {
  let status: CardFeedCommandLine.ExitStatus
  let output: String
  let errors: String

  /// Runs the tool with the plugins that ship.
  static func tool(_ arguments: String..., width: Int = 80) async -> Call {
    await tool(arguments, width: width)
  }

  static func tool(_ arguments: [String], width: Int = 80) async -> Call {
    let captured = CapturedContext(width: width)
    let status = await Tool(plugins: .standard).run(arguments, context: captured.context)
    return Call(status: status, output: captured.output.text, errors: captured.errors.text)
  }

  /// The output as JSON; fails when it is not one value.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: output).root }
  }

  /// The output as JSON, one value a line.
  var lines: [JSONValue] {
    get throws {
      try output.split(separator: "\n").map { try JSONDocument(parsing: String($0)).root }
    }
  }
}

extension ScratchFolder {
  /// Three women and four men, and a feed over them in an SQLite file, in the order of the file.
  func makeFeed(variants: String = "") throws -> (configuration: String, cards: String) {
    let people = [
      ("ada", "woman"), ("bea", "woman"), ("cleo", "woman"), ("dan", "man"), ("eli", "man"),
      ("finn", "man"), ("gus", "man"),
    ]
    let records = people.map { id, gender in
      let seeks = gender == "woman" ? "man" : "woman"
      return #"{"id":"\#(id)","name":"\#(id)","age":30,"gender":"\#(gender)","#
        + #""seeks":["\#(seeks)"]}"#
    }
    let cards = try write(records.joined(separator: "\n") + "\n", to: "cards.jsonl")
    let configuration = try write(
      """
      { "version": 1, "deck": "dating", "store": { "use": "sqlite", "path": "\(file("d.db"))" },
        "hand": { "size": 3, "refillBelow": 2, "ties": "id" }, "sources": [{ "use": "all" }],
        "matchProbability": { "use": "constant" }, "ranking": { "use": "source-order" }\(variants) }
      """, to: "feed.json")
    return (configuration, cards)
  }
}
