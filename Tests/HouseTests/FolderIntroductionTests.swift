import Testing

/// The number of `///` lines directly above the declaration of a type, or above an extension of one;
/// nil without either.
func commentLines(above type: String, in source: String) -> Int? {
  let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
  guard let declaration = lines.firstIndex(where: { declares($0, type) }) else { return nil }
  let above = lines[..<declaration].reversed().drop { $0.hasPrefix("@") }
  return above.prefix { $0.hasPrefix("///") }.count { $0 != "///" }
}

private func declares(_ line: Substring, _ type: String) -> Bool {
  let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]
  guard !line.hasPrefix("//"), let kind = words.firstIndex(where: kinds.contains) else {
    return false
  }
  return words.dropFirst(kind + 1).first.map(String.init) == type
}

/// The number of lines of a README that say something: no headings, no empty lines.
func sentences(inReadme text: String) -> Int {
  text.split(separator: "\n").count { !$0.hasPrefix("#") && $0.contains(where: \.isLetter) }
}

@Suite("House: each folder introduces itself")
struct FolderIntroductionTests {
  static let tree = PackageTree.checkout
  static let rules = HouseRules(tree: tree)
  static let folders = tree.folders(in: "Sources") + tree.folders(in: "Plugins")

  @Test(
    "Three lines say what lives in a folder, who may call it and what it must never import",
    arguments: folders)
  func folderIsIntroduced(folder: String) throws {
    let sources: Set = ["swift", "h", "c"]
    let files = Self.tree.files(below: folder, endingIn: sources)
    // A folder nobody has written in yet has nothing to introduce.
    guard !files.isEmpty else { return }
    let lines = try introduction(of: folder, files: files)
    #expect(
      lines >= 3,
      """
      \(folder) does not introduce itself (lines found: \(lines)). Say in at least three lines \
      what lives here, who may call it and what it must never import: in \(folder)/README.md, \
      which Package.swift must then exclude from the target\(mainTypeHint(folder)).
      """)
  }

  private func introduction(of folder: String, files: [String]) throws -> Int {
    let readme = "\(folder)/README.md"
    if Self.tree.contains(readme) { return sentences(inReadme: try Self.tree.text(readme)) }
    let headers = files.filter { $0.hasSuffix(".h") }
    let inHeaders = try headers.map { header in
      try Self.tree.text(header).split(separator: "\n").count { $0.hasPrefix("//") }
    }
    guard let type = mainType(of: folder) else { return inHeaders.max() ?? 0 }
    let inTypes = try files.compactMap { commentLines(above: type, in: try Self.tree.text($0)) }
    return (inHeaders + inTypes).max() ?? 0
  }

  private func mainType(of folder: String) -> String? {
    Self.rules.rule(for: HouseRules.moduleName(ofFolder: folder))?.mainType
  }

  private func mainTypeHint(_ folder: String) -> String {
    mainType(of: folder).map { ", or in a comment above the type \($0)" } ?? ""
  }

  @Test("Comment lines above a type are counted, attributes skipped, other types ignored")
  func countsComments() {
    let source = """
      /// Another type.
      struct Slot {}

      /// One.
      ///
      /// Two.
      @frozen
      public final class CardStack<Card> {}
      """
    #expect(commentLines(above: "CardStack", in: source) == 2)
    #expect(commentLines(above: "Slot", in: source) == 1)
    #expect(commentLines(above: "Card", in: source) == nil)
    #expect(commentLines(above: "Hand", in: "/// A `struct Hand`.\nstruct Hand {}") == 1)
  }

  @Test("Headings and empty lines of a README introduce nothing")
  func countsSentences() {
    #expect(sentences(inReadme: "# Title\n\nOne.\n\n## Two\nThree.\n---\n") == 2)
  }
}
