internal import CardFeed

/// The sums of another learner, for each period of a cycle apart.
///
/// Each place of the cycle is a learner of its own. Beside the sums of an owner it keeps the number of
/// their events and the sum of their periods, which tell whether they are of one period, and of which.
/// The first answer of a new period takes out what is left of the one a cycle before. All that is
/// stored with the answer as whole numbers, so a rewind of the latest answer restores everything to the
/// bit. Where the first answer of a period is taken back after others of the period came, or where two
/// come first at the same moment, what is left is of no single period: it counts as nothing, and the
/// next answer takes it out.
struct PeriodSums<D: Deck>: Learner {
  let base: any Learner<D>
  let forgetting: Forgetting
  /// The place of the cycle.
  let place: Int64
  /// Slots of the base.
  let stride: Int
  let numbers: LearnedNumbers
  let identity: String

  /// Every place of a cycle.
  ///
  /// - Parameters:
  ///   - base: What an event adds; its own numbers stay empty. All it adds is of one owner.
  ///   - stride: How many slots of an owner it has, at most 254.
  static func cycle(
    of base: any Learner<D>, stride: Int, _ forgetting: Forgetting, states: LearnerStates
  ) -> [PeriodSums] {
    (0..<Forgetting.periods).map { place in
      let identity = "\(base.identity) of period \(place) of \(forgetting.period) ms"
      return PeriodSums(
        base: base, forgetting: forgetting, place: place, stride: stride,
        numbers: states.numbers(for: identity, stride: stride + 2), identity: identity)
    }
  }

  private var eventsSlot: UInt8 { UInt8(stride) }
  private var periodsSlot: UInt8 { UInt8(stride + 1) }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    let period = forgetting.period(of: event.time)
    guard period % Forgetting.periods == place else { return [] }
    let added = base.increments(for: event)
    guard let first = added.first else { return [] }
    let owner = first.key.owner
    var sums: [UInt8: Int64] = [:]
    for increment in added { sums[increment.key.slot, default: 0] += increment.amount }
    sums[eventsSlot] = 1
    sums[periodsSlot] = period
    let isLate = numbers.read { read -> Bool in
      let known = self.period(of: owner, read)
      if known == period { return false }
      if let known, known > period { return true }
      for slot in 0..<UInt8(stride + 2) {
        let left = read(owner, slot)
        if left != 0 { sums[slot, default: 0] -= left }
      }
      return false
    }
    // A whole cycle too late: it weighs nothing any more.
    if isLate { return [] }
    return sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { Increment(LearnedKey(owner: owner, slot: $0.key), $0.value) }
  }

  /// The period of an owner's sums; nil where there are none, or of several periods.
  private func period(of owner: CardNumber?, _ read: LearnedNumbers.Reader) -> Int64? {
    let events = read(owner, eventsSlot)
    guard events > 0 else { return nil }
    let (period, rest) = read(owner, periodsSlot).quotientAndRemainder(dividingBy: events)
    guard rest == 0, period >= 0, period % Forgetting.periods == place else { return nil }
    return period
  }

  /// Adds an owner's sums, times a weight, where they are of the period.
  func add(
    _ owner: CardNumber?, of period: Int64, weight: Double, _ read: LearnedNumbers.Reader,
    to sums: inout [Double]
  ) {
    guard self.period(of: owner, read) == period else { return }
    for slot in 0..<stride { sums[slot] += weight * Double(read(owner, UInt8(slot))) }
  }
}

extension Array {
  /// The weighted sums of owners. O(owners · slots · periods).
  func sums<D>(of owners: [CardNumber?], now: Timestamp) -> [[Double]]
  where Element == PeriodSums<D> {
    guard let first else { return owners.map { _ in [] } }
    var result = Array<[Double]>(
      repeating: Array<Double>(repeating: 0, count: first.stride), count: owners.count)
    for (learner, (period, weight)) in zip(self, first.forgetting.weights(now: now)) {
      learner.numbers.read { read in
        for (index, owner) in owners.enumerated() {
          learner.add(owner, of: period, weight: weight, read, to: &result[index])
        }
      }
    }
    return result
  }
}
