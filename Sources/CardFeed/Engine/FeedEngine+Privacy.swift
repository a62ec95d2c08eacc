/// Privacy and retention, for feeds whose store is a `MaintainableStore`.
extension FeedEngine {
  /// Everything that is kept of one viewer, and in a deck of people of their card.
  ///
  /// - Throws: `FeedError.Code.store` if the store cannot export; what the store throws.
  public func export(_ viewer: ViewerID) async throws -> PersonExport {
    let store = try maintainable("export people")
    let number = try await number(of: viewer)
    return try await store.export(person: number)
  }

  /// Removes everything that is kept of one viewer, in the store and in memory: the session, the
  /// row of the table, the learned numbers, their part of every model, and what other sessions
  /// remember of them. Whoever comes
  /// with the same identifier later is somebody new. O(store + cards + sessions).
  ///
  /// - Throws: `FeedError.Code.store` if the store cannot erase; what the store throws. Nothing was
  ///   erased then.
  @discardableResult
  public func erase(_ viewer: ViewerID) async throws -> ErasureReport {
    let store = try maintainable("erase people")
    let number = try await number(of: viewer)
    var report = ErasureReport(events: 0, exposures: 0)
    try await sessions.use(viewer) { session in
      try await catalogue.update { table in
        report = try await learnerSaves.run { try await store.erase(person: number) }
        return table.purging(number, deck: deck)
      }
      session.forget()
    }
    // Before the sessions, which may have to be waited for: a training that ends meanwhile would
    // write the person into its file.
    forgetInModels(viewer)
    await forget([number])
    return report
  }

  /// Takes people who were erased out of the learned numbers and the sessions. O(sessions).
  func forget(_ erased: Set<CardNumber>) async {
    guard !erased.isEmpty else { return }
    await forgetInLearners(erased)
    for viewer in sessions.viewers {
      await sessions.use(viewer) { session in
        guard session.isLoaded else { return }
        if erased.contains(session.number) { return session.forget() }
        for person in erased { session.seen[person] = nil }
        session.returned.removeAll { erased.contains($0) }
        // The swipes of their cards are gone from the log.
        session.spent = nil
        session.given = nil
        session.shown = nil
        await removeDurably(erased.sorted(), from: session)
      }
    }
    // Once more: a swipe that was durable before the erasure was, teaches after it, in its lane. By
    // now each of those has ended, and no later one finds the person.
    await forgetInLearners(erased)
  }

  /// Reading and taking away are one, also beside impressions that are counted.
  private func forgetInLearners(_ erased: Set<CardNumber>) async {
    await counting.run {
      for learner in pipelines.learners {
        for person in erased { learner.numbers.forget(person) }
      }
    }
  }

  /// Removes the exposures of deals before a time. Cards stay dealt.
  ///
  /// - Returns: How many exposures were removed.
  /// - Throws: `FeedError.Code.store` if the store cannot prune; what the store throws.
  public func prune(exposuresBefore time: Timestamp) async throws -> Int {
    try await maintainable("prune exposures").prune(exposuresBefore: time)
  }

  /// Folds old negative answers and old likes that were never answered. The cards stay seen; what
  /// was folded is too old to be taken back. Sessions are read anew when they are next used.
  ///
  /// - Throws: `FeedError.Code.store` if the store cannot fold; what the store throws.
  public func ageOut(
    negativesBefore: Timestamp?, unansweredLikesBefore: Timestamp?
  ) async throws -> AgeOutReport {
    let store = try maintainable("fold answers")
    let report = try await learnerSaves.run {
      try await store.ageOut(
        negativesBefore: negativesBefore, unansweredLikesBefore: unansweredLikesBefore)
    }
    for viewer in sessions.viewers {
      await sessions.use(viewer) { $0.isLoaded = false }
    }
    return report
  }

  /// The identifiers that the store knows for numbers, those of erased people left out.
  package func identifiers(of numbers: [CardNumber]) async throws -> [CardNumber: CardID] {
    let numbers = Array(Set(numbers))
    let ids = try await store.ids(for: numbers)
    return Dictionary(
      uniqueKeysWithValues: zip(numbers, ids).compactMap { number, id in id.map { (number, $0) } })
  }

  private func maintainable(_ purpose: String) throws -> any MaintainableStore {
    guard let store = store as? any MaintainableStore else {
      throw FeedError(
        .store, "the feed's store cannot \(purpose)",
        hint: "use a store that conforms to MaintainableStore, such as sqlite")
    }
    return store
  }

  private func number(of viewer: ViewerID) async throws -> ViewerNumber {
    let identity = ViewerIdentity.stored(viewer, isMutual: deck.policy.isMutual)
    guard let number = try await store.numbers(for: [identity]).first else {
      throw FeedError(.store, "the store gave no number for a viewer")
    }
    return number
  }
}

extension LearnedNumbers {
  /// Makes an owner's numbers zero. Increments, so that what others add meanwhile is kept.
  func forget(_ owner: CardNumber) {
    let slots = (0..<stride).map { UInt8($0) }
    let held = read { reader in
      slots.map { Increment(.init(owner: owner, slot: $0), reader(owner, $0)) }
    }
    apply(held.filter { $0.amount != 0 }, sign: -1)
  }
}
