import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import CardFeedTerminal
import ChildProcesses
import Foundation
import TerminalEmulation
import Testing

/// The program on a real pseudo-terminal.
@Suite struct PlayTests {
  private let folder: ScratchFolder
  private let configuration: String
  private let cards: String

  init() throws {
    folder = try ScratchFolder()
    (configuration, cards) = try folder.makeFeed()
  }

  /// A program that plays.
  private final class Game {
    let terminal: PseudoTerminal
    let process: ChildProcess
    let modes: [UInt32]

    init?(_ words: [String], variables: [String] = [], columns: UInt16 = 80) throws {
      guard let executable = KillTests.executable else {
        print("skipped: no program 'cardfeed' beside the test binary")
        return nil
      }
      terminal = try PseudoTerminal(columns: columns, rows: 24)
      modes = terminal.modes
      process = try ChildProcess(
        ["env", "-u", "NO_COLOR", "TERM=xterm-256color", "LC_ALL=C.UTF-8"] + variables
          + [executable, "play"] + words,
        input: .descriptor(terminal.program), output: .descriptor(terminal.program))
    }

    /// Waits until the screen shows a text.
    func shows(_ text: String) -> Bool {
      waits { screen, _ in screen.shows(text) }
    }

    /// Waits until a text was written, wherever.
    func wrote(_ text: String) -> Bool {
      waits { _, output in output.contains(text) }
    }

    private func waits(_ isFulfilled: (ScreenEmulator, String) -> Bool) -> Bool {
      terminal.read { output in
        let text = String(decoding: output, as: UTF8.self)
        var screen = ScreenEmulator(columns: 120, rows: 40)
        // Frames come whole: what is cut belongs to the next one.
        let end = "\u{1b}[?2026l"
        if let last = text.range(of: end, options: .backwards) {
          screen.take(Array(text[..<last.upperBound].utf8))
        }
        return isFulfilled(screen, text)
      }
    }
  }

  private func events() async throws -> [LoggedEvent] {
    let store = try await FeedConfiguration(
      parsing: FileSystem.read(configuration), file: configuration, plugins: .standard
    ).openStore(plugins: .standard)
    let events = try await store.events(after: .start, limit: .max)
    try await store.close()
    return events
  }

  @Test func swipesRewindsAndQuits() async throws {
    // Nothing flies: a key that comes meanwhile is about the card that went.
    let words = [
      "--config", configuration, "--viewer", "ada", "--cards", cards, "--no-animation",
    ]
    guard let game = try Game(words) else { return }
    #expect(game.shows("dan, 30"))
    #expect(game.terminal.modes != game.modes)
    game.terminal.type("\u{1b}[C")
    #expect(game.shows("1 swiped"))
    #expect(game.shows("│   eli, 30"))
    game.terminal.type("\u{1b}[D")
    #expect(game.shows("2 swiped"))
    #expect(game.shows("│   finn, 30"))
    game.terminal.type("z")
    #expect(game.shows("taken back"))
    #expect(game.shows("│   eli, 30"))
    game.terminal.type("?")
    #expect(game.shows("in the hand at place 1"))
    game.terminal.type(" q")
    #expect(game.wrote("ada: 2 swiped, 1 taken back, 0 matches\r\n"))
    #expect(game.process.wait() == .exit(0))
    #expect(game.terminal.modes == game.modes)
    let last = String(decoding: game.terminal.output.suffix(120), as: UTF8.self)
    #expect(last.contains("\u{1b}[?25h\u{1b}[?1049lada: "))

    let events = try await events()
    #expect(events.filter { $0.kind == .swipe }.map(\.answer) == ["like", "pass"])
    #expect(events.count { $0.kind == .rewind } == 1)
    #expect(events.count { $0.kind == .impression } == 3, "dan, eli, finn; eli again is no other")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func signalsGiveTheTerminalBack(_ signal: Int32) throws {
    let words = ["--config", configuration, "--viewer", "ada", "--cards", cards]
    guard let game = try Game(words) else { return }
    #expect(game.shows("dan, 30"))
    kill(game.process.processIdentifier, signal)
    #expect(game.wrote("\u{1b}[?1049l"))
    #expect(game.process.wait() == .exit(0))
    #expect(game.terminal.modes == game.modes)
  }

