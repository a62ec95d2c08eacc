public import CardFeed

extension SQLiteTransaction {
  /// What a viewer and a card had to do with each other. O(log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public func seen(_ viewer: ViewerNumber, _ card: CardNumber) throws -> SeenEntry? {
    try connection.firstRow(StoreStatements.seen, .number(viewer), .number(card)) { row in
      try row.seenEntry(at: 0)
    }
  }

  /// Replaces it; nil removes it. O(log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func setSeen(
    _ viewer: ViewerNumber, _ card: CardNumber, _ entry: SeenEntry?
  ) throws {
    var entry = entry
    // A folded answer has its place in the set.
    if entry?.answer?.event == .start { entry?.answer = nil }
    guard let entry, entry != SeenEntry() else {
      try connection.run(StoreStatements.removeSeen, .number(viewer), .number(card))
      return
    }
    try connection.run(
      StoreStatements.setSeen, .number(viewer), .number(card), .time(entry.dealtAt),
      .text(ifPresent: entry.answer?.answer), .meaning(entry.answer?.meaning),
      .time(entry.answer?.time), .position(entry.answer?.event))
  }

  /// Whether the two must not meet. A person who was erased meets nobody. O(log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public func standing(
    between one: CardNumber, and other: CardNumber
  ) throws -> SafetyStanding {
    try connection.firstRow(StoreStatements.standing, .number(one), .number(other)) { row in
      try row.standing(at: 0)
    } ?? .clear
  }

  /// Makes the two keep away from each other. Who asked for it stays in the event log.
  /// O(log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func setStanding(
    _ standing: SafetyStanding, by viewer: ViewerNumber, of card: CardNumber, event: LogPosition
  ) throws {
    for (one, other) in [(viewer, card), (card, viewer)] {
      if let stored = standing.stored {
        try connection.run(
          StoreStatements.setStanding, .number(one), .number(other), .integer(stored))
      } else {
        try connection.run(StoreStatements.removeStanding, .number(one), .number(other))
      }
    }
  }

  /// The match of a pair, if it stands. O(log matches).
  ///
  /// - Throws: ``SQLiteError``.
  public func match(
    between one: CardNumber, and other: CardNumber
  ) throws -> StoredMatch? {
    try connection.firstRow(
      StoreStatements.match, .number(min(one, other)), .number(max(one, other))
    ) { row in try row.match(at: 0) }
  }

  /// Makes a match. O(log matches).
  ///
  /// - Throws: ``SQLiteError``, `constraint` if the pair has a match, or is no pair.
  public mutating func insert(_ match: StoredMatch) throws {
    try connection.run(
      StoreStatements.insertMatch, .position(match.event), .number(match.low),
      .number(match.high), .time(match.time))
  }

  /// Ends a pair's match, if there is one. O(log matches).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func removeMatch(between one: CardNumber, and other: CardNumber) throws {
    try connection.run(
      StoreStatements.removeMatch, .number(min(one, other)), .number(max(one, other)))
  }

  /// Where the viewer's hand stands. O(log viewers).
  ///
  /// - Throws: ``SQLiteError``.
  public func revision(of viewer: ViewerNumber) throws -> HandRevision? {
    try connection.firstRow(StoreStatements.handRevision, .number(viewer)) { row in
      try row.handRevision(at: 0)
    }
  }

  /// Moves the top by one. O(log viewers).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func advanceStack(of viewer: ViewerNumber) throws {
    try connection.run(StoreStatements.advanceStack, .number(viewer))
  }

  /// Replaces the stack. O(image).
  ///
  /// - Throws: ``SQLiteError``, `constraint` if the image starts after the top.
  public mutating func setStack(_ stack: StoredStack, of viewer: ViewerNumber) throws {
    try connection.run(
      StoreStatements.setStack, .number(viewer), .integer(stack.generation), .integer(stack.top),
      .integer(stack.imageStart), .bytes(stack.image))
  }
}
