#if Postgres
  internal import CardFeed
  internal import CardFeedConfiguration

  extension PostgresBenchmark {
    /// How quickly the store answers, one question after the other.
    func readFigures() async throws -> [Benchmark.Figure] {
      let rounds = min(1000, measured)
      let clock = SystemClock()
      var swipes = BenchSwipes(people: people, stream: 0)
      var likes: [UInt64] = []
      var found = 0
      for round in 0..<rounds {
        let viewer = swipes.person()
        // Half of them people who said something of the viewer, as a pipeline would ask.
        let received = try await store.answersReceived(by: viewer, limit: 100).map(\.from)
        var cards = Set(received)
        while cards.count < 200 { cards.insert(swipes.person()) }
        let asked = Array(cards)
        let start = clock.uptimeNanoseconds
        found += try await store.likers(of: viewer, among: asked).count
        likes.append(clock.uptimeNanoseconds - start)
        progress("questions", round + 1, rounds)
      }
      let cold = try await measureLoads(rounds, &swipes)
      return [
        .nanoseconds("who of 200 likes me, median", likes, 50),
        .nanoseconds("who of 200 likes me, p99", likes, 99),
        Benchmark.Figure("  of whom do, on average", Double(found) / Double(rounds), decimals: 1),
        .nanoseconds("a viewer loaded anew, median", cold.times, 50),
        .nanoseconds("a viewer loaded anew, p99", cold.times, 99),
        Benchmark.Figure(
          "  seen cards, on average", Double(cold.seen) / Double(rounds), decimals: 1),
        Benchmark.Figure("  statements", Double(cold.statements)),
        Benchmark.Figure("  round trips", Double(cold.roundTrips)),
      ]
    }

    private struct Loads {
      var times: [UInt64] = []
      var seen = 0
      var statements = 0
      var roundTrips = 0
    }

    private func measureLoads(_ rounds: Int, _ swipes: inout BenchSwipes) async throws -> Loads {
      let clock = SystemClock()
      var loads = Loads()
      let steps = Lock((statements: 0, roundTrips: 0))
      store.pool.breakConnections { step in
        steps.withLock { steps in
          switch step {
          case .before(let name):
            steps.statements += ["begin_reading", "commit"].contains(name) ? 0 : 1
          case .behind: steps.roundTrips += 1
          }
        }
        return false
      }
      _ = try await store.viewer(swipes.person(), swipes: 20)
      store.pool.breakConnections(nil)
      (loads.statements, loads.roundTrips) = steps.withLock { $0 }
      for _ in 0..<rounds {
        let viewer = swipes.person()
        let start = clock.uptimeNanoseconds
        loads.seen += try await store.viewer(viewer, swipes: 20).seen.count
        loads.times.append(clock.uptimeNanoseconds - start)
      }
      return loads
    }
  }
#endif
