extension InMemoryStore: MaintainableStore {
  /// Everything that is kept of one person. O(store).
  public func export(person: CardNumber) async throws -> PersonExport {
    read { $0.export(person) }
  }

  /// Removes everything that is kept of one person. O(store).
  public func erase(person: CardNumber) async throws -> ErasureReport {
    tables.withLock { $0.erase(person) }
  }

  /// Removes the exposures of deals before a time. O(deals).
  public func prune(exposuresBefore time: Timestamp) async throws -> Int {
    tables.withLock { tables in
      let old = tables.exposures.keys.filter { deal in
        tables.stored(deal).map { $0.event.time < time } ?? true
      }
      return old.reduce(0) { $0 + (tables.exposures.removeValue(forKey: $1)?.count ?? 0) }
    }
  }

  /// Folds old answers into one set of cards for each viewer. O(store).
  public func ageOut(
    negativesBefore: Timestamp?, unansweredLikesBefore: Timestamp?
  ) async throws -> AgeOutReport {
    tables.withLock { tables in
      var report = AgeOutReport()
      for viewer in tables.seen.keys.sorted() {
        tables.ageOut(viewer, negativesBefore, unansweredLikesBefore, &report)
      }
      return report
    }
  }
}

extension InMemoryTransaction {
  fileprivate func export(_ person: CardNumber) -> PersonExport {
    var export = PersonExport(number: person)
    let index = Int(person.rawValue) - 1
    export.id = ids.indices.contains(index) ? ids[index] : nil
    export.card = cards[person]
    export.events = log.indices.compactMap { logged(at: $0) }.filter {
      $0.viewer == person && $0.kind != .erasure && $0.kind != .ageOut
    }
    for event in export.events where event.kind == .deal {
      export.exposures += (exposures[event.position] ?? []).map { (event.position, $0) }
    }
    let rows = seen[person] ?? [:]
    export.seen = folded[person]?.completing(rows) ?? rows
    for viewer in (received[person] ?? [:]).keys {
      guard let meaning = seen[viewer]?[person]?.answer?.meaning else { continue }
      export.answersReceived[meaning, default: 0] += 1
    }
    export.matches = matches.values.filter { $0.low == person || $0.high == person }
      .sorted { $0.event < $1.event }
    export.stack = stacks[person]
    export.deals = deals[person] ?? 0
    for learner in Set(blobs.keys).union(deltas.map(\.learner)) {
      var sum = IncrementSum()
      sum.add(blobs[learner]?.numbers ?? [])
      let position = blobs[learner]?.position ?? .start
      for delta in deltas where delta.learner == learner && delta.position > position {
        sum.add(delta.increments)
      }
      let own = sum.only(person)
      if !own.isEmpty { export.learned[learner] = own }
    }
    return export
  }

  fileprivate mutating func erase(_ person: CardNumber) -> ErasureReport {
    let index = Int(person.rawValue) - 1
    guard ids.indices.contains(index), let id = ids[index] else {
      return ErasureReport(events: 0, exposures: 0)
    }
    let gone = log.indices.compactMap { logged(at: $0) }.filter {
      $0.viewer == person || $0.card == person
    }
    let time = gone.last?.time ?? Timestamp(milliseconds: 0)
    let erasure = append(
      NewEvent(kind: .erasure, viewer: person, card: person, time: time))
    var exposed = gone.reduce(0) { $0 + (exposures[$1.position]?.count ?? 0) }
    remove(gone.map(\.position), keepingLearnedAt: erasure, except: person)
    for (deal, cards) in exposures {
      let rest = cards.filter { $0.card != person }
      exposed += cards.count - rest.count
      exposures[deal] = rest
    }
    forgetWhatRemovedEventsTaught(of: person)
    for learner in blobs.keys { blobs[learner] = blobs[learner]?.forgetting(person) }
    ids[index] = nil
    numbers[id] = nil
    cards[person] = nil
    cardOrder.removeAll { $0 == person }
    seen[person] = nil
    received[person] = nil
    folded[person] = nil
    stacks[person] = nil
    deals[person] = nil
    swipes[person] = nil
    for other in seen.keys { seen[other]?[person] = nil }
    for other in received.keys { received[other]?[person] = nil }
    for other in folded.keys { folded[other]?.remove(person) }
    for other in standings.keys { standings[other]?[person] = nil }
    standings[person] = [person: .unknown]
    matches = matches.filter { $0.key.low != person && $0.key.high != person }
    return ErasureReport(events: gone.count, exposures: exposed)
  }