  @Test func anotherSizeIsDrawnAnew() throws {
    let words = ["--config", configuration, "--viewer", "ada", "--cards", cards]
    guard let game = try Game(words) else { return }
    #expect(game.shows("dan, 30"))
    game.terminal.resize(columns: 20, rows: 24)
    kill(game.process.processIdentifier, SIGWINCH)
    #expect(game.shows("24x10 needed"))
    game.terminal.resize(columns: 40, rows: 12)
    kill(game.process.processIdentifier, SIGWINCH)
    #expect(game.shows("dan, 30"))
    game.terminal.type("\u{3}")
    #expect(game.process.wait() == .exit(0))
    #expect(game.terminal.modes == game.modes)
  }

  @Test func aTerminalWithoutACursorGetsLines() throws {
    let words = ["--config", configuration, "--viewer", "ada", "--cards", cards]
    guard let game = try Game(words, variables: ["TERM=dumb", "LC_ALL=C"]) else { return }
    #expect(game.wrote("dan, 30\r\n"))
    game.terminal.type("l")
    #expect(game.wrote("eli, 30\r\n"))
    game.terminal.type("q")
    #expect(game.wrote("ada: 1 swiped"))
    #expect(game.process.wait() == .exit(0))
    #expect(!game.terminal.output.contains(0x1b))
    #expect(game.terminal.output.allSatisfy { $0 < 0x80 })
    #expect(game.terminal.modes == game.modes)
  }

  @Test func aMatchIsShown() async throws {
    let liked = await Call.tool(
      "swipe", "--config", configuration, "--cards", cards, "--viewer", "dan", "--card", "ada",
      "--answer", "like")
    #expect(liked.status == .fine)
    guard let game = try Game(["--config", configuration, "--viewer", "ada", "--no-animation"])
    else { return }
    #expect(game.shows("dan, 30"))
    game.terminal.type("l")
    #expect(game.shows("It's a match!"))
    game.terminal.type(" m")
    #expect(game.shows("1 match "))
    game.terminal.type(" q")
    #expect(game.wrote("ada: 1 swiped, 0 taken back, 1 match"))
    #expect(game.process.wait() == .exit(0))
  }

  @Test(arguments: [("dating", "Robin"), ("quiz", "Argentina"), ("product", "Blue mug")])
  func aDemonstrationNeedsNothing(_ deck: String, first: String) throws {
    guard let game = try Game(["--demo", deck, "--no-animation"]) else { return }
    #expect(game.shows(first))
    game.terminal.type(deck == "quiz" ? " \u{1b}[C" : "\u{1b}[C")
    #expect(game.shows("1 swiped"))
    game.terminal.type(" q")
    #expect(game.wrote("demo: 1 swiped, 0 taken back"))
    #expect(game.process.wait() == .exit(0))
  }

  @Test func itIsSaidWhoseCardsAndWhichOnes() async {
    let neither = await Call.tool("play", "--viewer", "ada")
    #expect(neither.errors.contains("give either --config FILE or --demo DECK"))
    let both = await Call.tool("play", "--config", configuration, "--demo", "quiz")
    #expect(both.errors.contains("give either --config FILE or --demo DECK"))
    let nobody = await Call.tool("play", "--config", configuration)
    #expect(nobody.errors.contains("--config needs --viewer ID"))
  }

  @Test func withoutATerminalItSaysWhatToUse() async throws {
    guard let executable = KillTests.executable else {
      return print("skipped: no program 'cardfeed' beside the test binary")
    }
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let process = try ChildProcess(
      [executable, "play", "--config", configuration, "--viewer", "ada"],
      input: .descriptor(terminal.program))
    #expect(process.wait() == .exit(2))
    let call = await Call.tool("play", "--config", configuration, "--viewer", "ada")
    #expect(call.output == "")
    // Whoever runs the tests at a terminal has one at standard input.
    #expect(call.errors.hasPrefix("error: play needs a terminal; found none at standard "))
    #expect(call.errors.contains("'cardfeed deal'") && call.errors.contains("'cardfeed swipe'"))
    #expect(try await events().isEmpty)
  }
}
