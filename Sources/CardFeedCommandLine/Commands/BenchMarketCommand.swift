internal import CardFeedExperiments

extension Tool {
  var benchMarketCommand: Command {
    Command(
      name: "market", summary: "Measures how long lists for everybody of a market take.",
      discussion:
        "One thread. Peak is the memory that the process held beyond what it held before; "
        + "all pairs is the size of both matrices of probabilities. A debug build refuses to measure.",
      options: [Self.format]
    ) { arguments, context in
      guard !Machine.isDebug else {
        context.note("this is a debug build, which measures nothing; build with -c release")
        return .failure
      }
      var table = TextTable(["what", "milliseconds", "expected matches", "peak MB", "all pairs MB"])
      for row in ListSpeed(memory: Machine.peakBytes).rows() {
        table.append([
          .text(row.name), .number(row.seconds * 1000, decimals: 2),
          .number(row.expectedMatches, decimals: 4),
          row.peakBytes.map { .number(Double($0) / 1e6, decimals: 1) } ?? .missing,
          .number(Double(row.pairBytes) / 1e6, decimals: 1),
        ])
      }
      try context.write(table, format: arguments.value("format"))
      return .fine
    }
  }
}
