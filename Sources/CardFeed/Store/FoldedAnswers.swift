/// The cards of one viewer whose answers were folded: for each answer one ascending set.
///
/// Version 1 of the image of a set: the version, the latest time, the number of cards, then the
/// difference of each card's number to the one before it as LEB128: one byte for a difference below
/// 128, two below 16,384. With a million cards and 2,000 of them seen, that is about 1.8 bytes a card.
package struct FoldedAnswers: Hashable, Sendable {
  package struct Key: Hashable, Sendable {
    package let answer: String
    package let meaning: AnswerMeaning

    package init(answer: String, meaning: AnswerMeaning) {
      self.answer = answer
      self.meaning = meaning
    }
  }

  package struct Group: Hashable, Sendable {
    /// The time of the latest answer in it.
    package var latest: Timestamp
    package var cards: Set<CardNumber>
  }

  package var groups: [Key: Group] = [:]

  package init() {}

  /// Adds an answer; an older one of the same card goes.
  package mutating func fold(_ card: CardNumber, _ answer: SeenEntry.Answered) {
    remove(card)
    let key = Key(answer: answer.answer, meaning: answer.meaning)
    var group = groups.removeValue(forKey: key) ?? Group(latest: answer.time, cards: [])
    group.latest = max(group.latest, answer.time)
    group.cards.insert(card)
    groups[key] = group
  }

  /// Whether the card was there.
  @discardableResult
  package mutating func remove(_ card: CardNumber) -> Bool {
    guard let key = groups.first(where: { $0.value.cards.contains(card) })?.key else {
      return false
    }
    groups[key]?.cards.remove(card)
    if groups[key]?.cards.isEmpty == true { groups[key] = nil }
    return true
  }

  /// What stands of a card; its event is the start of the log.
  package func answer(for card: CardNumber) -> SeenEntry.Answered? {
    for (key, group) in groups where group.cards.contains(card) {
      return Self.answered(key, group)
    }
    return nil
  }

  /// The entries with those folded here; an answer that was not folded stands before a folded one.
  package func completing(_ seen: [CardNumber: SeenEntry]) -> [CardNumber: SeenEntry] {
    var seen = seen
    for (key, group) in groups {
      let answer = Self.answered(key, group)
      for card in group.cards where seen[card]?.answer == nil {
        seen[card, default: SeenEntry()].answer = answer
      }
    }
    return seen
  }

  private static func answered(_ key: Key, _ group: Group) -> SeenEntry.Answered {
    SeenEntry.Answered(
      answer: key.answer, meaning: key.meaning, time: group.latest, event: .start)
  }
}

extension FoldedAnswers.Group {
  package var image: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(1)
    writer.signed(latest.milliseconds)
    writer.count(cards.count)
    var last: Int64 = 0
    for card in cards.sorted() {
      writer.unsigned(UInt64(bitPattern: card.rawValue &- last))
      last = card.rawValue
    }
    return writer.bytes
  }

  package init(image: [UInt8]) throws {
    var reader = ByteReader(image)
    let version = try reader.unsigned()
    guard version == 1 else {
      throw FeedError(
        .storedImage, "a set of folded answers has version \(version), version 1 is allowed",
        hint: "open the store with the version of CardFeed that wrote it")
    }
    latest = Timestamp(milliseconds: try reader.signed())
    let count = try reader.count()
    cards = []
    cards.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      last &+= Int64(truncatingIfNeeded: try reader.unsigned())
      cards.insert(CardNumber(last))
    }
    guard cards.count == count, reader.isAtEnd else {
      throw FeedError(.storedImage, "a set of folded answers is not what its count says")
    }
  }
}

/// Sums of increments by key, for events that leave the log.
package struct IncrementSum: Sendable {
  private var amounts: [LearnedKey: Int64] = [:]

  package init() {}

  package mutating func add(_ increments: some Sequence<Increment>) {
    // Wrapping, as learned numbers are.
    for increment in increments { amounts[increment.key, default: 0] &+= increment.amount }
  }

  /// Takes out what belongs to one owner.
  package mutating func forget(_ owner: CardNumber) {
    amounts = amounts.filter { $0.key.owner != owner }
  }

  /// What belongs to one owner.
  package func only(_ owner: CardNumber) -> [Increment] {
    increments.filter { $0.key.owner == owner }
  }

  /// Those that are not zero, in the order of owner and slot.
  package var increments: [Increment] {
    amounts.filter { $0.value != 0 }
      .map { Increment($0.key, $0.value) }
      .sorted { left, right in
        let (one, other) = (left.key.owner?.rawValue ?? 0, right.key.owner?.rawValue ?? 0)
        return one == other ? left.key.slot < right.key.slot : one < other
      }
  }
}

extension LearnerBlob {
  /// The blob without one owner's numbers.
  package func forgetting(_ owner: CardNumber) -> LearnerBlob {
    LearnerBlob(
      position: position, stride: stride, numbers: numbers.filter { $0.key.owner != owner })
  }
}
