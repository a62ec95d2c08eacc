/// One thing that is wrong with a configuration.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  /// Where in the document.
  public let path: JSONPath
  /// Where in the file, if the place stands there.
  public let location: JSONLocation?
  /// What is wrong.
  public let message: String
  /// What was found; nil where something is missing.
  public let found: String?
  /// What is allowed.
  public let allowed: String?
  /// The known name that was most likely meant.
  public let nearest: String?

  /// One thing that is wrong with a configuration.
  public init(
    path: JSONPath, location: JSONLocation?, message: String, found: String? = nil,
    allowed: String? = nil, nearest: String? = nil
  ) {
    self.path = path
    self.location = location
    self.message = message
    self.found = found
    self.allowed = allowed
    self.nearest = nearest
  }

  /// The problem in one line: place, path, what is wrong, found, allowed, nearest name.
  public var description: String {
    var text = location.map { "\($0), " } ?? ""
    text += "\(path): \(message)"
    if let found { text += "; found \(found)" }
    if let allowed { text += "; allowed: \(allowed)" }
    if let nearest { text += "; did you mean \"\(nearest)\"?" }
    return text
  }
}

extension ConfigurationProblem {
  /// The problem with its parts apart, `null` for those it does not have.
  package var json: JSONValue {
    [
      "path": JSONValue(path.description),
      "line": location.map { JSONValue($0.line) } ?? .null,
      "column": location.map { JSONValue($0.column) } ?? .null,
      "message": JSONValue(message),
      "found": found.map { JSONValue($0) } ?? .null,
      "allowed": allowed.map { JSONValue($0) } ?? .null,
      "nearest": nearest.map { JSONValue($0) } ?? .null,
    ]
  }
}

/// Everything that is wrong with a configuration, in the order of the file. Nothing is served from
/// it.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
  /// The file, or what the bytes are called.
  public let file: String
  /// The problems; at least one.
  public let problems: [ConfigurationProblem]

  /// Everything that is wrong with a file.
  public init(file: String, problems: [ConfigurationProblem]) {
    self.file = file
    self.problems = problems
  }

  /// Everything that is wrong with a file, put into the order of the file. What stands nowhere
  /// comes first.
  package init(file: String, unordered problems: [ConfigurationProblem]) {
    self.init(
      file: file,
      problems: problems.sorted {
        ($0.location?.byteOffset ?? 0) < ($1.location?.byteOffset ?? 0)
      })
  }

  /// A text that is not JSON.
  package init(file: String, _ error: JSONSyntaxError) {
    let advice = error.hint.map { " (\($0))" } ?? ""
    self.init(
      file: file,
      problems: [
        ConfigurationProblem(
          path: error.path, location: error.location, message: error.message, found: error.found,
          allowed: error.allowed + advice)
      ])
  }

  /// One line for each problem.
  public var description: String {
    let lines = problems.map { "\(file): \($0)" }
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    return (lines + ["\(file): \(count); nothing was changed"]).joined(separator: "\n")
  }
}