  /// What was kept of events that were folded, or went with somebody else, names them too.
  private mutating func forgetWhatRemovedEventsTaught(of person: CardNumber) {
    let removals = Set(
      log.indices.compactMap { logged(at: $0) }
        .filter { $0.kind == .ageOut || $0.kind == .erasure }.map(\.position))
    deltas = deltas.compactMap { delta in
      guard removals.contains(delta.position) else { return delta }
      let rest = delta.increments.filter { $0.key.owner != person }
      return rest.isEmpty
        ? nil : MemoryDelta(position: delta.position, learner: delta.learner, increments: rest)
    }
  }

  /// Takes events out of the log with everything that hangs on them. What they taught since a
  /// learner's blob stays as one delta of the event that takes their place.
  private mutating func remove(
    _ positions: [LogPosition], keepingLearnedAt event: LogPosition,
    except person: CardNumber? = nil
  ) {
    let gone = Set(positions)
    var sums: [String: IncrementSum] = [:]
    for delta in deltas where gone.contains(delta.position) {
      let position = blobs[delta.learner]?.position ?? .start
      guard delta.position > position else { continue }
      sums[delta.learner, default: IncrementSum()].add(delta.increments)
    }
    deltas.removeAll { gone.contains($0.position) }
    for (learner, var sum) in sums.sorted(by: { $0.key < $1.key }) {
      if let person { sum.forget(person) }
      if sum.increments.isEmpty { continue }
      deltas.append(
        MemoryDelta(position: event, learner: learner, increments: sum.increments))
    }
    for position in positions {
      let index = Int(position.rawValue) - 1
      guard let stored = log[index]?.event else { continue }
      if let clientID = stored.clientID {
        clientEvents[ClientEventKey(viewer: stored.viewer, event: clientID)] = nil
      }
      deltasBySwipe[position] = nil
      exposures[position] = nil
      log[index] = nil
    }
    for viewer in swipes.keys { swipes[viewer]?.removeAll { gone.contains($0) } }
  }

  fileprivate mutating func ageOut(
    _ viewer: ViewerNumber, _ negativesBefore: Timestamp?, _ likesBefore: Timestamp?,
    _ report: inout AgeOutReport
  ) {
    let old = (seen[viewer] ?? [:]).filter { card, entry in
      guard let answer = entry.answer, entry.dealtAt.map({ $0 <= answer.time }) ?? true,
        matches[PairKey(viewer, card)] == nil
      else { return false }
      switch answer.meaning {
      case .negative: return negativesBefore.map { answer.time < $0 } ?? false
      case .positive:
        return likesBefore.map { answer.time < $0 } ?? false
          && seen[card]?[viewer]?.answer == nil
      case .neutral: return false
      }
    }
    guard !old.isEmpty else { return }
    var events: [CardNumber: [MemoryEvent]] = [:]
    var places: [CardNumber: [LogPosition]] = [:]
    var earlier: [LogPosition] = []
    for (index, stored) in log.enumerated() {
      guard let stored, stored.event.viewer == viewer else { continue }
      let position = LogPosition(Int64(index + 1))
      if stored.event.kind == .ageOut, folded[viewer]?.groups.isEmpty == false {
        earlier = [position]
      }
      guard let card = stored.event.card, old[card] != nil else { continue }
      events[card, default: []].append(stored)
      places[card, default: []].append(position)
    }
    let free = old.keys.sorted().filter { card in
      (events[card] ?? []).allSatisfy { stored in
        stored.event.match == nil && stored.event.endedMatch == nil
          && [.swipe, .rewind, .impression].contains(stored.event.kind)
      }
    }
    guard !free.isEmpty else { return }
    let last = free.compactMap { old[$0]?.answer?.time }.max() ?? Timestamp(milliseconds: 0)
    let place = append(NewEvent(kind: .ageOut, viewer: viewer, time: last))
    let gone = free.flatMap { places[$0] ?? [] }
    remove((gone + earlier).sorted(), keepingLearnedAt: place)
    var sets = folded[viewer] ?? FoldedAnswers()
    for card in free {
      guard let answer = old[card]?.answer else { continue }
      sets.fold(card, answer)
      setSeen(viewer, card, nil)
      if answer.meaning == .positive { report.likes += 1 } else { report.negatives += 1 }
    }
    folded[viewer] = sets
    report.viewers += 1
    report.events += gone.count
    report.bytes += sets.groups.values.reduce(0) { $0 + $1.image.count }
  }
}
