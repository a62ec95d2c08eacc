import CardFeedCommandLine
import Foundation
import Testing

@testable import CardFeedServer

@Suite struct PlaygroundFilesTests {
  private static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/CardFeedServer").path + "/"

  /// The page's files are part of the program as Swift texts; this keeps them true. With
  /// CARDFEED_REGENERATE=1 they are written anew.
  @Test func embeddedTextsAreTheFiles() throws {
    let names = try FileSystem.names(in: Self.folder + "Playground").sorted()
    #expect(names.contains("index.html"))
    var text = """
      // swift-format-ignore-file
      // Made of the files in Playground/ by:
      // CARDFEED_REGENERATE=1 swift test --filter PlaygroundFilesTests

      /// The text of each file of the page for trying out.
      enum PlaygroundContent {
        static let files: [(name: String, text: String)] = [

      """
    for name in names {
      let bytes = try FileSystem.read(Self.folder + "Playground/" + name)
      let content = try #require(String(validating: bytes, as: UTF8.self))
      #expect(!content.contains("\"\"\"##"), "\(name) ends the literal that it stands in")
      text += "    (\"\(name)\", ###\"\"\"\n\(content)\n\"\"\"###),\n"
    }
    text += "  ]\n}\n"
    let path = Self.folder + "Pages/PlaygroundContent.swift"
    if ProcessInfo.processInfo.environment["CARDFEED_REGENERATE"] != nil {
      try FileSystem.write(Array(text.utf8), to: path)
    } else {
      let isSame = try FileSystem.read(path) == Array(text.utf8)
      #expect(isSame, "Run: CARDFEED_REGENERATE=1 swift test --filter PlaygroundFilesTests")
    }
  }
}
