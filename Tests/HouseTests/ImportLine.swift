/// One import declaration of a source file.
struct ImportLine: Equatable, Sendable {
  /// The imported module; of `import struct Glibc.timespec` it is `Glibc`.
  var module: String
  /// Attributes and access modifiers in front of `import`, such as `@testable` or `public`.
  var modifiers: [String] = []
  /// Counted from 1.
  var line: Int

  private static let kinds: Set = [
    "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
  ]

  /// All imports of a source file, in order. Comments and string literals are not searched.
  static func all(in source: String) -> [ImportLine] {
    let code = SwiftText.code(of: source, keepingStrings: false)
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { index, line in
      line.split(separator: ";").compactMap { ImportLine(statement: $0, line: index + 1) }
    }
  }

  private init?(statement: Substring, line: Int) {
    var words = statement.split(whereSeparator: \.isWhitespace)[...]
    var modifiers: [String] = []
    while let word = words.first, word != "import" {
      guard Self.isModifier(word) else { return nil }
      modifiers.append(String(word))
      words.removeFirst()
    }
    words = words.dropFirst()
    if let kind = words.first, Self.kinds.contains(String(kind)) { words.removeFirst() }
    guard let module = words.first?.split(separator: ".").first else { return nil }
    self.init(module: String(module), modifiers: modifiers, line: line)
  }

  init(module: String, modifiers: [String] = [], line: Int) {
    self.module = module
    self.modifiers = modifiers
    self.line = line
  }

  private static func isModifier(_ word: Substring) -> Bool {
    let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    return word.hasPrefix("@") || access.contains(word)
  }
}
