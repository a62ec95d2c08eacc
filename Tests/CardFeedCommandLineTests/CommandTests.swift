import CardFeedCommandLine
import Glibc
import Testing

/// Parsing, help and errors of a small tool, compared verbatim.
struct CommandTests {
  /// Prints how it was called, so that a test can see what the parser made of it.
  static let echo: Command.Run = { arguments, context in
    try context.print("format \(arguments.value("format") ?? "-")")
    try context.print("seed \(try arguments.integer("seed", in: 0...99) ?? -1)")
    try context.print("share \(try arguments.number("share", in: 0...1) ?? -1)")
    try context.print("set \(arguments.values("set"))")
    try context.print("verbose \(arguments.flag("verbose"))")
    try context.print("data set \(arguments.required("DATASET"))")
    try context.print("files \(arguments.arguments("FILE"))")
    return .negativeResult
  }

  static let tool = Command(
    name: "cardfeed", summary: "Deals cards.",
    options: [
      .value(
        "format", short: "f", "FORMAT", "How results are written.", default: "text",
        allowed: ["text", "json", "csv"]),
      .flag("verbose", short: "v", "Says more."),
    ],
    subcommands: [
      Command(
        name: "bench", summary: "Measures.",
        subcommands: [
          Command(
            name: "run", summary: "Runs an experiment.",
            discussion: """
              Plays a recorded log through a feed and reports how good its hands were, with a \
              confidence interval for every number.

                cardfeed bench run log.csv feed.json

              The same seed gives the same numbers.
              """,
            arguments: [
              CommandArgument("DATASET", "The recorded log."),
              CommandArgument("FILE", "A configuration.", count: .any),
            ],
            options: [
              .value("seed", short: "s", "NUMBER", "Seeds the random generator.", default: "1"),
              .value("share", "SHARE", "The part of the log to play."),
              .value("set", "KEY=VALUE", "Changes the configuration.", isRepeatable: true),
              .value("a-very-long-option-name", "WITH-VALUE", "Is declared on its own line."),
            ],
            run: echo)
        ]),
      Command(
        name: "train", summary: "Trains a model.",
        options: [.value("model", "FILE", "Where the model goes.", isRequired: true)]
      ) { arguments, context in
        switch arguments.value("model") {
        case "broken": throw FileError(.read, path: "broken", code: ENOENT)
        case "closed": throw FileError(.write, path: "standard output", code: EPIPE)
        case "odd": throw arguments.error("a model cannot be odd; allowed: even ones")
        default: return .fine
        }
      },
    ])

  private func call(_ arguments: [String], width: Int = 80) async -> (
    status: CardFeedCommandLine.ExitStatus, output: String, errors: String
  ) {
    let captured = CapturedContext(width: width)
    let status = await Self.tool.execute(
      arguments, version: "1.2.3", context: captured.context)
    return (status, captured.output.text, captured.errors.text)
  }

