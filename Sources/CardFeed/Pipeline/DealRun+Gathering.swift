extension DealRun {
  /// Asks sources for pages, and then soft filters for leniency, until `needed` cards are eligible
  /// or nothing more can be done.
  mutating func gather(_ needed: Int) async throws {
    var eligible = candidates.eligibleCount
    while eligible < needed {
      if plan.trace.batches > 0, isOutOfTime(before: "sources") { return }
      let hasPages = nextPages.contains { $0 != nil }
      if hasPages, plan.trace.batches < pipeline.hand.batches {
        try await fetch()
      } else if hasPages, !request.ranDry {
        return degrade(.batchLimit)
      } else {
        plan.ranDry = true
        if try await !relax() { return hasPages ? degrade(.batchLimit) : () }
      }
      eligible = candidates.eligibleCount
    }
  }

  /// One page of every source that has one, filtered.
  private mutating func fetch() async throws {
    plan.trace.batches += 1
    let start = candidates.count
    for (index, source) in pipeline.sources.enumerated() {
      guard let cursor = nextPages[index] else { continue }
      var stage = DealTrace.Stage(.source, source.name, entered: 0)
      do {
        let page = try await source.strategy.page(
          from: cursor, limit: source.limit, table: request.table, context: request.context)
        try check(page, of: source, from: cursor)
        stage.entered = page.rows.count
        stage.kept = take(page.rows, from: index)
        stage.removed = stage.entered - stage.kept
        nextPages[index] = page.next
        if let failure = page.failure {
          stage.failure = failure.rawValue
          degrade(.source(name: source.name, failure: failure))
        }
      } catch let fault as FeedError where fault.code == .strategyFault {
        throw fault
      } catch {
        nextPages[index] = nil
        let failure = error as? SourceFailure ?? .failed
        stage.failure = failure.rawValue
        degrade(.source(name: source.name, failure: failure))
      }
      plan.trace.stages.append(stage)
    }
    try await filter(Array(start..<candidates.count), from: 0)
  }

  private func check(
    _ page: SourcePage, of source: Pipeline<D>.Source, from cursor: SourceCursor
  ) throws {
    guard page.rows.count <= source.limit else {
      throw FeedError(
        .strategyFault,
        "the source '\(source.name)' proposed \(page.rows.count) cards in a page of "
          + "\(source.limit) at most",
        hint: "a source keeps to the limit it is given and returns a cursor to the rest")
    }
    guard page.rows.allSatisfy({ (0..<request.table.count).contains($0.index) }) else {
      throw FeedError(
        .strategyFault,
        "the source '\(source.name)' proposed a row outside of its table of "
          + "\(request.table.count) cards",
        hint: "a source proposes rows of the table that it was given")
    }
    guard page.next != cursor else {
      throw FeedError(
        .strategyFault, "the source '\(source.name)' returned the cursor it was given",
        hint: "a page's next cursor moves on, or is nil at the end")
    }
  }

  /// Takes the rows that are new; returns how many.
  private mutating func take(_ page: [Row], from source: Int) -> Int {
    proposedCount += page.count
    let result = candidates.take(
      page, numbers: request.table.numbers(at: page), from: source, inHand: request.inHand)
    inHandCount += result.inHand
    return result.taken
  }

  /// Sends candidates through the filters from `first` on.
  private mutating func filter(_ indices: [Int], from first: Int) async throws {
    var rest = indices
    for filter in first..<max(first, pipeline.filters.count) where !rest.isEmpty {
      rest = try await apply(filter, to: rest, as: .filter)
    }
  }

  /// Asks one filter about candidates; returns those that go on.
  mutating func apply(
    _ filter: Int, to indices: [Int], as kind: DealTrace.Kind
  ) async throws -> [Int] {
    let named = pipeline.filters[filter]
    let isHard = named.strategy.kind == .hard
    var stage = DealTrace.Stage(kind, named.name, entered: indices.count)
    var verdicts: [FilterVerdict]
    do {
      verdicts = try await named.strategy.verdicts(
        for: slate(indices), relaxation: relaxation[filter])
    } catch {
      stage.failure = "the filter failed"
      degrade(.strategy(name: named.name))
      verdicts = Array(repeating: .unavailable, count: indices.count)
    }
    try checkLength(verdicts.count, indices.count, "filter", named.name)
    let (kept, removed, unavailable) = candidates.enter(
      verdicts, of: filter, isHard: isHard, for: indices)
    stage.removed = removed
    stage.unavailable = unavailable
    stage.kept = kept.count
    plan.trace.stages.append(stage)
    return kept
  }

  /// Relaxes one soft filter by one step: the last one listed that still can and has removed
  /// anything. Returns whether there was one.
  private mutating func relax() async throws -> Bool {
    for filter in pipeline.filters.indices.reversed() {
      let strategy = pipeline.filters[filter].strategy
      guard strategy.kind == .soft, relaxation[filter] < strategy.relaxations else { continue }
      let removed = candidates.removed(by: filter)
      guard !removed.isEmpty else { continue }
      relaxation[filter] += 1
      let back = try await apply(filter, to: removed, as: .relaxation)
      try await self.filter(back, from: filter + 1)
      return true
    }
    return false
  }
}
