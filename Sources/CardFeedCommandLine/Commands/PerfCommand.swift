internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments
internal import CardFeedStack

extension Tool {
  /// Measures speed as ratios and counts allocations.
  func measure(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    if arguments.value("peers") != nil, arguments.value("inputs") == nil {
      throw arguments.error(
        "--peers stands without --inputs; allowed: both",
        hint: "figures of others are compared with those of the same files")
    }
    guard !Machine.isDebug else {
      context.note("this is a debug build, which measures nothing; build with -c release")
      return .failure
    }
    if let directory = arguments.value("inputs") {
      return try await measurePeerTasks(in: directory, arguments, context)
    }
    var table = TextTable(["what", "operations", "allocations", "ns each", "ratio"])
    let reference = Self.sortReference()
    table.append([
      "sort 2,000 numbers (the reference)", .integer(reference.operations), .missing,
      .number(reference.nanoseconds, decimals: 0), .number(1, decimals: 3),
    ])
    for row in StackWorkload.all(allocations: allocations) {
      table.append([
        .text(row.name), .integer(row.operations),
        row.allocations.map { .integer($0) } ?? .missing,
        .number(row.nanoseconds, decimals: 0),
        .number(row.nanoseconds / reference.nanoseconds, decimals: 5),
      ])
    }
    let wall = { Double(SystemClock().uptimeNanoseconds) * 1e-9 }
    for row in try await handWorkloads() + LearningWorkload(clock: wall).all() {
      table.append([
        .text(row.name), .integer(row.operations), .missing,
        .number(row.nanoseconds, decimals: 0),
        .number(row.nanoseconds / reference.nanoseconds, decimals: 3),
      ])
    }
    try context.write(table, format: arguments.value("format"))
    let allocates = StackWorkload.all(allocations: allocations).contains { row in
      row.allocations.map { $0 > 0 } ?? false
    }
    if allocates { context.note("a card stack allocated after it was made") }
    return allocates ? .negativeResult : .fine
  }

  /// What everything is compared with: sorting 2,000 numbers, which every ranking has to do.
  private static func sortReference() -> (operations: Int, nanoseconds: Double) {
    var generator = SplitMix64(seed: 1)
    let numbers = (0..<2000).map { _ in generator.unitInterval() }
    let rounds = 300
    var check = 0.0
    let clock = SystemClock()
    let start = clock.uptimeNanoseconds
    for round in 0..<rounds {
      var copy = numbers
      copy[round] = 2
      copy.sort()
      check += copy[1999]
    }
    let time = Double(clock.uptimeNanoseconds - start)
    precondition(check == Double(rounds) * 2, "The reference sorted wrongly.")
    return (rounds, time / Double(rounds))
  }

  private func handWorkloads() async throws -> [WorkloadRow] {
    let data = try generated(waves: 5, people: 200, seed: 1)
    // Some of the generated people have no age, which would leave them without a hand.
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "dating", "hand": ["size": 5, "refillBelow": 1],
        "filters": [
          ["use": "already-swiped"], ["use": "blocked"],
          ["use": "legal-age", "unknown": "adult"], ["use": "mutual-preferences"],
        ],
      ],
      file: "built-in benchmark", plugins: plugins)
    return try await withFeed(configuration, HandWorkloads(data: data))
  }

  private struct HandWorkloads: FeedTask {
    typealias Outcome = [WorkloadRow]

    let data: SpeedDatingData

    var people: [SpeedDatingData.Person] { data.persons }

    func run<P: DeckPlugin, Store: FeedStore>(
      _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> [WorkloadRow] {
      let cards = try people.map { try deck.card(from: SpeedDatingCards.json(of: $0, in: data)) }
      try await feed.put(cards)
      let viewers = people.prefix(200).map { ViewerID(SpeedDatingData.cardID(person: $0.id)) }
      var held = 0
      func measure(_ name: String, rounds: Int = 1) async throws -> WorkloadRow {
        let clock = SystemClock()
        let start = clock.uptimeNanoseconds
        held = 0
        for _ in 0..<rounds {
          for viewer in viewers { held += try await feed.hand(for: viewer).cards.count }
        }
        let operations = rounds * viewers.count
        return WorkloadRow(
          name: name, operations: operations, allocations: nil,
          nanoseconds: Double(clock.uptimeNanoseconds - start) / Double(operations))
      }
      var rows = [
        try await measure(
          "deal 5 cards out of \(people.count), mutual preferences keep half")
      ]
      precondition(held == viewers.count * 5, "A hand was not full.")
      rows.append(try await measure("ask again for the hand", rounds: 50))
      precondition(held == viewers.count * 5 * 50, "A hand has changed.")
      // Of people whom nobody holds: the version moves, and no card of a hand has.
      try await feed.put([])
      rows.append(try await measure("ask for it after a change of others"))
      // The same cards as before, so that everybody's hand is judged and nobody leaves one.
      try await feed.put(cards)
      rows.append(try await measure("ask for it when each card was put again"))
      precondition(held == viewers.count * 5, "A hand has changed.")
      return rows
    }
  }
}

/// One line of the table of speeds.
struct WorkloadRow {
  let name: String
  let operations: Int
  let allocations: Int?
  let nanoseconds: Double
  /// What the same task is called where others are measured; empty where nobody does.
  var beside = ""
}

/// The operations of a card stack after its beginning, none of which may allocate.
private enum StackWorkload {
  struct Item: Identifiable, Sendable {
    let id: Int
  }

  static func all(allocations: (@Sendable () -> UInt64)?) -> [WorkloadRow] {
    var stack = CardStack<Item, Bool>(capacity: 64, historyLimit: 64)
    var next = 0
    func batch() -> [Item] {
      next += 32
      return (next - 32..<next).map { Item(id: $0) }
    }
    _ = stack.append(batch())
    var rows: [WorkloadRow] = []

    func measure(_ name: String, _ operations: Int, _ body: () -> Void) {
      // Once before, so that what the runtime prepares at the first use is not counted.
      body()
      let clock = SystemClock()
      let before = allocations?() ?? 0
      let start = clock.uptimeNanoseconds
      body()
      let time = clock.uptimeNanoseconds - start
      let after = allocations?() ?? 0
      rows.append(
        WorkloadRow(
          name: name, operations: operations,
          allocations: allocations == nil ? nil : Int(after - before),
          nanoseconds: Double(time) / Double(operations)))
      stack.checkInvariants()
    }

    measure("card stack: swipe and rewind", 200_000) {
      for _ in 0..<100_000 {
        guard let token = stack.token else { return }
        do {
          try stack.swipe(token, answer: true)
          try stack.rewind()
        } catch { preconditionFailure("A swipe of the top or its rewind was refused: \(error)") }
      }
    }
    // The batches are made before the count begins.
    let batches = (0..<2000).map { _ in batch() }
    var used = 0
    measure("card stack: append 32 cards and swipe them", 33_000) {
      for _ in 0..<1000 {
        _ = stack.append(batches[used])
        used += 1
        while let token = stack.token {
          do { try stack.swipe(token, answer: false) } catch {
            preconditionFailure("A swipe of the top was refused: \(error)")
          }
        }
      }
    }
    return rows
  }
}
