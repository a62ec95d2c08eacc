import CardFeedStack

/// A card of the tests. The version tells a renewed card from the old one with the same id.
struct Card: Identifiable, Hashable, Sendable, CustomStringConvertible {
  let id: String
  var version = 0

  init(_ id: String, version: Int = 0) {
    self.id = id
    self.version = version
  }

  var description: String { version == 0 ? id : "\(id)v\(version)" }
}

enum Answer: Hashable, Sendable, CaseIterable {
  case left, right, up
}

typealias Stack = CardStack<Card, Answer>

/// One card per letter.
func cards(_ letters: String) -> [Card] { letters.map { Card(String($0)) } }

/// Numbered cards, `0` first.
func cards(_ count: Int) -> [Card] { (0..<count).map { Card(String($0)) } }

func makeStack(
  _ letters: String = "", capacity: Int = 10, historyLimit: Int = 10,
  policy: StackPolicy = .stop, gate: Stack.Gate? = nil
) -> Stack {
  var stack = Stack(
    capacity: capacity, historyLimit: historyLimit, policy: policy, gate: gate)
  stack.append(cards(letters))
  return stack
}

extension CardStack where Card == CardFeedStackTests.Card {
  /// The ids of the upcoming cards as one word.
  var word: String { upcoming.map(\.id).joined() }

  /// The ids of the swiped cards as one word, oldest first.
  var pastWord: String { history.map(\.card.id).joined() }
}

/// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
