/// One swipe, or one impression, as a learner sees it: before it is counted.
public struct LearningEvent<D: Deck>: Sendable {
  /// Who swiped.
  public let viewer: ViewerNumber
  /// What was swiped.
  public let card: CardNumber
  /// The viewer's own row, in a deck where viewers are cards.
  public let viewerRow: Row?
  /// The card's row.
  public let cardRow: Row?
  /// The cards at that time.
  public let table: CardTable<D>
  /// What the answer says.
  public let meaning: AnswerMeaning
  /// Whether it was positive, as rates and probabilities count it (``DeckPolicy/outcome(of:)``); nil of
  /// an answer that they leave out, and of an impression.
  public let outcome: Bool?
  /// When the client swiped.
  public let time: Timestamp
  /// For how long an impression lasted; nil of a swipe, and where the client did not say.
  public let dwell: Dwell?

  package init(
    viewer: ViewerNumber, card: CardNumber, viewerRow: Row?, cardRow: Row?, table: CardTable<D>,
    meaning: AnswerMeaning, time: Timestamp, dwell: Dwell? = nil,
    policy: DeckPolicy = DeckPolicy(isMutual: false)
  ) {
    self.viewer = viewer
    self.card = card
    self.viewerRow = viewerRow
    self.cardRow = cardRow
    self.table = table
    self.meaning = meaning
    outcome = policy.outcome(of: meaning)
    self.time = time
    self.dwell = dwell
  }
}

/// A strategy that learns from swipes.
///
/// A learner turns an event into increments of its `LearnedNumbers`. The feed stores the increments
/// with the event, adds them when the event is committed and takes them back when it is rewound.
public protocol Learner<D>: Sendable {
  /// The deck it learns from.
  associatedtype D: Deck

  /// Names the meaning of the numbers: the strategy, a version, and every parameter that changes
  /// what an event adds. Two learners with the same identity share their numbers.
  var identity: String { get }

  /// The state. Taken from the `LearnerStates` under which the strategy was built.
  var numbers: LearnedNumbers { get }

  /// What the event adds. Reads `numbers`, changes nothing. O(1).
  func increments(for event: LearningEvent<D>) -> [Increment]
}

/// A learner that counts impressions, which clients report, and learns nothing from swipes.
///
/// An impression cannot be taken back, so nothing is stored with it: the numbers are a fold over the
/// impressions of the log, in their order. A feed counts those that it records at once, and those of
/// other processes when it is opened.
public protocol ImpressionLearner<D>: Learner {
  /// What an impression adds to numbers like its own. Reads `numbers`, changes nothing. O(1).
  ///
  /// - Parameters:
  ///   - impression: The impression; its meaning is neutral.
  ///   - numbers: The numbers that it is added to, not always `self.numbers`.
  func increments(
    forImpression impression: LearningEvent<D>, over numbers: LearnedNumbers
  ) -> [Increment]
}

extension ImpressionLearner {
  /// Nothing: swipes teach it nothing.
  public func increments(for event: LearningEvent<D>) -> [Increment] { [] }
}

/// The increments of one event for one learner, as stored with the event.
public struct LearnerDelta: Hashable, Sendable {
  /// The identity of the learner.
  public let learner: String
  /// What the event added.
  public let increments: [Increment]

  /// Names the learner and what the event added to its numbers.
  public init(learner: String, increments: [Increment]) {
    self.learner = learner
    self.increments = increments
  }
}

/// The numbers of every learner of a feed and the models of its trainable strategies, by identity.
/// Pipelines that are built with the same object share them, so a reload forgets nothing.
public final class LearnerStates: Sendable {
  private let states = Lock([String: LearnedNumbers]())
  /// The models of trainable strategies.
  let slots = Lock([SlotKey: any AnyModelSlot]())

  /// No learner yet.
  public init() {}

  /// The numbers of a learner, made when they are first asked for.
  public func numbers(for identity: String, stride: Int) -> LearnedNumbers {
    states.withLock { states in
      if let known = states[identity] {
        precondition(
          known.stride == stride,
          "The learner '\(identity)' asked for \(stride) slots after it had asked for "
            + "\(known.stride); a change of meaning needs a new version in its identity.")
        return known
      }
      let numbers = LearnedNumbers(stride: stride)
      states[identity] = numbers
      return numbers
    }
  }

  func existing(_ identity: String) -> LearnedNumbers? { states.withLock { $0[identity] } }
}

/// A learner's numbers at one place of the log, as a store keeps them.
public struct LearnerBlob: Hashable, Sendable {
  /// Every event up to here is counted, none after it.
  public let position: LogPosition
  /// Slots for each owner.
  public let stride: Int
  /// Every number that is not zero.
  public let numbers: [Increment]

  /// A learner's numbers at one place of the log.
  public init(position: LogPosition, stride: Int, numbers: [Increment]) {
    self.position = position
    self.stride = stride
    self.numbers = numbers
  }

  /// Version 1: the version, the stride, then (owner, slot, amount) one after the other.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(1)
    writer.count(stride)
    writer.increments(numbers)
    return writer.bytes
  }

  package init(bytes: [UInt8], position: LogPosition) throws {
    var reader = ByteReader(bytes)
    let version = try reader.unsigned()
    guard version == 1 else {
      throw FeedError(
        .storedImage,
        "a learner's blob has version \(version); this version of CardFeed reads version 1",
        hint: "open the store with the version of CardFeed that wrote it, or delete the blob: "
          + "it is rebuilt from the event log")
    }
    stride = Int(try reader.unsigned())
    guard (1...256).contains(stride) else {
      throw FeedError(
        .storedImage, "a learner's blob has \(stride) slots an owner, 1 … 256 allowed")
    }
    numbers = try reader.increments()
    self.position = position
  }
}

extension ByteWriter {
  package mutating func increments(_ increments: [Increment]) {
    count(increments.count)
    for increment in increments {
      unsigned(UInt64(increment.key.owner?.rawValue ?? 0))
      unsigned(UInt64(increment.key.slot))
      signed(increment.amount)
    }
  }
}

extension ByteReader {
  package mutating func increments() throws -> [Increment] {
    let count = try count()
    var result: [Increment] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let owner = Int64(truncatingIfNeeded: try unsigned())
      let slot = UInt8(truncatingIfNeeded: try unsigned())
      let key = LearnedKey(owner: owner == 0 ? nil : CardNumber(owner), slot: slot)
      result.append(Increment(key, try signed()))
    }
    return result
  }
}
