/// The targets of a `Package.swift`, read from its text.
///
/// Only what this package's manifest uses is understood: one `targets: [...]` argument of
/// `Package`, holding calls with literal arguments. Anything else is an error that says so.
struct Manifest: Sendable {
  struct Target: Equatable, Sendable {
    /// The module's name.
    var name: String
    /// The folder, relative to the package.
    var path: PackageTree.Path
    /// Targets named as dependencies, sorted; those under a trait's condition included.
    var dependencies: [String]
  }

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  let targets: [Target]

  init(text: String) throws {
    let code = SwiftText.code(of: text, keepingStrings: true)
    guard let list = Self.argument("\n  targets: ", of: code) else {
      throw Unreadable(
        description: "Package.swift: no line begins with '  targets: [' (two spaces before it).")
    }
    targets = try Self.items(of: list).map(Self.target)
  }

  /// The target with a name.
  subscript(name: String) -> Target? {
    targets.first { $0.name == name }
  }

  /// What stands between the brackets that follow a label.
  private static func argument(_ label: String, of code: String) -> Substring? {
    guard let range = code.ranges(of: label).last else { return nil }
    return inside(code[range.upperBound...])
  }

  private static func target(_ call: Substring) throws -> Target {
    guard let parenthesis = call.firstIndex(of: "("), let inner = inside(call[parenthesis...])
    else {
      throw Unreadable(description: "Package.swift: expected a call, found '\(call)'.")
    }
    var name: String?
    var path: String?
    var dependencies: [String] = []
    for argument in items(of: inner) {
      let (label, value) = labelled(argument)
      switch label {
      case "name": name = literals(in: value).first
      case "path": path = literals(in: value).first
      case "dependencies": dependencies = literals(in: withoutConditions(value))
      case nil where value.hasPrefix("["): dependencies = literals(in: withoutConditions(value))
      case nil: name = literals(in: value).first
      default: break
      }
    }
    guard let name else {
      throw Unreadable(description: "Package.swift: no literal name in '\(call)'.")
    }
    return try named(
      name, by: call[..<parenthesis], path: path, dependencies: dependencies.sorted())
  }

  private static func named(
    _ name: String, by callee: Substring, path: String?, dependencies: [String]
  ) throws -> Target {
    switch callee {
    case "library", ".target", ".executableTarget", ".systemLibrary":
      Target(name: name, path: path ?? "Sources/\(name)", dependencies: dependencies)
    case "plugin":
      Target(
        name: "CardFeed\(name)", path: path ?? "Plugins/\(name)", dependencies: dependencies)
    case "tests":
      Target(
        name: "\(name)Tests", path: path ?? "Tests/\(name)Tests", dependencies: dependencies)
    case ".testTarget":
      Target(name: name, path: path ?? "Tests/\(name)", dependencies: dependencies)
    default:
      throw Unreadable(
        description: """
          Package.swift: '\(callee)' makes a target in a way Tests/HouseTests/Manifest.swift does \
          not know. Known: library, plugin, tests, .target, .executableTarget, .systemLibrary, \
          .testTarget. Add a case to it.
          """)
    }
  }
}

// MARK: - Reading calls

extension Manifest {
  /// What stands between the bracket a text begins with and the one that closes it.
  private static func inside(_ text: Substring) -> Substring? {
    guard let first = text.first, "([".contains(first) else { return nil }
    var depth = 0
    var isInLiteral = false
    for index in text.indices {
      let character = text[index]
      if character == "\"" { isInLiteral.toggle() }
      if isInLiteral { continue }
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
    }
    return nil
  }

  /// The parts between commas that stand in no inner bracket, without the space around them.
  private static func items(of list: Substring) -> [Substring] {
    var items: [Substring] = []
    var start = list.startIndex
    var depth = 0
    var isInLiteral = false
    for index in list.indices {
      let character = list[index]
      if character == "\"" { isInLiteral.toggle() }
      if isInLiteral { continue }
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        items.append(list[start..<index])
        start = list.index(after: index)
      }
    }
    items.append(list[start...])
    return items.map(withoutSpace).filter { !$0.isEmpty }
  }

  private static func labelled(_ argument: Substring) -> (label: Substring?, value: Substring) {
    let label = argument.prefix { $0.isLetter }
    let rest = argument.dropFirst(label.count)
    guard !label.isEmpty, rest.first == ":" else { return (nil, argument) }
    return (label, withoutSpace(rest.dropFirst()))
  }

  /// A trait's name in `.when(traits: ["Postgres"])` is no dependency.
  private static func withoutConditions(_ value: Substring) -> Substring {
    let opening = ".when("
    guard let range = value.ranges(of: opening).first else { return value }
    let parenthesis = value.index(before: range.upperBound)
    guard let condition = inside(value[parenthesis...]) else { return value }
    let rest = value[condition.endIndex...].dropFirst()
    return withoutConditions(Substring(value[..<range.lowerBound] + rest))
  }

  private static func literals(in value: Substring) -> [String] {
    let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func withoutSpace(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
