import Foundation
import Testing

@testable import CardFeedDiversity

/// SplitMix64.
struct Draws: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Candidates with tags and scores of both signs.
struct Candidates {
  let tags: [[Int]]
  let scores: [Double]

  init(_ count: Int, seed: UInt64) {
    var draws = Draws(seed)
    tags = (0..<count).map { _ in (0..<12).filter { _ in draws.share() < 0.25 } }
    scores = (0..<count).map { _ in draws.share() * 4 - 2 }
  }

  var relevance: [Double] { MarginalRelevance.relevance(of: scores) }

  /// By sets, one pair at a time.
  func jaccard(_ left: Int, _ right: Int) -> Double {
    if left == right { return 1 }
    let (one, other) = (Set(tags[left]), Set(tags[right]))
    let either = one.union(other).count
    return either == 0 ? 0 : Double(one.intersection(other).count) / Double(either)
  }
}

@Suite struct SimilarityTests {
  private func row(_ similarity: some CardSimilarity, _ card: Int) -> [Double] {
    var row = Array(repeating: -1.0, count: similarity.count)
    row.withUnsafeMutableBufferPointer { similarity.fill($0, alikeTo: card) }
    return row
  }

  @Test func tagsAgreeWithSets() {
    let candidates = Candidates(40, seed: 1)
    // More than 64 different tags, so that a card takes two words.
    let similarity = TagSimilarity(
      tags: candidates.tags.map { $0.map { $0 * 7 + 3 } } + [Array(0..<100)])
    for card in 0..<40 {
      let row = row(similarity, card)
      for other in 0..<40 { #expect(row[other] == candidates.jaccard(card, other)) }
    }
    #expect(row(similarity, 40)[40] == 1)
  }

  @Test func vectorsAgreeWithCosines() {
    let similarity = VectorSimilarity(vectors: [[3, 4], [4, 3], [-3, -4], nil, [0, 0], [1]])
    let row = row(similarity, 0)
    #expect(abs(row[1] - 24.0 / 25) < 1e-6)
    #expect(row[0] == 1 && row[2] == 0 && row[3] == 0 && row[4] == 0 && row[5] == 0)
    #expect(self.row(similarity, 3)[3] == 1)
  }

  @Test func diversityOfAList() throws {
    let similarity = MatrixSimilarity(rows: [[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]])
    let all = try #require(similarity.intraListDiversity(of: [0, 1, 2]))
    #expect(abs(all - (0.5 + 1 + 0.8) / 3) < 1e-12)
    #expect(similarity.intraListDiversity(of: [2]) == nil)
  }
}

@Suite struct MarginalRelevanceTests {
  /// Every candidate in every round, by the definition.
  private func byDefinition(_ rule: MarginalRelevance, _ count: Int, _ candidates: Candidates)
    -> [Int]
  {
    var chosen: [Int] = []
    for _ in 0..<count {
      let values = candidates.relevance.indices.map { card -> Double in
        if chosen.contains(card) { return -.infinity }
        let alike = chosen.map { candidates.jaccard(card, $0) }
        let likeness =
          rule.likeness == .greatest
          ? alike.max() ?? 0 : alike.reduce(0, +) / Double(max(alike.count, 1))
        return rule.lambda * candidates.relevance[card] - (1 - rule.lambda) * likeness
      }
      chosen.append(values.indices.max { values[$0] < values[$1] } ?? 0)
    }
    return chosen
  }

  @Test(arguments: MarginalRelevance.Likeness.allCases, [0.2, 0.5, 0.8, 1])
  func agreesWithTheDefinition(likeness: MarginalRelevance.Likeness, lambda: Double) {
    for seed in 0..<10 {
      let candidates = Candidates(60, seed: UInt64(seed))
      let rule = MarginalRelevance(lambda: lambda, likeness: likeness)
      let chosen = rule.choose(
        10, relevance: candidates.relevance, similarity: TagSimilarity(tags: candidates.tags))
      #expect(chosen == byDefinition(rule, 10, candidates))
    }
  }

  @Test func cardsThatLieInTheHandCount() {
    let similarity = TagSimilarity(tags: [[1], [2], [1]])
    let rule = MarginalRelevance(lambda: 0.5)
    #expect(rule.choose(2, relevance: [1, 0.9], similarity: similarity) == [1, 0])
    #expect(rule.choose(5, relevance: [], similarity: similarity).isEmpty)
    #expect(rule.choose(0, relevance: [1, 0.9, 0], similarity: similarity).isEmpty)
  }

  @Test func relevanceIsAShareWhateverTheSigns() {
    #expect(MarginalRelevance.relevance(of: [-3, -1, -2]) == [0, 1, 0.5])
    #expect(MarginalRelevance.relevance(of: [-2, -2]) == [1, 1])
    #expect(MarginalRelevance.relevance(of: []).isEmpty)
  }
}

@Suite struct DeterminantalProcessTests {
  /// The determinant by elimination.
  private func determinant(_ matrix: [[Double]]) -> Double {
    var matrix = matrix
    var product = 1.0
    for pivot in matrix.indices {
      product *= matrix[pivot][pivot]
      for row in matrix.indices where row > pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in matrix.indices {
          matrix[row][column] -= factor * matrix[pivot][column]
        }
      }
    }
    return product
  }

  @Test(arguments: [0.0, 1, 3, 8])
  func everyCardMakesTheDeterminantGreatest(theta: Double) {
    for seed in 0..<5 {
      let candidates = Candidates(30, seed: UInt64(seed))
      let relevance = candidates.relevance
      func kernel(_ cards: [Int]) -> [[Double]] {
        cards.map { left in
          cards.map { right in
            let likeness = 0.9 * candidates.jaccard(left, right) + (left == right ? 0.1 : 0)
            return exp(theta * (relevance[left] + relevance[right])) * likeness
          }
        }
      }
      let chosen = DeterminantalProcess(theta: theta).choose(
        6, relevance: relevance, similarity: TagSimilarity(tags: candidates.tags))
      #expect(Set(chosen).count == 6)
      for place in chosen.indices {
        let before = Array(chosen[..<place])
        let taken = determinant(kernel(before + [chosen[place]]))
        for other in 0..<30 where !before.contains(other) {
          #expect(determinant(kernel(before + [other])) <= taken * (1 + 1e-9))
        }
      }
    }
  }

  @Test func directionsOfTheHandAreTaken() {
    let similarity = TagSimilarity(tags: [[1], [2], [1]])
    let process = DeterminantalProcess(theta: 1)
    #expect(process.choose(1, relevance: [1, 0.5, 0], similarity: similarity) == [0])
    #expect(process.choose(1, relevance: [1, 0.5], similarity: similarity) == [1])
  }

  @Test func nothingIsChosenTwiceWhereVolumeEnds() {
    let same = MatrixSimilarity(rows: [[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    let chosen = DeterminantalProcess(theta: 1, identity: 1e-15).choose(
      3, relevance: [1, 1, 0], similarity: same)
    #expect(chosen == [0, 2])
  }
}
