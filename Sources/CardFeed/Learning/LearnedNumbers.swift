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

  private let values: Lock<[Int64]>

  /// All numbers zero.
  public init(stride: Int) {
    precondition((1...256).contains(stride), "A learner has between 1 and 256 slots an owner.")
    self.stride = stride
    values = Lock([])
  }

  /// Gives `body` a reader of the numbers, which do not change meanwhile. Read a whole slate in one
  /// call; do nothing slow inside.
  public func read<Result>(_ body: (Reader) throws -> Result) rethrows -> Result {
    try values.withLock { values in
      try values.withUnsafeBufferPointer { try body(Reader(values: $0, stride: stride)) }
    }
  }

  /// Reads numbers inside `LearnedNumbers.read`. Must not be kept.
  public struct Reader {
    // The pointer is valid for the body of `read`, which is all a reader may be used in.
    fileprivate let values: UnsafeBufferPointer<Int64>
    fileprivate let stride: Int

    /// The number of an owner in a slot; 0 where nothing was ever added. O(1).
    public func callAsFunction(_ owner: CardNumber?, _ slot: UInt8) -> Int64 {
      let index = Int(owner?.rawValue ?? 0) * stride + Int(slot)
      return index < values.count ? values[index] : 0
    }
  }

  /// Adds the increments, or with `sign: -1` takes them back. O(n).
  func apply(_ increments: [Increment], sign: Int64 = 1) {
    values.withLock { values in
      for increment in increments {
        let index = Int(increment.key.owner?.rawValue ?? 0) * stride + Int(increment.key.slot)
        if index >= values.count {
          let rows = max(index / stride + 1, values.count / stride * 3 / 2)
          values.append(contentsOf: repeatElement(0, count: rows * stride - values.count))
        }
        // Wrapping, so that a sum that ran over still comes back exactly.
        values[index] &+= sign &* increment.amount
      }
    }
  }

  /// Makes every number zero.
  func clear() { values.withLock { $0 = [] } }

  /// Every number that is not zero, in the order of owner and slot.
  func nonzero() -> [Increment] {
    values.withLock { values in
      values.indices.compactMap { index in
        guard values[index] != 0 else { return nil }
        let owner = index / stride
        let key = LearnedKey(
          owner: owner == 0 ? nil : CardNumber(Int64(owner)), slot: UInt8(index % stride))
        return Increment(key, values[index])
      }
    }
  }
}
