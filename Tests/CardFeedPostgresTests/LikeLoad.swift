#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// People who like each other in pairs, both sides at nearly the same moment, for as long as they
  /// are let. Whoever gets an error sends the same like again, as a client does.
  final class LikeLoad: Sendable {
    /// What the test has done to the servers so far.
    enum Stage: Sendable {
      case linked, cut, promoted, over
    }

    /// A like and what its sender was told.
    struct Like: Sendable {
      let command: SwipeCommand
      let receipt: StoredReceipt
      /// Sent and acknowledged while the link was cut and nothing was promoted.
      let isBehindTheCut: Bool
    }

    private struct State {
      var stage = Stage.linked
      var sent: [SwipeCommand] = []
      var acknowledged: [Like] = []
    }

    static let pairsAtOnce = 8

    private let state = Lock(State())

    var stage: Stage {
      get { state.withLock { $0.stage } }
      set { state.withLock { $0.stage = newValue } }
    }

    /// Every like that was sent at least once.
    var sent: [SwipeCommand] { state.withLock { $0.sent } }
    var acknowledged: [Like] { state.withLock { $0.acknowledged } }
    var behindTheCut: [Like] { acknowledged.filter(\.isBehindTheCut) }

    /// Sends until the stage is `over`.
    func run(_ store: PostgresStore) async {
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<Self.pairsAtOnce * 2 {
          group.addTask {
            var pair = writer / 2
            while self.stage != .over {
              let (low, high) = numbers(ofPair: pair)
              let isLow = writer % 2 == 0
              let command = swipe(isLow ? low : high, isLow ? high : low, "like")
              self.state.withLock { $0.sent.append(command) }
              await self.send(command, to: store)
              pair += Self.pairsAtOnce
            }
          }
        }
      }
    }

    private func send(_ command: SwipeCommand, to store: PostgresStore) async {
      var tries = 0
      while true {
        tries += 1
        let before = stage
        do {
          switch try await store.commit([command]).first {
          case .applied(let receipt):
            acknowledge(command, receipt, before)
          case .repeated(let receipt) where tries > 1:
            acknowledge(command, receipt, before)
          case let other: Issue.record("a like was answered with \(String(describing: other))")
          }
          return
        } catch is PostgresError {
          if before == .over { return }
          await ConnectionPool.pause(milliseconds: 5)
        } catch {
          Issue.record(error)
          return
        }
      }
    }

    private func acknowledge(
      _ command: SwipeCommand, _ receipt: StoredReceipt, _ before: Stage
    ) {
      state.withLock { state in
        state.acknowledged.append(
          Like(
            command: command, receipt: receipt,
            isBehindTheCut: before == .cut && state.stage == .cut))
      }
    }

    /// Waits until there are as many acknowledgements as that.
    func waitForAcknowledgements(_ count: Int, _ isWanted: (Like) -> Bool = { _ in true })
      async throws
    {
      while acknowledged.count(where: isWanted) < count {
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    /// The acknowledged likes that a store does not hold.
    func missing(in store: PostgresStore) async throws -> [Like] {
      let events = try await store.events(after: .start, limit: 1_000_000)
      let swipes = Dictionary(grouping: events.filter { $0.kind == .swipe }, by: \.position)
      return acknowledged.filter { like in
        let found = swipes[like.receipt.event] ?? []
        return !found.contains {
          $0.viewer == like.command.viewer && $0.card == like.command.card
        }
      }
    }
  }
#endif
