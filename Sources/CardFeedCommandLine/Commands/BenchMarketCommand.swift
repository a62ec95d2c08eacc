internal import CardFeedExperiments

extension Tool {
  var benchMarketCommand: Command {
    Command(
      name: "market", summary: "Measures how long lists for everybody of a market take.",
      discussion: "One thread. A debug build refuses to measure.", options: [Self.format]
    ) { arguments, context in
      guard !Machine.isDebug else {
        context.note("this is a debug build, which measures nothing; build with -c release")
        return .failure
      }
      var table = TextTable(["what", "milliseconds", "expected matches"])
      for row in ListSpeed().rows() {
        table.append([
          .text(row.name), .number(row.seconds * 1000, decimals: 2),
          .number(row.expectedMatches, decimals: 4),
        ])
      }
      try context.write(table, format: arguments.value("format"))
      return .fine
    }
  }
}
