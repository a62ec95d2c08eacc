internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments

extension Tool {
  private static let folder = CommandOption.value(
    "in", "DIR", "The folder whose disk is measured; its files are removed afterwards.",
    default: "results")

  private static let swipes = CommandOption.value(
    "swipes", "NUMBER", "Swipes of each of 64 viewers.", default: "1000")

  private static let syncDelay = CommandOption.value(
    "sync-delay", "MICROSECONDS",
    "Makes each sync of the disk take so much longer, for the store and the loop.",
    default: "0")

  var benchStoreCommand: Command {
    Command(
      name: "store", summary: "Measures durable swipes against a bare loop over SQLite.",
      discussion: """
        64 viewers swipe at once, each waiting until its swipe is on the disk. A bare loop over the \
        C interface then writes the same rows in groups of the same sizes; the two take turns. The \
        exit status is 1 below 60 %. With N waiting at once nobody waits less than N divided by the \
        rate on average (Little's law): the floor is that of the bare loop.
        """, options: [Self.folder, Self.swipes, Self.syncDelay, Self.format]
    ) { arguments, context in
      guard let costs = try await measuredCosts(arguments, context) else { return .failure }
      try context.write(table(of: costs), format: arguments.value("format"))
      return costs.ratio < 0.6 ? .negativeResult : .fine
    }
  }

  var benchCapacityCommand: Command {
    Command(
      name: "capacity", summary: "Works out how far one machine reaches, and what breaks first.",
      discussion: """
        The costs are measured in this run; how people behave is assumed and printed. It is \
        arithmetic, not a measurement of a large installation: docs/Scaling.md says what was and \
        was not tested.
        """, options: [Self.folder, Self.swipes, Self.syncDelay, Self.format]
    ) { arguments, context in
      guard let costs = try await measuredCosts(arguments, context) else { return .failure }
      let model = CapacityModel(costs: costs)
      if arguments.value("format") == "text" {
        try context.write(table(of: costs), format: "text")
        try context.print("")
        for line in model.assumptions.lines { try context.print(line) }
        try context.print(
          "one machine: \(Self.count(model.swipesPerDay)) swipes a day, "
            + "\(Self.count(model.viewersByRate)) viewers by its rate, "
            + "\(Self.bytes(model.hotBytesPerViewer)) hot and "
            + "\(Self.bytes(model.keptBytesPerYear)) a year kept for a viewer")
        try context.print("")
      }
      try context.write(table(of: model), format: arguments.value("format"))
      return .fine
    }
  }

  private func measuredCosts(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> StoreCosts? {
    guard !Machine.isDebug else {
      context.note("this is a debug build, which measures nothing; build with -c release")
      return nil
    }
    guard let measure = plugins.stores.compactMap({ $0.maintenance?.measure }).first else {
      context.note("no store of this program can be measured")
      return nil
    }
    let swipes = try arguments.integer("swipes", in: 1...1_000_000) ?? 1
    let delay = try arguments.integer("sync-delay", in: 0...1_000_000) ?? 0
    let parent = arguments.value("in") ?? "."
    try FileSystem.makeDirectory(parent)
    return try await FileSystem.withScratchDirectory(in: parent) { folder in
      try await measure(
        StoreMaintenance.CostMeasurement(
          folder: folder, viewers: 64, swipes: swipes, syncDelayMicroseconds: UInt32(delay)))
    }
  }

  private func table(of costs: StoreCosts) -> TextTable {
    var table = TextTable(["measured", "value", "unit"])
    func add(_ name: String, _ value: Double, _ decimals: Int, _ unit: String) {
      table.append([.text(name), .number(value, decimals: decimals), .text(unit)])
    }
    add("durable swipes, \(costs.viewers) viewers at once", costs.swipesPerSecond, 0, "1/s")
    add("the same rows by a bare C loop", costs.referencePerSecond, 0, "1/s")
    add("ratio, the median of turns", costs.ratio, 3, "")
    add("swipes that share a commit", costs.groupSize, 1, "")
    add("from asking to receipt, median", costs.medianNanoseconds / 1000, 0, "µs")
    add("from asking to receipt, p99", costs.p99Nanoseconds / 1000, 0, "µs")
    add(
      "mean behind the bare loop, by Little's law", costs.referenceMeanNanoseconds / 1000, 0, "µs")
    add("rows of a group before its commit, median", costs.workNanoseconds / 1000, 0, "µs")
    add("commit of a group, median", costs.commitNanoseconds / 1000, 0, "µs")
    add("commit of a group, p99", costs.commitP99Nanoseconds / 1000, 0, "µs")
    add("one page on the disk (fdatasync), median", costs.syncNanoseconds / 1000, 0, "µs")
    add("one page on the disk (fdatasync), p99", costs.syncP99Nanoseconds / 1000, 0, "µs")
    let sync = max(1, costs.syncNanoseconds)
    add("p99 over the median of one page", costs.p99Nanoseconds / sync, 1, "times")
    add("processor time of a swipe", costs.processorNanoseconds / 1000, 1, "µs")
    add("a swipe, with learning and indexes", costs.bytesPerSwipe, 0, "bytes")
    if let bytes = costs.indexBytesPerSwipe { add("indexes of a swipe", bytes, 0, "bytes") }
    add("a viewer with a hand", costs.bytesPerViewer, 0, "bytes")
    add("a deal of five cards", costs.bytesPerDeal, 0, "bytes")
    add("a pass after its folding", costs.bytesPerFoldedPass, 2, "bytes")
    return table
  }

  private func table(of model: CapacityModel) -> TextTable {
    var table = TextTable([
      "viewers", "swipes a day", "peak a second", "writers", "hot", "indexes", "kept a year",
      "breaks first on one machine",
    ])
    for viewers in [10e6, 100e6, 1e9] {
      let row = model.row(viewers: viewers)
      table.append([
        .text(Self.count(row.viewers)), .text(Self.count(row.swipesPerDay)),
        .text(Self.count(row.peakPerSecond)), .integer(Int(row.writersByRate)),
        .text(Self.bytes(row.hotBytes)), .text(Self.bytes(row.indexBytes)),
        .text(Self.bytes(row.keptBytesPerYear)), .text(row.breaksFirst),
      ])
    }
    return table
  }

  static func count(_ value: Double) -> String { scaled(value, ["", " k", " M", " G", " T"]) }

  static func bytes(_ value: Double) -> String {
    scaled(value, [" B", " kB", " MB", " GB", " TB", " PB"])
  }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var rest = value
    var unit = 0
    while rest >= 1_000, unit < units.count - 1 {
      rest /= 1_000
      unit += 1
    }
    let decimals = rest < 10 && unit > 0 ? 1 : 0
    return TableCell.fixed(rest, decimals: decimals) + units[unit]
  }
}
