#if Postgres
  internal import CardFeed

  /// One transaction that applies swipes.
  ///
  /// The viewers are locked first, then the canonical rows of the pairs decide, then everything else
  /// is written: three round trips, and one more where somebody was erased lately or viewers of the
  /// greater number swipe, from no hand, pairs that are there. A batch is cut into waves in which no
  /// pair and no event occurs twice; each wave sees what those before it wrote.
  ///
  /// An upsert costs the server twice what a plain insert costs. So rows that follow new canonical
  /// ones are plainly inserted. Only a deal makes such a row before its pair has a canonical one:
  /// where a swipe comes from a hand it is looked up first, where one does not it is found out by the
  /// table's key; then everything is done again with look-ups, and with upserts alone if a deal comes
  /// in between. Events are not looked up at all, unless something about them is not in order: one
  /// that was sent before is found out by the log's key, and everything done again with look-ups.
  struct SwipeTransaction {
    enum Failure: Error {
      /// A swipe that was taken for granted does not count, and later ones were judged by it.
      case tookTooMuchForGranted
      /// An event that was taken for new may have been sent before.
      case mustLookUp
    }

    struct Candidate {
      let index: Int
      let position: LogPosition
      let pair: Pair
      let isLow: Bool
      let rule: Int64
      let follower: Follower
      /// The slot of the event's key.
      let slot: Int64
    }

    /// The row of the greater number before the swipe.
    enum Follower {
      case notLookedFor
      case absent
      /// What its owner had to do with the other side.
      case present(SeenEntry)
    }

    /// When rows of greater numbers are looked for.
    enum Following {
      case ofHands
      case always
      /// Always, and they may appear at any time.
      case upserting
    }

    struct Verdict {
      let isApplied: Bool
      let isMatch: Bool
      let matchedBy: LogPosition?
      let matchedAt: Timestamp?
      /// What the viewer had to do with the card before.
      var before: SeenEntry
      /// Whether the other side said something before.
      let hasReverse: Bool
      /// Whether the canonical row was there.
      let wasThere: Bool
    }

    let commands: [SwipeCommand]
    private let connection: PostgresConnection
    private let memory: AttemptMemory
    private let gone: ErasedPeople
    let following: Following
    /// Whether no event is taken for new.
    private let looksUp: Bool
    private var unknown: Set<LogPosition>
    var tops: [ViewerNumber: StackTop] = [:]
    var moved: Set<ViewerNumber> = []
    var decisions: [SwipeDecision]

    /// Applies the swipes in one transaction.
    ///
    /// - Parameters:
    ///   - commands: The swipes, at least one, in order.
    ///   - connection: Outside a transaction.
    ///   - memory: What earlier attempts of the same swipes drew.
    ///   - redelivery: Whether events were sent again lately.
    ///   - dealt: Whether swipes that came from no hand met rows of deals lately.
    ///   - gone: Who was erased.
    static func run(
      _ commands: [SwipeCommand], _ connection: PostgresConnection, _ memory: AttemptMemory,
      redelivery: Caution, dealt: Caution, gone: ErasedPeople
    ) throws -> [SwipeDecision] {
      var isCareful = false
      var following: Following = dealt.isExpected() ? .always : .ofHands
      // What an earlier attempt wrote is there, if its commit was only not heard of.
      var looksUp = !memory.positions.isEmpty || redelivery.isExpected()
      while true {
        do {
          var transaction = SwipeTransaction(
            commands, connection, memory, gone, following, looksUp: looksUp)
          return try transaction.apply(oneSwipeOfEachViewer: isCareful)
        } catch Failure.tookTooMuchForGranted {
          isCareful = true
        } catch Failure.mustLookUp {
          looksUp = true
        } catch let error as PostgresError
          where !looksUp && error.code == .constraint && error.operation == StoreSQL.addEvents.name
        {
          looksUp = true
          redelivery.happened()
        } catch let error as PostgresError
          where following != .upserting && error.code == .constraint
          && error.operation == StoreSQL.addFollowers.name
        {
          if following == .ofHands { dealt.happened() }
          following = following == .ofHands ? .always : .upserting
        }
        try connection.rollBack()
      }
    }

    private init(
      _ commands: [SwipeCommand], _ connection: PostgresConnection, _ memory: AttemptMemory,
      _ gone: ErasedPeople, _ following: Following, looksUp: Bool
    ) {
      self.gone = gone
      self.following = following
      self.looksUp = looksUp
      self.commands = commands
      self.connection = connection
      self.memory = memory
      unknown = memory.positions
      decisions = Array(repeating: .stale, count: commands.count)
    }

    private mutating func apply(oneSwipeOfEachViewer isCareful: Bool) throws -> [SwipeDecision] {
      var start = 0
      while start < commands.count {
        let wave = wave(from: start, isCareful: isCareful)
        // An event may come twice in the same batch; the later one is behind the first wave.
        let looksUp = looksUp || start > 0
        let reads = reads(wave, looksUp: looksUp)
        let rows: [PostgresRows]
        if start == 0 {
          (tops, rows) = try ViewerLock.begin(commands.map(\.viewer), reads: reads, connection)
        } else {
          rows = try connection.run(reads)
        }
        var writes = try decide(wave, rows, looksUp: looksUp)
        if wave.upperBound == commands.count {
          if !moved.isEmpty { writes.append(moveTops) }
          writes.append(PostgresCommand(.commit))
        }
        if !writes.isEmpty { try connection.run(writes) }
        start = wave.upperBound
      }
      return decisions
    }

    private func wave(from start: Int, isCareful: Bool) -> Range<Int> {
      var pairs: Set<Pair> = []
      var events: Set<EventKey> = []
      var viewers: Set<ViewerNumber> = []
      for index in start..<commands.count {
        let command = commands[index]
        let isNewPair = pairs.insert(Pair(command.viewer, command.card)).inserted
        let isNewEvent = events.insert(EventKey(command)).inserted
        let isNewViewer = viewers.insert(command.viewer).inserted || !isCareful
        if !isNewPair || !isNewEvent || !isNewViewer { return start..<index }
      }
      return start..<commands.count
    }

    private func reads(_ wave: Range<Int>, looksUp: Bool) -> [PostgresCommand] {
      let pairs = wave.filter(looksForFollower).map { Pair(commands[$0].viewer, commands[$0].card) }
      return [
        ViewerLock.draw(wave.count), ErasedPeople.findMark,
      ] + (looksUp ? [findClientEvents(Array(wave))] : [])
        + (pairs.isEmpty ? [] : [findFollowers(pairs)])
    }

    private func looksForFollower(_ index: Int) -> Bool {
      if following != .ofHands || commands[index].deal != nil { return true }
      if case .top = commands[index].expectation { return true }
      return false
    }

    private func findFollowers(_ pairs: [Pair]) -> PostgresCommand {
      PostgresCommand(
        StoreSQL.findOwnEdges, .integers(pairs.map(\.high.rawValue)),
        .integers(pairs.map(\.low.rawValue)))
    }

    /// What the owners had to do with the other sides, by the place of the pair in the question.
    private static func followers(_ rows: PostgresRows) throws -> [Int: SeenEntry] {
      Dictionary(
        uniqueKeysWithValues: try rows.map { row in
          (Int(try row.integer(0)) - 1, try row.seenEntry(at: 1))
        })
    }

    private func findClientEvents(_ indices: [Int]) -> PostgresCommand {
      ViewerLock.findClientEvents(indices.map { (commands[$0].viewer, commands[$0].event) })
    }

    // MARK: Deciding

    private mutating func decide(
      _ wave: Range<Int>, _ rows: [PostgresRows], looksUp: Bool
    ) throws -> [PostgresCommand] {
      let positions = try ViewerLock.drawn(rows[0], wave.count, memory)
      let erased = try erased(wave, at: ErasedPeople.mark(rows[1]))
      let clients = looksUp ? try ViewerLock.clientEvents(rows[2]) : ClientEvents()
      var followers: [Int: Follower] = [:]
      let lookedFor = wave.filter(looksForFollower)
      if !lookedFor.isEmpty {
        let found = try Self.followers(rows[rows.count - 1])
        for (place, index) in lookedFor.enumerated() {
          followers[index] = found[place].map { .present($0) } ?? .absent
        }
      }
      var candidates: [Candidate] = []
      var doubtful: [Int] = []
      for (place, index) in wave.enumerated() {
        let command = commands[index]
        if let event = clients.found[place] {
          decisions[index] = decision(command, event)
        } else if isOnTop(command), command.isOverQuota {
          decisions[index] = .overQuota
          if !looksUp { doubtful.append(index) }
        } else if isOnTop(command), command.viewer != command.card,
          !erased.contains(command.viewer), !erased.contains(command.card)
        {
          if case .top = command.expectation { tops[command.viewer]?.top += 1 }
          candidates.append(
            Candidate(
              index: index, position: positions[place], pair: Pair(command.viewer, command.card),
              isLow: command.viewer < command.card, rule: SwipeRule.table(command),
              follower: followers[index] ?? .notLookedFor, slot: clients.slot(place)))
        } else if !looksUp {
          doubtful.append(index)
        }
      }
      try judge(doubtful)
      guard !candidates.isEmpty else { return [] }
      candidates.sort { $0.pair < $1.pair }
      return try write(candidates, try verdicts(candidates), wave, looksUp: looksUp)
    }

    private func erased(_ wave: Range<Int>, at mark: Int64?) throws -> Set<CardNumber> {
      if let known = gone.numbers(at: mark) { return known }
      let people = commands[wave].flatMap { [$0.viewer, $0.card] }
      return try Erased.numbers(connection.rows(Erased.find(people)))
    }

    /// A swipe that is over its quota, or not of the top any more, may be one that was sent before.
    private mutating func judge(_ doubtful: [Int]) throws {
      guard !doubtful.isEmpty else { return }
      let clients = try ViewerLock.clientEvents(connection.rows(findClientEvents(doubtful)))
      for (place, index) in doubtful.enumerated() {
        guard let event = clients.found[place] else { continue }
        decisions[index] = decision(commands[index], event)
      }
    }

    private mutating func decision(
      _ command: SwipeCommand, _ event: ClientEvent
    ) -> SwipeDecision {
      guard event.kind == .swipe, event.card == command.card, event.answer == command.answer
      else { return .conflict }
      let receipt = StoredReceipt(
        event: event.position, card: command.card, answer: command.answer, match: event.match,
        remaining: event.remaining)
      // An earlier attempt of this very command wrote it, and its commit was not answered.
      return unknown.remove(event.position) == nil ? .repeated(receipt) : .applied(receipt)
    }

    private func isOnTop(_ command: SwipeCommand) -> Bool {
      guard case .top(let generation, let position) = command.expectation else { return true }
      guard let stack = tops[command.viewer] else { return false }
      return stack.generation == generation && stack.top == position
    }

    private func verdicts(_ candidates: [Candidate]) throws -> [Pair: Verdict] {
      let swipes = candidates.map { commands[$0.index] }
      let decided = try connection.rows(
        PostgresCommand(
          StoreSQL.decideSwipes, .integers(candidates.map(\.pair.low.rawValue)),
          .integers(candidates.map(\.pair.high.rawValue)), .flags(candidates.map(\.isLow)),
          .integers(candidates.map(\.position.rawValue)),
          .integers(swipes.map(\.time.milliseconds)),
          .integers16(swipes.map { Int64($0.meaning.rawValue) }), .texts(swipes.map(\.answer)),
          .integers16(candidates.map(\.rule))))
      var byPair: [Pair: Candidate] = [:]
      for candidate in candidates { byPair[candidate.pair] = candidate }
      var verdicts: [Pair: Verdict] = [:]
      _ = try decided.map { row in
        let pair = Pair(try row.number(0), try row.number(1))
        guard let candidate = byPair[pair] else { throw decided.unexpected("a pair nobody named") }
        let isLow = candidate.isLow
        let stands = try row.optionalPosition(isLow ? 3 : 5)
        let reverse = try row.optionalMeaning(isLow ? 6 : 4)
        let isApplied = try row.integer(2) == 0 && stands == candidate.position
        // The smaller number's own row is the one that decides.
        var before = SeenEntry()
        if isLow {
          before = try row.seenEntry(at: 9)
        } else if case .present(let own) = candidate.follower {
          before = own
        }
        verdicts[pair] = Verdict(
          isApplied: isApplied,
          isMatch: isApplied && SwipeRule.isMatch(candidate.rule, reverse: reverse),
          matchedBy: try row.optionalPosition(7), matchedAt: try row.optionalTime(8),
          before: before, hasReverse: reverse != nil,
          wasThere: SwipeRule.wasThere(try row.integer(14)))
      }
      try lookForFollowers(candidates, &verdicts)
      return verdicts
    }

    /// What viewers with greater numbers had to do with cards before, where the pair has a canonical
    /// row. Where it had none there was nothing, or their own row is found out when it is inserted.
    private func lookForFollowers(
      _ candidates: [Candidate], _ verdicts: inout [Pair: Verdict]
    ) throws {
      let pairs = candidates.filter { candidate in
        guard case .notLookedFor = candidate.follower, !candidate.isLow else { return false }
        return verdicts[candidate.pair]?.wasThere == true
      }.map(\.pair)
      guard !pairs.isEmpty else { return }
      for (place, own) in try Self.followers(connection.rows(findFollowers(pairs))) {
        verdicts[pairs[place]]?.before = own
      }
    }

    private var moveTops: PostgresCommand {
      let viewers = moved.sorted()
      return PostgresCommand(
        StoreSQL.moveTops, .integers(viewers.map(\.rawValue)),
        .integers(viewers.map { tops[$0]?.top }))
    }
  }

  private struct EventKey: Hashable {
    let viewer: ViewerNumber
    let key: Int64

    init(_ command: SwipeCommand) {
      viewer = command.viewer
      key = ClientKey.of(command.event)
    }
  }
#endif
