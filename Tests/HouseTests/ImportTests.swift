import Testing

/// What is wrong with the imports of a file, in sentences. Empty if nothing is.
func problems(
  ofImportsIn source: String, at path: PackageTree.Path, module: String, rules: HouseRules
) -> [String] {
  guard let rule = rules.rule(for: module) else {
    return [
      """
      \(path): the target \(module) has no line in the table of allowed imports. \
      Add one to Tests/HouseTests/HouseRules.swift, with the fewest modules that do.
      """
    ]
  }
  return ImportLine.all(in: source).flatMap { found -> [String] in
    var problems: [String] = []
    let place = "\(path):\(found.line)"
    if !rule.imports.contains(found.module) {
      let allowed = rule.imports.sorted().joined(separator: ", ")
      problems.append(
        """
        \(place): \(module) must not import \(found.module). \
        Allowed: \(allowed.isEmpty ? "nothing" : allowed). Move the code to a target that may, \
        or, if the arrows of the package should change, change Tests/HouseTests/HouseRules.swift.
        """)
    }
    for banned in ["@_exported", "@testable"] where found.modifiers.contains(banned) {
      problems.append("\(place): \(banned) import of \(found.module). Import it plainly.")
    }
    return problems
  }
}

@Suite("House: imports")
struct ImportTests {
  static let tree = PackageTree.checkout
  static let rules = HouseRules(tree: tree)
  static let folders = tree.folders(in: "Sources") + tree.folders(in: "Plugins")

  @Test("The folders are found")
  func foldersAreFound() {
    #expect(Self.folders.contains("Sources/CardFeedStack"))
    #expect(Self.folders.contains("Sources/CardFeed"))
    #expect(Self.rules.pluginModules.contains("CardFeedBaselines"))
  }

  @Test("A target imports only what its line of the table allows", arguments: folders)
  func importsAreAllowed(folder: String) throws {
    let module = HouseRules.moduleName(ofFolder: folder)
    #expect(
      Self.rules.rule(for: module) != nil,
      "\(folder) is new: add \(module) to the table in Tests/HouseTests/HouseRules.swift.")
    for path in Self.tree.files(below: folder, endingIn: ["swift"]) {
      let found = problems(
        ofImportsIn: try Self.tree.text(path), at: path, module: module, rules: Self.rules)
      #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }
  }

  @Test("No source beside the standard plugins names a plugin's module")
  func sourcesDoNotKnowPlugins() throws {
    let sources = Self.tree.folders(in: "Sources")
      .filter { !HouseRules.knowPlugins.contains(HouseRules.moduleName(ofFolder: $0)) }
    for path in sources.flatMap({ Self.tree.files(below: $0, endingIn: ["swift", "h", "c"]) }) {
      let named = identifiers(in: try Self.tree.text(path)).intersection(Self.rules.pluginModules)
      #expect(
        named.isEmpty,
        "\(path) names \(named.sorted()). What the engine needs of a plugin is a protocol there.")
    }
  }

  @Test("Tests are written with Swift Testing alone")
  func testsImportNoXCTest() throws {
    for path in Self.tree.files(below: "Tests", endingIn: ["swift"]) {
      let modules = ImportLine.all(in: try Self.tree.text(path)).map(\.module)
      #expect(!modules.contains("XCTest"), "\(path) imports XCTest; use Testing.")
    }
  }

  @Test("A forbidden import is found and explained")
  func forbiddenImport() {
    let found = problems(
      ofImportsIn: "import CardFeedStack\nimport Foundation\n", at: "Sources/CardFeed/A.swift",
      module: "CardFeed", rules: Self.rules)
    #expect(
      found == [
        """
        Sources/CardFeed/A.swift:2: CardFeed must not import Foundation. \
        Allowed: CardFeedStack, Darwin, Glibc, Musl. Move the code to a target that may, \
        or, if the arrows of the package should change, change Tests/HouseTests/HouseRules.swift.
        """
      ])
  }

  @Test("A plugin must not import another plugin, and nothing is re-exported")
  func pluginImports() {
    let found = problems(
      ofImportsIn: "public import CardFeedBaselines\n@_exported public import CardFeed",
      at: "Plugins/Dating/A.swift", module: "CardFeedDating", rules: Self.rules)
    #expect(found.count == 2)
    #expect(found.first?.contains("CardFeedDating must not import CardFeedBaselines") == true)
    #expect(found.last?.contains("@_exported import of CardFeed") == true)
  }

  @Test("A target without a line in the table is told where to add it")
  func unknownTarget() {
    let found = problems(
      ofImportsIn: "", at: "Sources/CardFeedNew/A.swift", module: "CardFeedNew", rules: Self.rules)
    #expect(
      found == [
        """
        Sources/CardFeedNew/A.swift: the target CardFeedNew has no line in the table of allowed \
        imports. Add one to Tests/HouseTests/HouseRules.swift, with the fewest modules that do.
        """
      ])
  }
}

/// The words of a text that could be names of modules.
private func identifiers(in text: String) -> Set<String> {
  let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".utf8)
  let words = text.utf8.split { !letters.contains($0) }
  return Set(words.map { String(decoding: $0, as: UTF8.self) })
}
