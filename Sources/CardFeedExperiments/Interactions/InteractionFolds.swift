/// That somebody had to do with something: a rating, a purchase, a click.
public struct Interaction: Hashable, Sendable {
  /// Who, numbered from 0.
  public var user: Int
  /// What, numbered from 0.
  public var item: Int
  /// How much, in whatever the data count: stars, baskets, 1.
  public var rating: Int
  /// When, in whatever the data count: seconds, weeks, a place in a sequence.
  public var timestamp: Int64

  /// One interaction.
  public init(user: Int, item: Int, rating: Int, timestamp: Int64) {
    self.user = user
    self.item = item
    self.rating = rating
    self.timestamp = timestamp
  }
}

/// Interactions, divided into what a recommender learns from, what its settings are chosen by, and what
/// it is judged by.
public struct InteractionFolds: Equatable, Sendable {
  /// What the division is called.
  public var name: String
  /// How it was made, as one sentence.
  public var note: String
  /// How many users there are; some may have no interaction in a part.
  public var users: Int
  /// How many items there are.
  public var items: Int
  /// What is learned from.
  public var train: [Interaction]
  /// What settings are chosen by.
  public var valid: [Interaction]
  /// What is judged by.
  public var test: [Interaction]

  /// A division.
  public init(
    name: String, note: String, users: Int, items: Int, train: [Interaction],
    valid: [Interaction], test: [Interaction]
  ) {
    self.name = name
    self.note = note
    self.users = users
    self.items = items
    self.train = train
    self.valid = valid
    self.test = test
  }
}

/// Where an interaction goes.
enum FoldPart: Sendable {
  case train, valid, test
}

extension InteractionFolds {
  /// Divides by a rule for each user's interactions, which it sees in the order given.
  ///
  /// - Parameters:
  ///   - ordered: Grouped by user; each part keeps this order.
  ///   - part: The part of the interaction at a place of a user who has so many.
  init(
    name: String, note: String, users: Int, items: Int, ordered: [Interaction],
    part: (_ place: Int, _ count: Int) -> FoldPart
  ) {
    self.init(
      name: name, note: note, users: users, items: items, train: [], valid: [], test: [])
    var first = 0
    while first < ordered.count {
      var end = first
      while end < ordered.count, ordered[end].user == ordered[first].user { end += 1 }
      for place in first..<end {
        switch part(place - first, end - first) {
        case .train: train.append(ordered[place])
        case .valid: valid.append(ordered[place])
        case .test: test.append(ordered[place])
        }
      }
      first = end
    }
  }

  /// The last interaction of each user is for the test, the one before it for validation.
  ///
  /// - Parameters:
  ///   - name: What the division is called.
  ///   - interactions: All of them; of equal times the one that stands first is the earlier.
  ///   - users: How many users there are.
  ///   - items: How many items there are.
  /// - Complexity: O(n · log n).
  public static func leavingOneOut(
    _ name: String, of interactions: [Interaction], users: Int, items: Int
  ) -> InteractionFolds {
    InteractionFolds(
      name: name,
      note: "leave-last-one-out by (timestamp,file row); valid=2nd last; all ratings are positives",
      users: users, items: items, ordered: inTime(interactions)
    ) { place, count in
      switch count - 1 - place {
      case 0: .test
      case 1: .valid
      default: .train
      }
    }
  }

  /// The last fifth of each user's interactions is for the test, the last tenth of the rest for
  /// validation, both rounded up.
  ///
  /// - Parameters:
  ///   - name: What the division is called.
  ///   - interactions: All of them; of equal times the one that stands first is the earlier.
  ///   - users: How many users there are.
  ///   - items: How many items there are.
  /// - Complexity: O(n · log n).
  public static func byTime(
    _ name: String, of interactions: [Interaction], users: Int, items: Int
  ) -> InteractionFolds {
    InteractionFolds(
      name: name,
      note: "user-wise temporal 80/20 (last ceil(20%) test; last ceil(10%) of the rest valid); all "
        + "ratings are positives",
      users: users, items: items, ordered: inTime(interactions)
    ) { place, count in
      let tested = Int((Double(count) * 0.2).rounded(.up))
      let chosenBy = Int((Double(count - tested) * 0.1).rounded(.up))
      let fromEnd = count - 1 - place
      return fromEnd < tested ? .test : fromEnd < tested + chosenBy ? .valid : .train
    }
  }

  /// A fifth of each user's positive interactions, drawn, is for the test, a tenth for validation, both
  /// rounded down.
  ///
  /// The draws are those of NumPy's `default_rng(seed)`, one for each interaction in the order of users
  /// and items.
  ///
  /// - Parameters:
  ///   - name: What the division is called.
  ///   - interactions: All of them.
  ///   - least: The rating from which on an interaction is positive; others are left out.
  ///   - seed: The seed of the draws.
  ///   - users: How many users there are.
  ///   - items: How many items there are.
  /// - Complexity: O(n · log n).
  public static func atRandom(
    _ name: String, of interactions: [Interaction], ratedAtLeast least: Int, seed: UInt64,
    users: Int, items: Int
  ) -> InteractionFolds {
    let ordered = stable(interactions.filter { $0.rating >= least }) {
      ($0.user, $0.item) < ($1.user, $1.item)
    }
    var generator = PermutedCongruentialGenerator(seed: seed)
    let draws = ordered.map { _ in generator.unitInterval() }
    var ranks = Array(repeating: 0, count: ordered.count)
    var first = 0
    while first < ordered.count {
      var end = first
      while end < ordered.count, ordered[end].user == ordered[first].user { end += 1 }
      let byDraw = (first..<end).sorted { (draws[$0], $0) < (draws[$1], $1) }
      for (rank, place) in byDraw.enumerated() { ranks[place] = rank }
      first = end
    }
    var next = 0
    return InteractionFolds(
      name: name,
      note: "user-wise random 80/20 (10% valid), only rating>=\(least) kept, default_rng(\(seed))",
      users: users, items: items, ordered: ordered
    ) { _, count in
      let rank = ranks[next]
      next += 1
      let tested = Int(Double(count) * 0.2)
      let chosenBy = Int(Double(count) * 0.1)
      return rank < tested ? .test : rank < tested + chosenBy ? .valid : .train
    }
  }

  /// By user, then time; of equal times in the order given.
  private static func inTime(_ interactions: [Interaction]) -> [Interaction] {
    stable(interactions) { ($0.user, $0.timestamp) < ($1.user, $1.timestamp) }
  }

  private static func stable(
    _ interactions: [Interaction], by isBefore: (Interaction, Interaction) -> Bool
  ) -> [Interaction] {
    interactions.enumerated().sorted { left, right in
      if isBefore(left.element, right.element) { return true }
      return !isBefore(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }
}
