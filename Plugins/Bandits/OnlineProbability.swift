public import CardFeed
public import CardFeedOnlineLearning

/// P(match) from binned columns of the card, learned from every swipe at once: FTRL-proximal.
///
/// The log-odds are a sum of weights of the card's bins and crosses, some of everybody, some of the
/// viewer, and of one weight of the card itself. So a new viewer gets what holds for everybody, and
/// a viewer with answers what holds for them. Bins and crosses are hashed into 64 places.
///
/// What an answer adds to the sums of a weight depends on the weights of its moment. It is stored
/// with the event as whole numbers: a rewind takes exactly that back, and leaves what later answers
/// added, as a reader of the log does who leaves the event out of the sums.
public struct OnlineProbability<D: Deck>: MatchProbabilityStrategy {
  private let learner: OnlineWeights<D>

  /// A match probability.
  ///
  /// - Parameters:
  ///   - recipe: How columns become features; its table has 64 places.
  ///   - settings: Of FTRL.
  ///   - states: Where sums are kept.
  public init(
    recipe: FeatureRecipe, settings: FTRLProximal.Settings, states: LearnerStates
  ) {
    learner = OnlineWeights(recipe: recipe, settings: settings, states: states)
  }

  /// The sums.
  public var learners: [any Learner<D>] { [learner] }

  /// What it reads of cards.
  public var scored: [String] { learner.recipe.columns.map(\.name) }

  /// Unknown.
  public var uncertainty: MatchUncertainty {
    .unknown(reason: "weights that are learned one answer at a time have no posterior")
  }

  /// One estimate for each candidate. O(n · features).
  public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    let read = try learner.reader(slate.table)
    var estimates = MatchEstimates(count: slate.count)
    learner.numbers.read { numbers in
      for (place, row) in slate.rows.enumerated() {
        let keys = learner.keys(
          of: read(row), viewer: slate.context.number, card: slate.table.number(at: row))
        let sum = keys.reduce(0.0) { $0 + learner.weight($1, numbers) }
        estimates[place] = MatchEstimate(match: Probability(logistic(sum)))
      }
    }
    return estimates
  }

  /// What the weights of everybody, of the viewer and of the card itself add to the log-odds. O(n ·
  /// features).
  public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] {
    let read = try learner.reader(slate.table)
    let viewer = slate.context.number
    var parts: [[Double]] = Array(
      repeating: Array(repeating: 0, count: slate.count), count: 3)
    learner.numbers.read { numbers in
      for (place, row) in slate.rows.enumerated() {
        for key in learner.keys(
          of: read(row), viewer: viewer, card: slate.table.number(at: row))
        {
          // In a deck of people the viewer has a number like a card: the place tells whose it is.
          let part = key.isOwn ? 2 : key.owner == nil ? 0 : 1
          parts[part][place] += learner.weight(key, numbers)
        }
      }
    }
    return zip(["everybody", "viewer", "card"], parts).map { EstimatePart(name: $0, values: $1) }
  }
}

/// The sums z and n of FTRL, as whole numbers.
struct OnlineWeights<D: Deck>: Learner {
  let recipe: FeatureRecipe
  let settings: FTRLProximal.Settings
  let numbers: LearnedNumbers
  let identity: String

  /// The table of the recipe has 2⁶ places; a weight takes two slots.
  static var bits: Int { 6 }
  /// The slot pair behind the features is of the owner itself.
  private static var ownPlace: UInt32 { 1 << UInt32(bits) }
  private static var unit: Double { 0x1p-32 }

  init(recipe: FeatureRecipe, settings: FTRLProximal.Settings, states: LearnerStates) {
    precondition(
      recipe.bits == Self.bits && !recipe.hasParts,
      "The recipe of an online probability has 2^\(Self.bits) places and bins with hard edges.")
    self.recipe = recipe
    self.settings = settings
    var hash = StableHash()
    for column in recipe.columns {
      hash.combine(column.name)
      hash.combine(column.isAlone ? 1 : 0)
      if case .edges(let edges) = column.bins {
        for edge in edges { hash.combine(edge.bitPattern) }
      }
    }
    for cross in recipe.crosses {
      hash.combine(cross.count)
      for column in cross { hash.combine(column) }
    }
    for number in [settings.alpha, settings.beta, settings.lambda1, settings.lambda2] {
      hash.combine(number.bitPattern)
    }
    identity = "ftrl/2 \(hash.value)"
    numbers = states.numbers(for: identity, stride: 2 * (1 << Self.bits) + 2)
  }

  /// A weight: of everybody, of the viewer, or of the card.
  struct Key: Hashable {
    let owner: CardNumber?
    let place: UInt32

    /// Whether it is the owner's one weight, whatever the features.
    var isOwn: Bool { place == OnlineWeights.ownPlace }
  }

  /// Reads a card's numbers; names count by their bytes, so that they mean the same in every table.
  func reader(_ table: CardTable<D>) throws -> (Row) -> [UInt32] {
    let readers = try recipe.columns.map { column -> (Row) -> Double in
      switch table.column(column.name) {
      case .float(let values): return { values[$0.index] }
      case .integer(let values):
        return { values[$0.index] == .min ? .nan : Double(values[$0.index]) }
      case .category(let codes, let names):
        let hashes = names.names.map { name in
          var hash = StableHash()
          hash.combine(name)
          return Double(hash.value >> 12)
        }
        return { codes[$0.index] < 0 ? .nan : hashes[Int(codes[$0.index])] }
      default:
        throw FeedError(
          .badInput,
          "the match probability 'ftrl' found no column of numbers or names '\(column.name)'",
          hint: "name a column that holds a number or a category for each card")
      }
    }
    return { row in recipe.features(of: readers.map { $0(row) }).features }
  }

  /// The weights of a pair, each once.
  func keys(of features: [UInt32], viewer: ViewerNumber, card: CardNumber) -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(2 * features.count + 1)
    for feature in features {
      for key in [Key(owner: nil, place: feature), Key(owner: viewer, place: feature)]
      where !keys.contains(key) {
        keys.append(key)
      }
    }
    keys.append(Key(owner: card, place: Self.ownPlace))
    return keys
  }

  private func sums(_ key: Key, _ read: LearnedNumbers.Reader) -> (z: Double, squares: Double) {
    let slot = UInt8(2 * key.place)
    return (
      Double(read(key.owner, slot)) * Self.unit,
      max(0, Double(read(key.owner, slot + 1)) * Self.unit)
    )
  }

  func weight(_ key: Key, _ read: LearnedNumbers.Reader) -> Double {
    let sums = sums(key, read)
    return FTRLProximal.weight(z: sums.z, squares: sums.squares, settings: settings)
  }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    guard let outcome = event.outcome, let row = event.cardRow,
      let read = try? reader(event.table)
    else { return [] }
    let keys = keys(of: read(row), viewer: event.viewer, card: event.card)
    let sums = numbers.read { read in keys.map { self.sums($0, read) } }
    let added = FTRLProximal.increments(
      weights: sums.map {
        FTRLProximal.weight(z: $0.z, squares: $0.squares, settings: settings)
      }, squares: sums.map(\.squares), outcome: outcome, settings: settings)
    return zip(keys, added).flatMap { key, added in
      let slot = UInt8(2 * key.place)
      return [
        Increment(
          LearnedKey(owner: key.owner, slot: slot), Int64((added.z / Self.unit).rounded())),
        Increment(
          LearnedKey(owner: key.owner, slot: slot + 1),
          Int64((added.squares / Self.unit).rounded())),
      ]
    }
  }
}
