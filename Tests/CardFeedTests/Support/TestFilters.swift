import CardFeed
import CardFeedTesting

/// Removes what the viewer has answered, until the deck's policy lets it return.
struct AnsweredFilter: FilterStrategy {
  typealias D = ToyDeck

  var reasons: [String] { ["answered"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    let policy = slate.context.deck.policy
    return slate.numbers.map { number in
      guard let answer = slate.context.seen[number]?.answer else { return .keep }
      let delay: Int64? =
        switch answer.meaning {
        case .positive: nil
        case .neutral: policy.neutralReturnsAfter
        case .negative: policy.negativeReturnsAfter
        }
      guard let delay else { return .remove() }
      let due = answer.time.advanced(byMilliseconds: delay)
      return slate.context.now < due ? .remove(due: due) : .keep
    }
  }
}

/// Removes what was ever dealt to the viewer.
struct DealtFilter: FilterStrategy {
  typealias D = ToyDeck

  var reasons: [String] { ["dealt before"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.numbers.map { slate.context.seen[$0]?.dealtAt == nil ? .keep : .remove() }
  }
}

/// Keeps every card when it is first asked about it, and removes some when it is asked again: what
/// a hard filter does whose data change between the first look and the last.
final class ChangingFilter: FilterStrategy {
  typealias D = ToyDeck

  let dropped: Set<CardID>
  private let asked = Lock(Set<CardID>())

  init(dropping dropped: some Sequence<CardID>) { self.dropped = Set(dropped) }

  var reasons: [String] { ["changed meanwhile"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.rows.map { row in
      let id = slate.table.id(at: row)
      let isFirst = asked.withLock { $0.insert(id).inserted }
      return isFirst || !dropped.contains(id) ? .keep : .remove()
    }
  }
}

/// Keeps one group; relaxed once, it keeps every group.
struct GroupFilter: FilterStrategy {
  typealias D = ToyDeck

  let group: String

  var kind: FilterKind { .soft }
  var relaxations: Int { 1 }
  var reasons: [String] { ["another group"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.rows.map { row in
      relaxation > 0 || slate.table.card(at: row).group == group ? .keep : .remove()
    }
  }
}

/// Safety data that a test changes as it goes.
final class SwitchableSafety: SafetyLookup {
  private struct State {
    var standings: [CardNumber: SafetyStanding] = [:]
    var questions = 0
  }

  private let state = Lock(State())

  var questions: Int { state.withLock { $0.questions } }

  func set(_ standing: SafetyStanding, of card: CardNumber) {
    state.withLock { $0.standings[card] = standing }
  }

  func standings(
    of cards: [CardNumber], for viewer: ViewerNumber
  ) async -> [SafetyStanding] {
    state.withLock { state in
      state.questions += 1
      return cards.map { state.standings[$0] ?? .clear }
    }
  }
}
