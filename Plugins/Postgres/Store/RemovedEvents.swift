#if Postgres
  internal import CardFeed

  /// Takes events out of the log, and keeps what they taught since each learner's blob: as one delta
  /// of the event that takes their place.
  struct RemovedEvents {
    private(set) var viewers: [Int64] = []
    private(set) var positions: [Int64] = []
    private var keys: [Int64] = []
    private var sums: [ViewerNumber: [String: IncrementSum]] = [:]

    var isEmpty: Bool { positions.isEmpty }

    /// Notes an event; `key` is that of its row, its place where no client named it.
    mutating func append(_ viewer: ViewerNumber, _ position: LogPosition, key: Int64) {
      keys.append(key)
      viewers.append(viewer.rawValue)
      positions.append(position.rawValue)
    }

    /// Removes them. Two round trips.
    ///
    /// - Parameters:
    ///   - counted: Up to where each learner's blob counts. Nobody may save one meanwhile.
    ///   - owner: To whom what was learned belongs from now on; nil for the events' viewers.
    mutating func remove(
      counted: [String: LogPosition], owner: ViewerNumber?, _ connection: PostgresConnection
    ) throws {
      let rows = try connection.run(
        PostgresCommand(StoreSQL.removeDeltas, .integers(viewers), .integers(positions)),
        PostgresCommand(
          StoreSQL.removeEvents, .integers(viewers), .integers(keys)))
      // What was deleted counts, not what was looked up before.
      _ = try rows[0].map { row in
        let learner = try row.text(2)
        guard try row.position(1) > counted[learner] ?? .start else { return }
        let increments = try row.image(3, IncrementsImage.decode) ?? []
        sums[try owner ?? row.number(0), default: [:]][learner, default: IncrementSum()]
          .add(increments)
      }
      try forgetErased(connection)
    }

    /// Of people who were erased nothing is kept.
    private mutating func forgetErased(_ connection: PostgresConnection) throws {
      let owners = Set(sums.values.flatMap(\.values).flatMap(\.increments).compactMap(\.key.owner))
      guard !owners.isEmpty else { return }
      let erased = try Erased.numbers(connection.rows(Erased.find(owners)))
      for viewer in sums.keys {
        for learner in sums[viewer, default: [:]].keys {
          for owner in erased { sums[viewer]?[learner]?.forget(owner) }
        }
      }
    }

    /// What is kept, as rows of the events that take the place of those removed.
    func addKept(to rows: inout DeltaRows, at place: (ViewerNumber) -> LogPosition?) {
      for (viewer, learners) in sums.sorted(by: { $0.key < $1.key }) {
        guard let position = place(viewer) else { continue }
        let left = learners.mapValues(\.increments).filter { !$0.value.isEmpty }
        for (ordinal, one) in left.sorted(by: { $0.key < $1.key }).enumerated() {
          rows.append(
            one.key, one.value, viewer: viewer, at: position, ordinal: Int64(ordinal))
        }
      }
    }
  }

  /// What an attempt was about to commit, for the case that its connection breaks there.
  final class RemovalMemory<Report: Sendable>: Sendable {
    let positions = AttemptMemory()
    private let report = Lock<Report?>(nil)

    var last: Report? { report.withLock { $0 } }

    func remember(_ new: Report) { report.withLock { $0 = new } }
  }

  extension StoreSQL {
    /// The first lock of whoever removes something.
    static var lockRemovals: PostgresCommand {
      PostgresCommand(lockCounter, .text(PostgresSchema.removalCounter))
    }
  }
#endif
