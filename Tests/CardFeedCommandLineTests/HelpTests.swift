import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation
import Testing

/// The help of every command, compared verbatim with `Tests/Golden/help.txt`.
///
/// `CARDFEED_REGENERATE=1 swift test --filter HelpTests` writes the file anew; read the difference
/// before it is committed.
@Suite struct HelpTests {
  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden/help.txt").path

  private func paths(of command: Command, _ path: [String] = []) -> [[String]] {
    [path] + command.subcommands.flatMap { paths(of: $0, path + [$0.name]) }
  }

  @Test func everyHelpIsTheGoldenOne() async throws {
    var text = ""
    for path in paths(of: Tool(plugins: .standard).command) {
      let call = await Call.tool(path + ["--help"])
      #expect(call.status == .fine)
      #expect(call.errors == "")
      #expect(await Call.tool(["help"] + path) == call)
      text += (["$ cardfeed"] + path + ["--help"]).joined(separator: " ") + "\n"
      text += call.output + "\n"
    }
    if ProcessInfo.processInfo.environment["CARDFEED_REGENERATE"] != nil {
      try FileSystem.makeDirectory(
        URL(fileURLWithPath: Self.golden).deletingLastPathComponent().path)
      try FileSystem.write(Array(text.utf8), to: Self.golden)
    }
    var golden = String(decoding: try FileSystem.read(Self.golden), as: UTF8.self)
    #if !Postgres
      golden = Self.without("postgres", in: golden)
    #endif
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, pair) in zip(lines, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("line \(line + 1) is '\(pair.0)', the golden one is '\(pair.1)'")
    }
    #expect(lines.count == expected.count)
  }

  /// The golden help without a measurement of a plugin that this build leaves out.
  private static func without(_ benchmark: String, in golden: String) -> String {
    let helps = golden.components(separatedBy: "$ cardfeed ").filter {
      !$0.hasPrefix("bench \(benchmark) --help")
    }
    let lines = helps.joined(separator: "$ cardfeed ").components(separatedBy: "\n")
    return lines.filter { !$0.hasPrefix("  \(benchmark) ") }.joined(separator: "\n")
  }
}