  @Test func everyWayToWriteAnOptionWorks() async {
    let result = await call([
      "-f", "json", "bench", "-v", "run", "--seed=7", "log.csv", "--share", "-0", "--set", "a=1",
      "--set=b=", "-5", "--", "--seed", "-",
    ])
    #expect(result.status == .negativeResult)
    #expect(
      result.output == """
        format json
        seed 7
        share -0.0
        set ["a=1", "b="]
        verbose true
        data set log.csv
        files ["-5", "--seed", "-"]

        """)
    #expect(result.errors == "")
  }

  @Test func defaultsApply() async {
    let result = await call(["bench", "run", "-s=0", "-"])
    #expect(
      result.output == """
        format text
        seed 0
        share -1.0
        set []
        verbose false
        data set -
        files []

        """)
  }

  static let bench = """

    Usage: cardfeed bench run [options] DATASET [FILE...]
    'cardfeed bench run --help' says more.

    """

  @Test(
    arguments: [
      (
        [],
        "error: a command is missing after 'cardfeed'; allowed: bench, train\n"
          + "Usage: cardfeed [options] COMMAND\n'cardfeed --help' says more.\n"
      ),
      (
        ["bench"],
        "error: a command is missing after 'cardfeed bench'; allowed: run\n"
          + "Usage: cardfeed bench [options] COMMAND\n'cardfeed bench --help' says more.\n"
      ),
      (
        ["trian"],
        "error: unknown command 'trian' after 'cardfeed'; allowed: bench, train; "
          + "did you mean 'train'?\n"
          + "Usage: cardfeed [options] COMMAND\n'cardfeed --help' says more.\n"
      ),
      (
        ["bench", "run", "x", "--sede", "1"],
        "error: unknown option '--sede' of 'cardfeed bench run'; did you mean '--seed'?" + bench
      ),
      (
        ["bench", "run", "x", "-q"],
        "error: unknown option '-q' of 'cardfeed bench run'" + bench
      ),
      (
        ["bench", "run", "x", "--format", "jsn"],
        "error: '--format' cannot be 'jsn'; allowed: text, json, csv; did you mean 'json'?" + bench
      ),
      (
        ["bench", "run", "x", "--seed"],
        "error: the option '--seed' needs a value; write --seed NUMBER, or --seed=NUMBER for a "
          + "value that begins with a dash" + bench
      ),
      (
        ["bench", "run", "x", "-s", "--verbose"],
        "error: the option '-s' needs a value; write -s NUMBER, or -s=NUMBER for a "
          + "value that begins with a dash" + bench
      ),
      (
        ["bench", "run", "x", "--seed", "1", "-s", "1"],
        "error: the option '--seed' is given twice; leave one out" + bench
      ),
      (
        ["bench", "run", "x", "--verbose=yes"],
        "error: the flag '--verbose' takes no value" + bench
      ),
      (["bench", "run"], "error: the argument DATASET is missing" + bench),
      (
        ["bench", "run", "x", "--seed", "100"],
        "error: '--seed' cannot be '100'; allowed: a whole number from 0 to 99" + bench
      ),
      (
        ["bench", "run", "x", "--share", "nan"],
        "error: '--share' cannot be 'nan'; allowed: a number from 0.0 to 1.0" + bench
      ),
      (
        ["train"],
        "error: the option '--model' is missing\n"
          + "Usage: cardfeed train --model FILE [options]\n'cardfeed train --help' says more.\n"
      ),
      (
        ["train", "--model", "m", "x"],
        "error: unexpected argument 'x'; allowed: none\n"
          + "Usage: cardfeed train --model FILE [options]\n'cardfeed train --help' says more.\n"
      ),
      (
        ["train", "--model", "odd"],
        "error: a model cannot be odd; allowed: even ones\n"
          + "Usage: cardfeed train --model FILE [options]\n'cardfeed train --help' says more.\n"
      ),
    ] as [([String], String)])
  func wrongUsageIsExplained(_ arguments: [String], _ errors: String) async {
    let result = await call(arguments)
    #expect(result.status == .usage)
    #expect(result.errors == errors)
  }

  @Test func failuresAreReported() async {
    let broken = await call(["train", "--model", "broken"])
    #expect(broken.status == .failure)
    #expect(
      broken.errors == "error: cannot read 'broken': No such file or directory (error 2); "
        + "check the spelling of the path\n")
    let closed = await call(["train", "--model", "closed"])
    #expect(closed.status == .failure)
    #expect(closed.errors == "")
  }

  @Test func helpOfACommand() async {
    let result = await call(["bench", "run", "--help"])
    #expect(result.status == .fine)
    #expect(result.errors == "")
    #expect(
      result.output == """
        cardfeed bench run: Runs an experiment.

        Usage: cardfeed bench run [options] DATASET [FILE...]

        Plays a recorded log through a feed and reports how good its hands were, with a
        confidence interval for every number.

          cardfeed bench run log.csv feed.json

        The same seed gives the same numbers.

        Arguments:
          DATASET  The recorded log.
          FILE     A configuration.

        Options:
          -s, --seed NUMBER    Seeds the random generator. (default: 1)
              --share SHARE    The part of the log to play.
              --set KEY=VALUE  Changes the configuration. (may be repeated)
              --a-very-long-option-name WITH-VALUE
                               Is declared on its own line.
          -f, --format FORMAT  How results are written. (one of text, json, csv;
                               default: text)
          -v, --verbose        Says more.
          -h, --help           Shows this help.

        """)
    #expect(await call(["help", "bench", "run"]) == result)
  }

  @Test func helpOfAGroupAtANarrowTerminal() async {
    let result = await call(["-h"], width: 20)
    #expect(
      result.output == """
        cardfeed: Deals cards.

        Usage: cardfeed [options] COMMAND

        Commands:
          bench  Measures.
          train  Trains a model.

        Options:
          -f, --format FORMAT
                         How results are
                         written. (one of text,
                         json, csv; default:
                         text)
          -v, --verbose  Says more.
          -h, --help     Shows this help.
              --version  Shows the version.

        'cardfeed COMMAND --help' says more
        about a command.

        """)
  }

  @Test func versionIsShown() async {
    let result = await call(["--version"])
    #expect(result == (.fine, "cardfeed 1.2.3\n", ""))
    #expect(await call(["train", "--version"]) == result)
  }

  @Test func exitStatusesAreTheDocumentedNumbers() {
    #expect(CardFeedCommandLine.ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 64])
  }

  @Test func wrongDeclarationsTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = Command(name: "x", summary: "", options: [.flag("help", "")], subcommands: [])
    }
    await #expect(processExitsWith: .failure) {
      _ = Command(
        name: "x", summary: "",
        arguments: [.init("A", "", count: .any), .init("B", "")], run: CommandTests.echo)
    }
    await #expect(processExitsWith: .failure) {
      _ = Command(
        name: "x", summary: "", options: [.flag("a", ""), .flag("b", short: "a", "")],
        run: CommandTests.echo)
    }
  }
}
