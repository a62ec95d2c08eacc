/// What a feed is told and what it is asked: the parts of a prediction experiment.
///
/// Every split is checked before anything is predicted (`leaks`): a figure from a split that tells
/// the feed what it is asked would be worth nothing.
struct PredictionSplit: Sendable {
  /// What is predicted.
  enum Unit: Sendable {
    /// Whether both said yes.
    case pairs
    /// Whether one said yes.
    case decisions
  }

  /// One thing that is predicted.
  struct Case: Sendable {
    let wave: Int
    /// Cases of one group are compared with each other in an AUC.
    let group: Int
    /// The woman of a pair, the one who decides.
    let rater: Int
    let target: Int
    let pairID: Int
    let outcome: Bool
  }

  /// What is told, and what is asked then.
  struct Part: Sendable {
    /// Indices of decisions.
    let known: [Int]
    /// Indices of cases.
    let asked: [Int]
  }

  let unit: Unit
  let cases: [Case]
  let parts: [Part]
  /// Whether nobody who is asked about may be known.
  let isCold: Bool

  /// What reference files of this split are called.
  let referencePrefix: String

  init(
    unit: Unit, cases: [Case], parts: [Part], isCold: Bool, referencePrefix: String
  ) {
    self.unit = unit
    self.cases = cases
    self.parts = parts
    self.isCold = isCold
    self.referencePrefix = referencePrefix
  }

  /// A fifth of the pairs from the others.
  static func warmPairs(_ data: SpeedDatingData) -> PredictionSplit {
    pairs(data, referencePrefix: "warm_pair", group: \.foldPair, isCold: false) { pair, fold in
      pair.foldPair == fold
    } known: {
      $0.foldPair
    }
  }

  /// A fifth of the evenings from the others.
  static func coldWaves(_ data: SpeedDatingData) -> PredictionSplit {
    pairs(data, referencePrefix: "wave5", group: nil, isCold: true) { pair, fold in
      pair.foldWave == fold
    } known: {
      $0.foldWave
    }
  }

  /// The later evenings from the earlier ones.
  static func coldTime(_ data: SpeedDatingData) -> PredictionSplit {
    let test = data.pairs.filter { $0.timeSplit == .test }
    let earlier = Set(data.pairs.filter { $0.timeSplit == .train }.map(\.id))
    return PredictionSplit(
      unit: .pairs, cases: test.map { Case($0, group: 0) },
      parts: [
        Part(
          known: data.decisions.indices.filter { earlier.contains(data.decisions[$0].pairID) },
          asked: Array(test.indices))
      ], isCold: true, referencePrefix: "time")
  }

  /// A fifth of the decisions from the others; the other side's answer may be known.
  static func warmDecisions(_ data: SpeedDatingData) -> PredictionSplit {
    let folds = Set(data.decisions.map(\.foldDecision)).sorted()
    return PredictionSplit(
      unit: .decisions,
      cases: data.decisions.map {
        Case(
          wave: $0.wave, group: $0.foldDecision, rater: $0.rater, target: $0.target,
          pairID: $0.pairID, outcome: $0.decision)
      },
      parts: folds.map { fold in
        Part(
          known: data.decisions.indices.filter { data.decisions[$0].foldDecision != fold },
          asked: data.decisions.indices.filter { data.decisions[$0].foldDecision == fold })
      }, isCold: false, referencePrefix: "warm_decision")
  }

  private static func pairs(
    _ data: SpeedDatingData, referencePrefix: String,
    group: KeyPath<SpeedDatingData.Pair, Int>?, isCold: Bool,
    asked: (SpeedDatingData.Pair, Int) -> Bool, known: (SpeedDatingData.Decision) -> Int
  ) -> PredictionSplit {
    let folds = Set(data.decisions.map(known)).sorted()
    return PredictionSplit(
      unit: .pairs,
      cases: data.pairs.map { pair in Case(pair, group: group.map { pair[keyPath: $0] } ?? 0) },
      parts: folds.map { fold in
        Part(
          known: data.decisions.indices.filter { known(data.decisions[$0]) != fold },
          asked: data.pairs.indices.filter { asked(data.pairs[$0], fold) })
      }, isCold: isCold, referencePrefix: referencePrefix)
  }
}

extension PredictionSplit.Case {
  init(_ pair: SpeedDatingData.Pair, group: Int) {
    self.init(
      wave: pair.wave, group: group, rater: pair.woman, target: pair.man, pairID: pair.id,
      outcome: pair.match)
  }
}

/// A split that tells a feed what it is asked.
public struct SplitLeak: Error, Equatable, Sendable, CustomStringConvertible {
  /// What leaks. More kinds may come.
  public enum Kind: Sendable, Equatable, CaseIterable {
    /// A decision that is asked for is told.
    case answer
    /// One decision of a pair is told and the match of the pair is asked for.
    case otherSide
    /// A person who is asked about is known, where the split is about strangers.
    case person
    /// A case is asked never, or more than once.
    case coverage
  }

  /// What leaks.
  public let kind: Kind
  /// How often.
  public let count: Int

  /// What leaks, and how often.
  public var description: String {
    let what =
      switch kind {
      case .answer: "decisions are told and asked for in the same part"
      case .otherSide: "pairs have one decision told and the match asked for"
      case .person: "people are known and asked about in a split about strangers"
      case .coverage: "cases are not asked exactly once"
      }
    return "the split leaks: \(count) \(what); nothing was predicted"
  }
}

extension PredictionSplit {
  /// Throws a `SplitLeak` unless the split keeps apart what it must. O(parts · decisions).
  func checkLeaks(_ data: SpeedDatingData) throws(SplitLeak) {
    var times = Array(repeating: 0, count: cases.count)
    for part in parts {
      let known = part.known.map { data.decisions[$0] }
      let asked = part.asked.map { cases[$0] }
      for index in part.asked { times[index] += 1 }
      try Self.refuse(
        .answer, unit == .decisions ? overlaps(asked, known) : 0)
      let pairs = Set(known.map(\.pairID))
      try Self.refuse(
        .otherSide, unit == .pairs ? asked.count { pairs.contains($0.pairID) } : 0)
      let people = Set(known.flatMap { [$0.rater, $0.target] })
      let strangers = Set(asked.flatMap { [$0.rater, $0.target] })
      try Self.refuse(.person, isCold ? strangers.intersection(people).count : 0)
    }
    try Self.refuse(.coverage, times.count { $0 != 1 })
  }

  private func overlaps(
    _ asked: [Case], _ known: [SpeedDatingData.Decision]
  ) -> Int {
    let told = Set(known.map { Encounter(rater: $0.rater, target: $0.target) })
    return asked.count { told.contains(Encounter(rater: $0.rater, target: $0.target)) }
  }

  private static func refuse(_ kind: SplitLeak.Kind, _ count: Int) throws(SplitLeak) {
    if count > 0 { throw SplitLeak(kind: kind, count: count) }
  }
}

/// Who is asked about whom.
struct Encounter: Hashable {
  let rater: Int
  let target: Int
}
