import Foundation
import Testing

@Suite("House: examples in the documentation compile")
struct ReadmeExampleTests {
  static let tree = PackageTree.checkout
  static let pages =
    ["README.md", "CONTRIBUTING.md"].filter(tree.contains)
    + ["Sources", "Plugins", "docs", "datasets"].flatMap {
      tree.files(below: $0, endingIn: ["md"])
    }.filter { !$0.hasPrefix("docs/site/") }

  @Test("A Swift block of a page is the code of a compiled file, to the letter", arguments: pages)
  func blocksAreCompiled(page: String) throws {
    for example in ReadmeExample.all(in: try Self.tree.text(page)) {
      let problem = example.problem(at: page, in: Self.tree)
      #expect(problem == nil, "\(problem ?? "")")
    }
  }

  @Test("Pages are found")
  func pagesAreFound() {
    #expect(Self.pages.contains("Plugins/Baselines/README.md"))
  }

  static let page = """
    # Title

    <!-- compiled: Tests/A/A.swift -->
    ```swift
    let a = 1

    let b = 2
    ```

    <!-- compiled: Tests/A/A.swift -->
    Text in between.

    ```swift
    let c = 3
    ```

    ```json
    { "a": 1 }
    ```
    """

  @Test("Blocks are read with their markers; a marker counts right above its block only")
  func readsBlocks() {
    #expect(
      ReadmeExample.all(in: Self.page) == [
        ReadmeExample(
          line: 5, compiledIn: "Tests/A/A.swift", code: "let a = 1\n\nlet b = 2\n"),
        ReadmeExample(line: 14, compiledIn: nil, code: "let c = 3\n"),
      ])
  }

  @Test("Regions lose the indentation their lines share, and no more")
  func readsRegions() {
    let source = """
      func test() {
          // README begin
          if a {
            b()
          }

          // README end
        // README begin
        c()
        // README end
      }
      """
    #expect(ReadmeExample.regions(in: source) == ["if a {\n  b()\n}\n\n", "c()\n"])
  }

  @Test("A block that drifted from its file, or has none, is named with its line")
  func findsDrift() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "house-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "Tests/A")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "// README begin\nlet a = 1\n// README end\n".write(
      to: folder.appending(path: "A.swift"), atomically: true, encoding: .utf8)
    let tree = PackageTree(root: root)

    func problem(_ file: String?, _ code: String) -> String? {
      ReadmeExample(line: 7, compiledIn: file, code: code).problem(at: "README.md", in: tree)
    }
    #expect(problem("Tests/A/A.swift", "let a = 1\n") == nil)
    #expect(
      problem("Tests/A/A.swift", "let a = 2\n") == """
        README.md:7: the block differs from what Tests/A/A.swift compiles. Its regions between \
        '// README begin' and '// README end' are:
        let a = 1

        """)
    #expect(problem("Tests/A/B.swift", "") == "README.md:7: Tests/A/B.swift does not exist.")
    #expect(problem("docs/A.swift", "")?.contains("is not compiled") == true)
    #expect(problem(nil, "")?.hasPrefix("README.md:7: nothing compiles this block.") == true)
  }
}
