import Testing

@Suite("House: Package.swift")
struct ManifestTests {
  static let tree = PackageTree.checkout
  static let rules = HouseRules(tree: tree)
  /// Without packages of their own, which other manifests describe.
  static let folders = ["Sources", "Plugins", "Tests"].flatMap(tree.folders).filter {
    !tree.files(below: $0, endingIn: ["swift"]).contains("\($0)/Package.swift")
  }

  static func manifest() throws -> Manifest {
    try Manifest(text: tree.text("Package.swift"))
  }

  @Test("Every folder with sources is a target, so that none is silently left out")
  func everyFolderIsATarget() throws {
    let declared = Set(try Self.manifest().targets.map(\.path))
    #expect(declared.contains("Sources/CardFeed"))
    let kinds: Set = ["swift", "c", "modulemap"]
    let undeclared = Self.folders.filter { folder in
      !declared.contains(folder) && !Self.tree.files(below: folder, endingIn: kinds).isEmpty
    }
    #expect(
      undeclared == [], "These are built by nobody. Declare them in Package.swift, under targets.")
  }

  @Test("A target depends only on what its line of the table allows")
  func dependenciesAreAllowed() throws {
    for target in try Self.manifest().targets where !target.path.hasPrefix("Tests/") {
      let rule = try #require(
        Self.rules.rule(for: target.name),
        "\(target.name) has no line in the table in Tests/HouseTests/HouseRules.swift.")
      let forbidden = Set(target.dependencies).subtracting(rule.imports)
      #expect(
        forbidden.isEmpty,
        "Package.swift: \(target.name) must not depend on \(forbidden.sorted()).")
    }
  }

  @Test("A module of this package that is imported is a declared dependency", arguments: folders)
  func importsAreDeclared(folder: String) throws {
    let manifest = try Self.manifest()
    let own = Set(manifest.targets.map(\.name))
    guard let target = manifest.targets.first(where: { $0.path == folder }) else { return }
    for path in Self.tree.files(below: folder, endingIn: ["swift"]) {
      let imported = Set(ImportLine.all(in: try Self.tree.text(path)).map(\.module))
      let undeclared = imported.intersection(own).subtracting(target.dependencies)
      #expect(
        undeclared.isEmpty,
        """
        \(path) imports \(undeclared.sorted()), which Package.swift does not name as a dependency \
        of \(target.name): it builds only as long as another dependency happens to bring it in.
        """)
    }
  }

  @Test("Targets are read with their folders and dependencies")
  func readsTargets() throws {
    let manifest = try Manifest(
      text: """
        func library(_ name: String) -> Target { .target(name: name) }
        let package = Package(
          name: "CardFeed",
          products: [.library(name: "CardFeed", targets: ["CardFeed"])],
          targets: [
            .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["x-dev"])]),
            library("CardFeed", ["CardFeedStack"]),  // "not a dependency"
            plugin(
              "Postgres",
              ["CardFeed", .target(name: "CPostgres", condition: .when(traits: ["Postgres"]))]),
            .executableTarget(
              name: "cardfeed", dependencies: ["CardFeed"], swiftSettings: settings),
            tests("House", []),
            library("Moved", path: "Elsewhere/Moved"),
          ],
          swiftLanguageModes: [.v6]
        )
        """)
    #expect(
      manifest.targets == [
        .init(name: "CSQLite", path: "Sources/CSQLite", dependencies: []),
        .init(name: "CardFeed", path: "Sources/CardFeed", dependencies: ["CardFeedStack"]),
        .init(
          name: "CardFeedPostgres", path: "Plugins/Postgres",
          dependencies: ["CPostgres", "CardFeed"]),
        .init(name: "cardfeed", path: "Sources/cardfeed", dependencies: ["CardFeed"]),
        .init(name: "HouseTests", path: "Tests/HouseTests", dependencies: []),
        .init(name: "Moved", path: "Elsewhere/Moved", dependencies: []),
      ])
    #expect(manifest["Moved"]?.path == "Elsewhere/Moved")
  }

  @Test("A manifest that cannot be read says why")
  func unreadable() throws {
    let noList = #expect(throws: Manifest.Unreadable.self) { try Manifest(text: "let a = 1") }
    #expect(noList?.description.contains("no line begins with '  targets: ['") == true)
    let unknown = #expect(throws: Manifest.Unreadable.self) {
      try Manifest(text: "Package(\n  targets: [ macro(\"A\") ])")
    }
    #expect(unknown?.description.contains("'macro' makes a target in a way") == true)
  }
}
