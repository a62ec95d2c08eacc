#if Postgres
  internal import CardFeed

  /// Rows for the log, gathered as columns.
  struct EventRows {
    private var viewers: [Int64] = []
    private var keys: [Int64] = []
    private var positions: [Int64] = []
    private var kinds: [Int64?] = []
    private var cards: [Int64?] = []
    private var clientIDs: [[UInt8]?] = []
    private var times: [Int64] = []
    private var answers: [String?] = []
    private var meanings: [Int64?] = []
    private var abouts: [Int64?] = []
    private var matches: [Int64?] = []
    private var remaining: [Int64] = []
    private var befores: [[UInt8]?] = []
    private var fingerprints: [String?] = []
    private var dwells: [Int64?] = []

    var isEmpty: Bool { viewers.isEmpty }

    /// - Parameter slot: Which of the keys of its identifier is free (`ClientKey`).
    mutating func append(_ event: NewEvent, at position: LogPosition, slot: Int64 = 0) {
      viewers.append(event.viewer.rawValue)
      keys.append(event.clientID.map { ClientKey.of($0) + slot } ?? position.rawValue)
      positions.append(position.rawValue)
      kinds.append(event.kind.rawValue)
      cards.append(event.card?.rawValue)
      clientIDs.append(event.clientID?.bytes)
      times.append(event.time.milliseconds)
      answers.append(event.answer)
      meanings.append(event.meaning.map { Int64($0.rawValue) })
      abouts.append(event.about?.rawValue)
      switch event.match {
      case nil: matches.append(event.endedMatch?.rawValue)
      case .made: matches.append(position.rawValue)
      case .existing(let match): matches.append(match.rawValue)
      }
      remaining.append(Int64(event.remaining))
      befores.append(event.before.map(SeenImage.encode))
      fingerprints.append(event.fingerprint)
      dwells.append(event.dwell?.milliseconds)
    }

    var command: PostgresCommand {
      PostgresCommand(
        StoreSQL.addEvents, .integers(viewers), .integers(keys), .integers(positions),
        .integers16(kinds), .integers(cards), .byteStrings(clientIDs), .integers(times),
        .texts(answers), .integers16(meanings), .integers(abouts), .integers(matches),
        .integers32(remaining), .byteStrings(befores), .texts(fingerprints),
        .integers32(dwells))
    }
  }

  /// What the log's key holds of a client's identifier: 55 bits by FNV-1a (Fowler, Noll and Vo, 1991),
  /// below zero, where no place of the log is. Stored, so it must never change.
  ///
  /// Identifiers with the same bits take the keys behind one another, `slots` at most: they are
  /// compared, so a client that makes two of its own collide gains nothing.
  enum ClientKey {
    static let slots: Int64 = 256

    /// The first of the identifier's keys.
    static func of(_ event: EventID) -> Int64 { (hash(event) | .min) & -slots }

    static func hash(_ event: EventID) -> Int64 {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in event.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      return Int64(bitPattern: hash)
    }
  }

  /// What is known of clients' identifiers, by the place of each in a question, from 0.
  struct ClientEvents {
    /// The events that were sent before.
    var found: [Int: ClientEvent] = [:]
    private var slots: [Int: Int64] = [:]

    /// The slot for a new event. Where all are taken it is the last, and the table's key refuses it.
    func slot(_ place: Int) -> Int64 { slots[place] ?? 0 }

    mutating func take(_ slot: Int64, of place: Int) {
      slots[place] = min(max(slots[place] ?? 0, slot + 1), ClientKey.slots - 1)
    }
  }

  /// Rows of learners' increments, gathered as columns.
  struct DeltaRows {
    private var viewers: [Int64] = []
    private var positions: [Int64] = []
    private var ordinals: [Int64] = []
    private var learners: [String?] = []
    private var images: [[UInt8]?] = []

    var isEmpty: Bool { viewers.isEmpty }

    mutating func append(
      _ learner: String, _ increments: [Increment], viewer: ViewerNumber, at position: LogPosition,
      ordinal: Int64
    ) {
      viewers.append(viewer.rawValue)
      positions.append(position.rawValue)
      ordinals.append(ordinal)
      learners.append(learner)
      images.append(IncrementsImage.encode(increments))
    }

    var command: PostgresCommand {
      PostgresCommand(
        StoreSQL.addDeltas, .integers(viewers), .integers(positions), .integers(ordinals),
        .texts(learners), .byteStrings(images))
    }
  }

  /// Rows for the outbox, gathered as columns.
  struct OutboxRows {
    private var lows: [Int64] = []
    private var events: [Int64] = []
    private var highs: [Int64] = []
    private var kinds: [Int64] = []
    private var times: [Int64] = []

    var isEmpty: Bool { lows.isEmpty }

    mutating func append(
      _ kind: OutboxEvent.Kind, _ pair: Pair, at position: LogPosition, time: Timestamp
    ) {
      lows.append(pair.low.rawValue)
      events.append(position.rawValue)
      highs.append(pair.high.rawValue)
      kinds.append(kind.stored)
      times.append(time.milliseconds)
    }

    var command: PostgresCommand {
      PostgresCommand(
        StoreSQL.addToOutbox, .integers(lows), .integers(events), .integers(highs),
        .integers(kinds), .integers(times))
    }
  }

  /// An unordered pair, ordered as its canonical row is.
  struct Pair: Hashable, Comparable {
    let low: CardNumber
    let high: CardNumber

    init(_ one: CardNumber, _ other: CardNumber) {
      low = min(one, other)
      high = max(one, other)
    }

    static func < (left: Pair, right: Pair) -> Bool {
      (left.low, left.high) < (right.low, right.high)
    }
  }

  extension OutboxEvent.Kind {
    var stored: Int64 {
      switch self {
      case .matchMade: 1
      case .matchEnded: 2
      }
    }
  }
#endif
