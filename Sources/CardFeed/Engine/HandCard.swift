internal import CardFeedStack

/// A card in a hand as the engine keeps it: how it came, by number.
struct HandCard: Identifiable, Sendable, Hashable {
  let id: CardNumber
  var deal: LogPosition
  var source: String
  var fingerprint: String
  var variant: String?
  var score: Double?
  var match: Double?
  var forward: Double?
  var backward: Double?
  var standardError: Double?
  var propensity: Double
  var terms: [ScoreTerm]

  init(_ planned: PlannedCard, fingerprint: String, variant: String?) {
    id = planned.number
    deal = .start
    source = planned.source
    self.fingerprint = fingerprint
    self.variant = variant
    score = planned.numbers.score.value
    match = planned.numbers.estimate.match?.value
    forward = planned.numbers.estimate.forward?.value
    backward = planned.numbers.estimate.backward?.value
    standardError = planned.numbers.estimate.standardError
    propensity = planned.propensity
    terms = planned.numbers.terms
  }

  /// A card of which only the number and the deal are known: one that was swiped before a restart.
  init(_ swipe: StoredSwipe) {
    id = swipe.card
    deal = swipe.deal ?? .start
    source = ""
    fingerprint = ""
    propensity = 1
    terms = []
  }

  /// Whether it was rebuilt from the log, without its numbers.
  var isBare: Bool { fingerprint.isEmpty }

  var estimate: MatchEstimate {
    MatchEstimate(
      match: match.flatMap(Probability.init), forward: forward.flatMap(Probability.init),
      backward: backward.flatMap(Probability.init), standardError: standardError)
  }
}

/// An answer as the engine's stacks keep it.
struct RecordedAnswer: Sendable, Hashable {
  let answer: String
  let event: LogPosition
}

typealias HandStack = CardStack<HandCard, RecordedAnswer>

/// The image of the upcoming cards, version 1: the version, the cards, and behind them the cards that
/// count as not dealt, if there are any.
enum HandImage {
  static func encode(_ cards: some Sequence<HandCard>, returned: [CardNumber]) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(1)
    let cards = Array(cards)
    writer.count(cards.count)
    for card in cards {
      writer.unsigned(UInt64(card.id.rawValue))
      writer.unsigned(UInt64(card.deal.rawValue))
      writer.text(card.source)
      writer.text(card.fingerprint)
      writer.text(card.variant ?? "")
      for number in [card.score, card.match, card.forward, card.backward, card.standardError] {
        writer.optionalDouble(number)
      }
      writer.double(card.propensity)
      writer.count(card.terms.count)
      for term in card.terms {
        writer.text(term.name)
        writer.optionalDouble(term.value)
        writer.unsigned(term.isPrivate ? 1 : 0)
      }
    }
    if !returned.isEmpty {
      writer.count(returned.count)
      for card in returned { writer.unsigned(UInt64(card.rawValue)) }
    }
    return writer.bytes
  }

  static func decode(
    _ image: [UInt8]
  ) throws -> (cards: [HandCard], returned: [CardNumber]) {
    guard !image.isEmpty else { return ([], []) }
    do {
      var reader = ByteReader(image)
      let version = try reader.unsigned()
      guard version == 1 else {
        throw FeedError(
          .storedImage, "a stored hand has version \(version), version 1 is allowed",
          hint: "open the store with the version of CardFeed that wrote it")
      }
      var cards: [HandCard] = []
      for _ in 0..<(try reader.count()) { cards.append(try HandCard(from: &reader)) }
      var returned: [CardNumber] = []
      if !reader.isAtEnd {
        for _ in 0..<(try reader.count()) {
          returned.append(CardNumber(Int64(truncatingIfNeeded: try reader.unsigned())))
        }
      }
      return (cards, returned)
    } catch let damage as ByteReader.Damage {
      throw FeedError(
        .storedImage, "a stored hand cannot be read: \(damage)",
        hint: "check the store; the hand can be dealt anew after its row is deleted")
    }
  }
}

extension HandCard {
  fileprivate init(from reader: inout ByteReader) throws(ByteReader.Damage) {
    id = CardNumber(Int64(truncatingIfNeeded: try reader.unsigned()))
    deal = LogPosition(Int64(truncatingIfNeeded: try reader.unsigned()))
    source = try reader.text()
    fingerprint = try reader.text()
    let variant = try reader.text()
    self.variant = variant.isEmpty ? nil : variant
    score = try reader.optionalDouble()
    match = try reader.optionalDouble()
    forward = try reader.optionalDouble()
    backward = try reader.optionalDouble()
    standardError = try reader.optionalDouble()
    propensity = try reader.double()
    terms = []
    for _ in 0..<(try reader.count()) {
      terms.append(
        ScoreTerm(
          name: try reader.text(), value: try reader.optionalDouble(),
          isPrivate: try reader.unsigned() == 1))
    }
  }
}
