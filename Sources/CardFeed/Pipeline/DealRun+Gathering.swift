extension DealRun {
  private var eligibleCount: Int {
    fates.reduce(0) { count, fate in if case .eligible = fate { count + 1 } else { count } }
  }

  /// Asks sources for pages, and then soft filters for leniency, until `needed` cards are eligible
  /// or nothing more can be done.
  mutating func gather(_ needed: Int) async throws {
    var eligible = eligibleCount
    while eligible < needed {
      if plan.trace.batches > 0, isOutOfTime(before: "sources") { return }
      if nextPages.contains(where: { $0 != nil }) {
        guard plan.trace.batches < pipeline.hand.batches else { return degrade(.batchLimit) }
        try await fetch()
      } else if !(try await relax()) {
        return
      }
      eligible = eligibleCount
    }
  }

  /// One page of every source that has one, filtered.
  private mutating func fetch() async throws {
    plan.trace.batches += 1
    let start = rows.count
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
    try await filter(Array(start..<rows.count), from: 0)
  }

  private func check(
    _ page: SourcePage, of source: Pipeline<D>.Source, from cursor: SourceCursor
  ) throws {
    try checkLength(
      min(page.rows.count, source.limit), page.rows.count, "source", source.name)
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
    var taken = 0
    for row in page where known.insert(row).inserted {
      if request.inHand.contains(request.table.number(at: row)) {
        inHandCount += 1
        continue
      }
      rows.append(row)
      sourceOf.append(source)
      fates.append(.eligible)
      taken += 1
    }
    return taken
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
    var kept: [Int] = []
    kept.reserveCapacity(indices.count)
    for (index, verdict) in zip(indices, verdicts) {
      switch verdict {
      case .keep:
        fates[index] = .eligible
        kept.append(index)
      case .remove(let reason, let due):
        fates[index] = .removed(filter: filter, reason: reason, due: due)
        stage.removed += 1
      case .unavailable where isHard:
        fates[index] = .unavailable(filter: filter)
        stage.unavailable += 1
      case .unavailable:
        fates[index] = .eligible
        kept.append(index)
        stage.unavailable += 1
      }
    }
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
      let removed = fates.indices.filter { index in
        if case .removed(filter, _, _) = fates[index] { true } else { false }
      }
      guard !removed.isEmpty else { continue }
      relaxation[filter] += 1
      let back = try await apply(filter, to: removed, as: .relaxation)
      try await self.filter(back, from: filter + 1)
      return true
    }
    return false
  }
}
