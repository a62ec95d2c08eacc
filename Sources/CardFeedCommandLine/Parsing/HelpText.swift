/// The help of a command, made from its declarations.
enum HelpText {
  /// Renders the whole help.
  ///
  /// - Parameters:
  ///   - path: The commands from the root to the one the help is about.
  ///   - width: The longest line in characters; below 40 counts as 40, above 100 as 100.
  /// - Returns: Lines, each with a line feed at its end.
  static func render(_ path: [Command], width: Int) -> String {
    guard let command = path.last else { return "" }
    let width = min(max(width, 40), 100)
    let name = path.map(\.name).joined(separator: " ")
    var sections = [
      TextWrapping.lines(of: "\(name): \(command.summary)", width: width),
      usage(path, width: width),
    ]
    if !command.discussion.isEmpty {
      sections.append(TextWrapping.paragraphs(of: command.discussion, width: width))
    }
    let arguments = command.arguments.map { ($0.name, $0.summary) }
    let commands = command.subcommands.map { ($0.name, $0.summary) }
    let options = path.reversed().flatMap(\.options).map { (label($0), summary($0)) }
    var builtIn = [("-h, --help", "Shows this help.")]
    if path.count == 1 { builtIn.append(("    --version", "Shows the version.")) }
    sections.append(list("Commands:", commands, width: width))
    sections.append(list("Arguments:", arguments, width: width))
    sections.append(list("Options:", options + builtIn, width: width))
    if !commands.isEmpty {
      let advice = "'\(name) COMMAND --help' says more about a command."
      sections.append(TextWrapping.lines(of: advice, width: width))
    }
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// Renders the usage, such as `Usage: cardfeed config check [options] FILE`.
  static func usage(_ path: [Command], width: Int) -> [String] {
    guard let command = path.last else { return [] }
    let options = path.flatMap(\.options)
    var words = path.map(\.name)
    words += options.filter(\.isRequired).map { "--\($0.name)\u{A0}\($0.valueName ?? "")" }
    if options.contains(where: { !$0.isRequired }) { words.append("[options]") }
    words += command.subcommands.isEmpty ? command.arguments.map(\.usage) : ["COMMAND"]
    var lines: [String] = []
    var line = "Usage:"
    for word in words {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = "      "
      }
      line += " " + word
    }
    // No-break spaces have kept an option and its value on one line.
    return (lines + [line]).map { String($0.map { $0 == "\u{A0}" ? " " : $0 }) }
  }

  private static func label(_ option: CommandOption) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--" + option.name + (option.valueName.map { " " + $0 } ?? "")
  }

  private static func summary(_ option: CommandOption) -> String {
    var remarks: [String] = []
    if !option.allowedValues.isEmpty {
      remarks.append("one of " + option.allowedValues.joined(separator: ", "))
    }
    if let value = option.defaultValue { remarks.append("default: \(value)") }
    if option.isRequired { remarks.append("required") }
    if option.isRepeatable, !option.isFlag { remarks.append("may be repeated") }
    return option.summary + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
  }

  /// A heading with two columns; labels that are too long stand on their own line.
  private static func list(
    _ heading: String, _ entries: [(label: String, summary: String)], width: Int
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let widest = min(26, width / 2 - 4)
    let column = entries.map(\.label.count).filter { $0 <= widest }.max() ?? widest
    let indent = String(repeating: " ", count: column + 4)
    var lines = [heading]
    for (label, summary) in entries {
      var text = TextWrapping.lines(of: summary, width: width - indent.count)[...]
      if label.count > column {
        lines.append("  " + label)
      } else {
        let first = text.popFirst() ?? ""
        lines.append("  " + TextWrapping.pad(label, to: column) + "  " + first)
      }
      lines += text.map { indent + $0 }
    }
    return lines
  }
}
