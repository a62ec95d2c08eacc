import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedQuiz

@Suite("Cards of different skills in turn")
struct InterleaveTests {
  /// Cards whose skills are the letters of a word, best first, with the scores that are given or the
  /// negative places.
  private func order(
    _ word: String, scores: [Double?]? = nil, window: Int = 1, penalty: Double? = 1000,
    held: String = "", wanted: Int? = nil
  ) async throws -> (order: String, withheld: Int, penalties: [Double]) {
    let letters = Array(word) + Array(held)
    let cards = letters.enumerated().map { index, letter in
      QuizCard(
        id: CardID("c\(index)"), prompt: "p", answer: "a",
        skills: letter == "-" ? [] : [String(letter).lowercased()])
    }
    let slate = StrategyConformance.slate(
      of: cards, deck: QuizDeck(), viewer: "v", candidates: Array(0..<word.count))
    let scores = scores ?? (0..<word.count).map { -Double($0) }
    let ranked = RankedSlate(
      slate: slate, scores: scores, wanted: wanted ?? word.count,
      held: Set((word.count..<letters.count).map { slate.table.number(at: Row($0)) }))
    let rule = InterleaveRule(column: "skills", window: window, penalty: penalty)
    let adjustment = try await rule.adjustment(for: ranked)
    #expect(adjustment.penalties.allSatisfy { $0 >= 0 && $0.isFinite })
    // As the pipeline does.
    let final = zip(scores, adjustment.penalties).map { score, penalty in
      score.map { $0 - penalty } ?? -.infinity
    }
    let places = (0..<word.count).filter { adjustment.withheld[$0] == nil }
      .sorted { (final[$0], $1) > (final[$1], $0) }
    return (
      String(places.map { letters[$0] }), adjustment.withheld.count, adjustment.penalties
    )
  }

  @Test func skillsTakeTurns() async throws {
    #expect(try await order("aaabbb").order == "ababab")
    #expect(try await order("abc").penalties == [0, 0, 0])
    #expect(try await order("aabbcc", window: 2).order == "abcabc")
    // Cards without skills clash with nothing.
    #expect(try await order("aa--").order == "a-a-")
    // Where there is no other one, the same follows.
    #expect(try await order("aaab").order == "abaa")
  }

  @Test func equalScoresTakeTurnsToo() async throws {
    #expect(try await order("aabb", scores: [1, 1, 1, 1]).order == "abab")
    #expect(try await order("aabb", scores: [-1e9, -1e9, -1e9, -1e9]).order == "abab")
    #expect(try await order("aabb", scores: [3, nil, nil, nil]).order == "aabb")
  }

  /// What lies in the hand comes before all that is new.
  @Test func theHandCounts() async throws {
    #expect(try await order("ab", held: "a").order == "ba")
    #expect(try await order("abc", window: 2, held: "ab").order == "cab")
    #expect(try await order("ab", held: "c").order == "ab")
  }

  /// A card that is better by more than the penalty follows all the same.
  @Test func thePenaltyIsAPrice() async throws {
    let scores: [Double?] = [1, 0.95, 0.4]
    #expect(try await order("aab", scores: scores, penalty: 0.5).order == "aab")
    #expect(try await order("aab", scores: scores, penalty: 0.6).order == "aba")
    #expect(try await order("aab", scores: scores, penalty: 0).order == "aab")
  }

  @Test func withheldCardsWait() async throws {
    let found = try await order("aaabb", penalty: nil)
    #expect(found.order == "ababa" && found.withheld == 0)
    let short = try await order("aaab", penalty: nil)
    #expect(short.order == "aba" && short.withheld == 1)
    #expect(try await order("aa", penalty: nil, held: "a").order == "")
    // An empty hand gets a card.
    #expect(try await order("aa", penalty: nil).order == "a")
    #expect(try await order("a-b", scores: [nil, nil, nil], penalty: nil, held: "a").order == "-b")
  }

  /// For any skills and scores: no card is raised, all are accounted for, and none follows one of
  /// its skill where a card of another one would have been left.
  @Test(arguments: 0..<40) func anyHand(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let word = String((0..<18).map { _ in Array("aaabbc-")[random.index(below: 7)] })
    let scores = (0..<18).map { _ in Double(random.index(below: 9)) - 4 }.sorted(by: >)
    let window = 1 + random.index(below: 3)
    let found = try await order(word, scores: scores, window: window)
    #expect(found.order.sorted() == word.sorted())
    let cards = Array(found.order)
    for place in cards.indices.dropFirst() {
      let before = cards[max(0, place - window)..<place].filter { $0 != "-" }
      guard before.contains(cards[place]) else { continue }
      #expect(cards[place...].allSatisfy(before.contains), "\(word) became \(found.order)")
    }
  }

  @Test func answersJustGivenCount() async throws {
    let cards = (0..<4).map { index in
      QuizCard(
        id: CardID("c\(index)"), prompt: "p", answer: "a", skills: [index < 2 ? "sums" : "roots"])
    }
    let feed = try await quizFeed(
      cards,
      [
        "hand": ["size": 1, "refillBelow": 1], "sources": [["use": "new"]], "filters": [],
        "ranking": ["use": "target-difficulty"], "matchProbability": ["use": "knowledge-elo"],
        "slate": [["use": "interleave"]],
      ])
    var asked: [String] = []
    for index in 0..<4 {
      let card = try #require(await feed.answer(.right, event: "\(index)"))
      asked.append(cards.first { $0.id == card }?.skills.first ?? "")
    }
    #expect(
      asked == ["sums", "roots", "sums", "roots"] || asked == ["roots", "sums", "roots", "sums"])
  }

  @Test func anUnknownColumnIsRefused() async throws {
    await #expect {
      _ = try await quizFeed([], ["slate": [["use": "interleave", "column": "skill"]]])
    } throws: { "\($0)".contains("\"skills\"") }
  }
}
