import CardFeedStack
import Testing

@Suite("Card stack scenario 5: many tasks, one owner")
struct CardStackConcurrencyTests {
  /// The owner a program would write: a stack and nothing else.
  actor Owner {
    private(set) var stack: Stack

    init(_ stack: Stack) { self.stack = stack }

    var token: StackToken<String>? { stack.token }

    func swipe(
      _ token: StackToken<String>
    ) throws(StackError) -> StackOutcome<Card, Answer> {
      defer { stack.checkInvariants() }
      return try stack.swipe(token, answer: .right)
    }

    func swipeTop() throws(StackError) -> StackOutcome<Card, Answer>? {
      defer { stack.checkInvariants() }
      return try stack.swipeTop(answer: .right)
    }
  }

  struct Tally: Sendable {
    var swiped: [String] = []
    var sequences: [Int] = []
    var stale = 0
    var ranOut = 0
  }

  private func makeOwner() -> Owner {
    var stack = Stack(capacity: 50, historyLimit: 50)
    stack.append(cards(50))
    return Owner(stack)
  }

  private func expectFiftyRecords(_ owner: Owner) async {
    let stack = await owner.stack
    #expect(stack.isEmpty)
    #expect(stack.history.map(\.card) == cards(50))
    #expect(stack.history.map(\.sequence) == Array(0..<50))
    #expect(Set(stack.history.map(\.card.id)).count == 50)
  }

  @Test("5a eight tasks decide on the top they saw: 50 records, every other call is stale")
  func tokens() async throws {
    let owner = makeOwner()
    let first = try #require(await owner.token)
    let tallies = await withTaskGroup(of: Tally.self, returning: [Tally].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var tally = Tally()
          while let token = await owner.token {
            await Task.yield()
            do throws(StackError) {
              let outcome = try await owner.swipe(token)
              #expect(outcome.card.id == token.id)
              tally.swiped.append(outcome.card.id)
              tally.sequences.append(outcome.record.sequence)
              tally.ranOut += outcome.ranOut ? 1 : 0
            } catch {
              guard case .staleDecision = error else {
                Issue.record("unexpected error: \(error)")
                return tally
              }
              tally.stale += 1
            }
          }
          return tally
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tallies.flatMap(\.swiped).sorted() == cards(50).map(\.id).sorted())
    #expect(tallies.flatMap(\.sequences).sorted() == Array(0..<50))
    #expect(tallies.map(\.ranOut).reduce(0, +) == 1)
    await expectFiftyRecords(owner)

    let before = await owner.stack
    await #expect(throws: StackError.self) { try await owner.swipe(first) }
    #expect(await owner.stack == before)
  }

  @Test("5b fifty swipes of the top without a pause: none is dropped without an answer")
  func tops() async throws {
    let owner = makeOwner()
    let outcomes = try await withThrowingTaskGroup(
      of: [StackOutcome<Card, Answer>?].self, returning: [StackOutcome<Card, Answer>?].self
    ) { group in
      for task in 0..<8 {
        // 8 tasks, 56 calls: six more than there are cards.
        group.addTask {
          var outcomes: [StackOutcome<Card, Answer>?] = []
          for _ in 0..<7 { outcomes.append(try await owner.swipeTop()) }
          #expect(outcomes.count == 7, "task \(task)")
          return outcomes
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(outcomes.count == 56)
    #expect(outcomes.compactMap { $0 }.map(\.record.sequence).sorted() == Array(0..<50))
    #expect(outcomes.compactMap { $0 }.map(\.remaining).sorted() == Array(0..<50))
    await expectFiftyRecords(owner)
  }

  @Test("5c one request sent twice: the second is a stale decision, never a second swipe")
  func duplicate() async throws {
    let owner = makeOwner()
    let token = try #require(await owner.token)
    let results = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for _ in 0..<2 {
        group.addTask { (try? await owner.swipe(token)) != nil }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count(where: { $0 }) == 1)
    #expect(await owner.stack.historyCount == 1)
    #expect(await owner.stack.top?.id == "1")
  }
}
