import ChildProcesses
import Foundation
import Testing

@testable import CardFeedQuiz

/// The queue of the quiz deck against the one of Anki, command by command.
///
/// What Anki does stands in `Tests/Golden/anki-queue.txt`. `CARDFEED_ANKI_PYTHON` names a Python with
/// the package `anki`, which then proves the file; Debian's libfaketime is its clock.
@Suite("The queue is Anki's, but for what is said")
struct AnkiQueueTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
  private static let golden = folder.appendingPathComponent("anki-queue.txt")
  private static let environment = ProcessInfo.processInfo.environment
  private static let python = environment["CARDFEED_ANKI_PYTHON"]

  private static let hasClock =
    (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib"))?.contains {
      FileManager.default.fileExists(atPath: "/usr/lib/\($0)/faketime/libfaketime.so.1")
    } ?? false

  /// A command with what Anki gives, and what the quiz deck gives where that is something else.
  private struct Step {
    let line: Int
    let command: String
    var expected: String?
    var isDifferent = false
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var options: [String: String] = [:]
    var cards: [String] = []
    var lines: [(number: Int, text: String)] = []

    var steps: [Step] {
      var steps: [Step] = []
      for (number, text) in lines {
        let rest = String(text.dropFirst(2))
        switch text.first {
        case ">": steps.append(Step(line: number, command: rest))
        case "=": steps[steps.count - 1].expected = rest
        default:
          steps[steps.count - 1].isDifferent = steps[steps.count - 1].expected != rest
          steps[steps.count - 1].expected = rest
        }
      }
      return steps
    }
  }

  private static func text() throws -> String { try String(contentsOf: golden, encoding: .utf8) }

  private static let cases: [Case] = {
    var cases: [Case] = []
    let lines = ((try? text()) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let words = line.split(separator: " ").map(String.init)
      if line.hasPrefix("## ") {
        cases.append(Case(testDescription: String(line.dropFirst(3))))
      } else if !cases.isEmpty, !line.hasPrefix("# ") {
        let last = cases.count - 1
        switch words[0] {
        case "options":
          for word in words.dropFirst() {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            cases[last].options[String(parts[0])] = String(parts[1])
          }
        case "cards": cases[last].cards = Array(words.dropFirst())
        default: cases[last].lines.append((index + 1, String(line)))
        }
      }
    }
    return cases
  }()

  @Test(arguments: cases)
  private func everyCommandGivesWhatAnkiGives(_ scenario: Case) async throws {
    let deck = try await AnkiQueueScenario(options: scenario.options, names: scenario.cards)
    #expect(scenario.steps.contains { $0.expected != nil })
    for step in scenario.steps {
      let result = try await deck.run(step.command)
      #expect(result == step.expected, "line \(step.line): \(step.command)")
    }
  }

  /// A difference that has gone is no longer one.
  @Test func theDifferencesAreThoseThatAreNamed() throws {
    let different = Self.cases.filter { $0.steps.contains(where: \.isDifferent) }
    #expect(
      different.map(\.testDescription)
        == ["New cards count as reviews", "New and due cards are mixed"])
    #expect(Self.cases.count > 30)
  }

  @Test(
    .enabled(if: python != nil, "skipped: CARDFEED_ANKI_PYTHON names no Python with anki"),
    .enabled(if: hasClock, "skipped: no libfaketime, which is Anki's clock"))
  func theGoldenFileIsAnkis() throws {
    let words = [
      try #require(Self.python), Self.folder.appendingPathComponent("anki-queue.py").path,
      Self.golden.path,
    ]
    let output = String(decoding: try ChildProcess.output(of: words), as: UTF8.self)
    if Self.environment["CARDFEED_REGENERATE"] != nil {
      try output.write(to: Self.golden, atomically: true, encoding: .utf8)
    }
    let found = output.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = try Self.text().split(separator: "\n", omittingEmptySubsequences: false)
    for (line, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("line \(line + 1) is '\(pair.1)', Anki's is '\(pair.0)'")
    }
    #expect(found.count == expected.count)
  }
}
