internal import CardFeed

/// Keeps cards of one skill from following each other.
///
/// The hand is put together place by place: of the candidates that are left the best one whose
/// skills did not come up in the places before. Cards that lie in the hand come before all of them,
/// and before those the answers that the viewer has just given. Nothing is done for a card without
/// skills, or with an order that is not by score.
///
/// The order is made with penalties alone, so that no card is raised. Where there is no other card,
/// one of the same skill costs a penalty or is withheld; what would leave a hand empty is not
/// withheld.
///
/// Source: practice of mixed skills is remembered better than practice in blocks, Rohrer and Taylor
/// (2007).
struct InterleaveRule: SlateRule {
  typealias D = QuizDeck

  /// The column of tags.
  let column: String
  /// How many places before a card must have other skills.
  let window: Int
  /// What a card of the same skill is worth less; nil where it is withheld.
  let penalty: Double?

  var needs: ContextNeeds { .answersGiven }

  /// O(places · n).
  func adjustment(for ranked: RankedSlate<QuizDeck>) async throws -> SlateAdjustment {
    let slate = ranked.slate
    guard slate.count > 0 else { return SlateAdjustment() }
    guard case .tags(let codes, _)? = slate.table.column(column) else {
      throw FeedError(
        .badInput, "the slate rule 'interleave' found no column of tags '\(column)' in the deck",
        hint: "name a column that holds any number of names for each card")
    }
    func skills(of cards: some Sequence<CardNumber>) -> [[Int32]] {
      cards.map { number in slate.table.row(of: number).map { codes[$0.index] } ?? [] }
    }
    var recent = RecentSkills(
      window: window, held: skills(of: ranked.held),
      answered: skills(of: slate.context.answersGiven.suffix(window).map(\.card)))
    var hand = InterleavedHand(scores: ranked.scores)
    var left = Array(slate.rows.indices)
    var adjustment = SlateAdjustment()
    func clashes(_ place: Int) -> Bool { recent.has(codes[slate.rows[place].index]) }

    // What a late filter takes out is made up for from the places behind.
    for _ in 0..<min(slate.count, ranked.wanted + Self.spare) {
      let choice = next(in: left, ranked.scores, clashes)
      if choice.clashes, penalty == nil, hand.count > 0 || !ranked.held.isEmpty {
        for place in left {
          if clashes(place) {
            adjustment.withheld[place] = "a card of the same \(column) in the \(window) before"
          } else {
            hand.append(place)
            recent.append(codes[slate.rows[place].index])
          }
        }
        left = []
        break
      }
      let place = left.remove(at: choice.index)
      hand.append(place, penalty: choice.clashes ? penalty ?? 0 : 0)
      recent.append(codes[slate.rows[place].index])
    }
    for place in left { hand.append(place) }
    adjustment.penalties = hand.penalties
    return adjustment
  }

  private static let spare = 20

  /// The best candidate that is left, and whether its skills came up. Among unscored ones there is
  /// no order that a penalty could change.
  private func next(
    in left: [Int], _ scores: [Double?], _ clashes: (Int) -> Bool
  ) -> (index: Int, clashes: Bool) {
    guard clashes(left[0]) else { return (0, false) }
    guard let best = scores[left[0]] else { return (0, true) }
    let lowest = best - (penalty ?? .infinity)
    for (index, place) in left.enumerated().dropFirst() {
      guard let score = scores[place], score >= lowest else { break }
      if !clashes(place) { return (index, false) }
    }
    return (0, true)
  }
}

/// Candidates in a new order, and the penalties that lead to it.
private struct InterleavedHand {
  let scores: [Double?]
  private(set) var penalties: [Double]
  private(set) var count = 0
  private var floor = Double.infinity

  init(scores: [Double?]) {
    self.scores = scores
    penalties = Array(repeating: 0, count: scores.count)
  }

  /// Puts a candidate behind all that are there, and gives it a penalty at least. An unscored one
  /// is behind them as it is.
  mutating func append(_ place: Int, penalty: Double = 0) {
    count += 1
    guard let score = scores[place] else { return }
    let step = max(abs(score), floor.isFinite ? abs(floor) : 0, 1) * 1e-9
    penalties[place] = max(0, score - min(score - penalty, floor - step))
    floor = score - penalties[place]
  }
}

/// The skills of the cards in front of a place.
private struct RecentSkills {
  let window: Int
  private var cards: [[Int32]]
  /// The cards that lie in the hand, in an order that is not known: each may be the last of them.
  private let held: [[Int32]]
  private var placed = 0
  private var active: Set<Int32> = []

  init(window: Int, held: [[Int32]], answered: [[Int32]]) {
    self.window = window
    self.held = held
    cards = answered.suffix(max(0, window - held.count))
    refresh()
  }

  mutating func append(_ skills: [Int32]) {
    cards.append(skills)
    placed += 1
    refresh()
  }

  private mutating func refresh() {
    // Answers leave the window as places fill; held cards lie between them and the places.
    let reach = placed < window ? max(placed, window - held.count) : window
    cards = Array(cards.suffix(reach))
    active = Set(cards.joined())
    if placed < window { active.formUnion(held.joined()) }
  }

  func has(_ skills: [Int32]) -> Bool { skills.contains(where: active.contains) }
}
