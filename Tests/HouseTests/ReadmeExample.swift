/// A block of Swift in a Markdown page, with the file that compiles it.
struct ReadmeExample: Equatable, Sendable {
  /// The first line of code, counted from 1.
  var line: Int
  /// The path in the marker `<!-- compiled: PATH -->` above the block, or nil without a marker.
  var compiledIn: PackageTree.Path?
  /// The code, without the fences, ending in a line break.
  var code: String

  /// All blocks fenced as Swift, in order.
  static func all(in markdown: String) -> [ReadmeExample] {
    var examples: [ReadmeExample] = []
    var marker: String?
    var open: ReadmeExample?
    var isInOtherBlock = false
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if var example = open {
        if line.hasPrefix("```") {
          examples.append(example)
          open = nil
        } else {
          example.code += line + "\n"
          open = example
        }
      } else if line == "```swift", !isInOtherBlock {
        open = ReadmeExample(line: index + 2, compiledIn: marker, code: "")
        marker = nil
      } else if line.hasPrefix("```") {
        isInOtherBlock.toggle()
      } else if let path = markedPath(line) {
        marker = path
      } else if line.contains(where: { !$0.isWhitespace }) {
        // A marker belongs to the block right below it.
        marker = nil
      }
    }
    return examples
  }

  private static func markedPath(_ line: Substring) -> String? {
    let prefix = "<!-- compiled: "
    let suffix = " -->"
    guard line.hasPrefix(prefix), line.hasSuffix(suffix) else { return nil }
    return String(line.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// The code between `// README begin` and `// README end`, once per pair, without the
  /// indentation its lines share.
  static func regions(in source: String) -> [String] {
    var regions: [String] = []
    var region: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line.drop(while: \.isWhitespace) {
      case "// README begin": region = []
      case "// README end":
        if let region { regions.append(withoutSharedIndentation(region)) }
        region = nil
      default: region?.append(line)
      }
    }
    return regions
  }

  private static func withoutSharedIndentation(_ lines: [Substring]) -> String {
    let indentations = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let shared = indentations.min() ?? 0
    return lines.map { $0.dropFirst(shared) + "\n" }.joined()
  }

  /// What keeps the example from being known to compile, as a sentence; nil if nothing does.
  func problem(at page: PackageTree.Path, in tree: PackageTree) -> String? {
    let place = "\(page):\(line)"
    guard let file = compiledIn else {
      return """
        \(place): nothing compiles this block. Put the code between '// README begin' and \
        '// README end' of a file of Tests/ and the line '<!-- compiled: Tests/…/File.swift -->' \
        right above the block, or fence it as something else than swift.
        """
    }
    guard file.hasPrefix("Tests/") || file.hasPrefix("Snippets/"), file.hasSuffix(".swift") else {
      return "\(place): \(file) is not compiled: name a Swift file of Tests/ or Snippets/."
    }
    guard let source = try? tree.text(file) else {
      return "\(place): \(file) does not exist."
    }
    let regions = Self.regions(in: source)
    if regions.contains(code) { return nil }
    return """
      \(place): the block differs from what \(file) compiles. Its regions between \
      '// README begin' and '// README end' are:
      \(regions.isEmpty ? "none" : regions.joined(separator: "----\n"))
      """
  }
}
