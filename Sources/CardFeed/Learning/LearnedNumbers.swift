/// Where a learned number belongs: to a person or card, or to everybody.
public struct LearnedKey: Hashable, Sendable {
  /// The card or viewer, or nil for a number of the whole deck.
  public let owner: CardNumber?
  /// 0 ..< 256; the learner says what each slot means.
  public let slot: UInt8

  /// A number of one card or viewer, or with `owner: nil` of the whole deck.
  public init(owner: CardNumber?, slot: UInt8) {
    self.owner = owner
    self.slot = slot
  }
}

/// What one event adds to learned numbers. Integers, so that it can be taken back exactly.
public struct Increment: Hashable, Sendable {
  /// Which number.
  public let key: LearnedKey
  /// What is added.
  public let amount: Int64

  /// Adds `amount` to the number at `key`.
  public init(_ key: LearnedKey, _ amount: Int64) {
    self.key = key
    self.amount = amount
  }

  /// What takes it back. Wrapping, as the sums of increments are.
  package var negated: Increment { Increment(key, 0 &- amount) }
}

/// The state of one learner: integers, one row of `stride` slots for every card and viewer.
///
/// The state is the sum of the increments of all events that stand. Sums of integers do not depend
/// on the order and are undone exactly, so a rewind restores the state to the bit whatever others
/// did meanwhile, and the state can be rebuilt from the log at any time. Learners that need
/// fractions keep them as fixed-point numbers.
public final class LearnedNumbers: Sendable {
  /// Slots for each owner.
  public let stride: Int

  private let values: Lock<Values>

  /// Rows are only as wide as the slots that owners have used so far: a learner may keep many numbers
  /// of the whole deck, and few of each card.
  fileprivate struct Values {
    /// The numbers that belong to nobody.
    var shared: [Int64] = []
    /// Row after row, by the number of the owner.
    var owned: [Int64] = []
    /// Slots of each row.
    var width = 0
  }

  /// All numbers zero.
  public init(stride: Int) {
    precondition((1...256).contains(stride), "A learner has between 1 and 256 slots an owner.")
    self.stride = stride
    values = Lock(Values())
  }

  /// Gives `body` a reader of the numbers, which do not change meanwhile. Read a whole slate in one
  /// call; do nothing slow inside.
  public func read<Result>(_ body: (Reader) throws -> Result) rethrows -> Result {
    try values.withLock { values in
      try values.shared.withUnsafeBufferPointer { shared in
        try values.owned.withUnsafeBufferPointer { owned in
          try body(Reader(shared: shared, owned: owned, width: values.width))
        }
      }
    }
  }

  /// Reads numbers inside `LearnedNumbers.read`. Must not be kept.
  public struct Reader {
    // The pointers are valid for the body of `read`, which is all a reader may be used in.
    fileprivate let shared: UnsafeBufferPointer<Int64>
    fileprivate let owned: UnsafeBufferPointer<Int64>
    fileprivate let width: Int

    /// The number of an owner in a slot; 0 where nothing was ever added. O(1).
    public func callAsFunction(_ owner: CardNumber?, _ slot: UInt8) -> Int64 {
      guard let owner else { return Int(slot) < shared.count ? shared[Int(slot)] : 0 }
      guard Int(slot) < width else { return 0 }
      let index = Int(owner.rawValue) * width + Int(slot)
      return index < owned.count ? owned[index] : 0
    }
  }

  /// Adds the increments, or with `sign: -1` takes them back. O(n).
  package func apply(_ increments: [Increment], sign: Int64 = 1) {
    values.withLock { values in
      for increment in increments {
        let slot = Int(increment.key.slot)
        // Wrapping, so that a sum that ran over still comes back exactly.
        let amount = sign &* increment.amount
        if let owner = increment.key.owner {
          let index = values.index(of: Int(owner.rawValue), slot)
          values.owned[index] &+= amount
        } else {
          let missing = slot + 1 - values.shared.count
          if missing > 0 { values.shared.append(contentsOf: repeatElement(0, count: missing)) }
          values.shared[slot] &+= amount
        }
      }
    }
  }

  /// Makes every number zero.
  func clear() { values.withLock { $0 = Values() } }

  /// Every number that is not zero, in the order of owner and slot.
  func nonzero() -> [Increment] {
    values.withLock { values in
      var result: [Increment] = []
      for (slot, value) in values.shared.enumerated() where value != 0 {
        result.append(Increment(LearnedKey(owner: nil, slot: UInt8(slot)), value))
      }
      for (index, value) in values.owned.enumerated() where value != 0 {
        let owner = CardNumber(Int64(index / values.width))
        let slot = UInt8(index % values.width)
        result.append(Increment(LearnedKey(owner: owner, slot: slot), value))
      }
      return result
    }
  }
}

extension LearnedNumbers.Values {
  /// The place of an owner's slot, which is made where there is none yet. Amortised O(1), but for the
  /// few times that rows become wider.
  mutating func index(of owner: Int, _ slot: Int) -> Int {
    if slot >= width {
      let rows = width == 0 ? 0 : owned.count / width
      var wider = Array(repeating: Int64(0), count: rows * (slot + 1))
      for row in 0..<rows {
        for old in 0..<width { wider[row * (slot + 1) + old] = owned[row * width + old] }
      }
      (owned, width) = (wider, slot + 1)
    }
    let index = owner * width + slot
    if index >= owned.count {
      let rows = max(owner + 1, owned.count / width * 3 / 2)
      owned.append(contentsOf: repeatElement(0, count: rows * width - owned.count))
    }
    return index
  }
}
