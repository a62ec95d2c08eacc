internal import CardFeed

extension AnkiCollection {
  /// A collection of cards and answers.
  ///
  /// Each card becomes a note of two fields; two siblings that are each other's reverse become one
  /// note, "Basic (and reversed card)". Other siblings become notes of their own, which Anki does not
  /// hold apart; `siblingsParted` counts them. The first tag `deck:NAME` of a card names its deck.
  /// Numbers follow from identities, so that a further
  /// export gives the same ones; identities that are Anki's numbers are kept. Two answers of one
  /// millisecond are put a millisecond apart. The log says when and how a card was answered; due days
  /// follow from it by the plainest rule, the last pause again, until Anki's own scheduler has them.
  ///
  /// - Parameters:
  ///   - study: The cards and the answers; those about other cards are refused.
  ///   - isHTML: Whether the texts are HTML; otherwise they are plain text.
  ///   - now: When the notes were changed, in milliseconds since 1970.
  ///   - file: The name of the file of answers, for errors.
  /// - Throws: `AnkiError` for an answer about a card that is not there, and for a text with a
  ///   control character that Anki parts fields with.
  /// - Complexity: O(n log n).
  public init(
    _ study: StudyFiles, isHTML: Bool = false, at now: Int64, file: String
  ) throws(AnkiError) {
    let firstDay = (study.answers.first?.time ?? now) / Self.day * Self.day
    self.init(
      created: firstDay / 1000, decks: [Self.defaultDeck], noteTypes: [.basic, .reversed])
    var numbers = IdentityNumbers(texts: study.cards.map(\.id))
    var noteNumbers = IdentityNumbers(texts: [])
    var deckNumbers = DeckNumbers()
    var guids: Set<String> = []
    let reversed = Self.reversedPairs(of: study.cards)
    var cardOf: [String: Int] = [:]
    for (index, card) in study.cards.enumerated() {
      let pair = reversed[index]
      if let pair, pair.isSecond {
        // Its note came with the first of the two.
        let note = cards[cardOf[study.cards[pair.other].id] ?? 0].note
        cards.append(
          Card(
            id: numbers.number(of: card.id), note: note, deck: deckNumbers.number(of: card.deck),
            ordinal: 1, modified: now / 1000, due: card.order ?? Int64(index + 1)))
      } else {
        var guid = card.note ?? card.id
        if !guids.insert(guid).inserted {
          siblingsParted += 1
          guid = "card:" + card.id
          guids.insert(guid)
        }
        let texts = [card.prompt, card.answer]
        guard texts.allSatisfy({ !$0.contains("\u{1f}") && !$0.contains("\0") }) else {
          throw AnkiError(
            file: file, place: "card \(index + 1)",
            "a text has a NUL or a unit separator (U+001F) in it; allowed: a text without")
        }
        let note = Note(
          id: noteNumbers.number(of: guid),
          guid: guid, noteType: pair == nil ? NoteType.basic.id : NoteType.reversed.id,
          tags: card.tagsWithoutDeck.map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: "_")
          },
          fields: texts.map { isHTML ? $0 : AnkiText.html($0) })
        notes.append(note)
        cards.append(
          Card(
            id: numbers.number(of: card.id), note: note.id, deck: deckNumbers.number(of: card.deck),
            modified: now / 1000, due: card.order ?? Int64(index + 1)))
      }
      cardOf[card.id] = index
    }
    decks += deckNumbers.decks
    try add(study.answers, cardOf, file)
    notes.sort { $0.id < $1.id }
    cards.sort { $0.id < $1.id }
  }

  private static var day: Int64 { 86_400_000 }

  /// The pairs of siblings of which each asks what the other answers, by their places.
  private static func reversedPairs(
    of cards: [StudyFiles.Card]
  ) -> [Int: (other: Int, isSecond: Bool)] {
    var places: [String: [Int]] = [:]
    for (index, card) in cards.enumerated() {
      if let note = card.note { places[note, default: []].append(index) }
    }
    var pairs: [Int: (other: Int, isSecond: Bool)] = [:]
    for siblings in places.values where siblings.count == 2 {
      let (first, second) = (siblings[0], siblings[1])
      guard cards[first].prompt == cards[second].answer,
        cards[first].answer == cards[second].prompt,
        cards[first].tagsWithoutDeck == cards[second].tagsWithoutDeck
      else { continue }
      pairs[first] = (second, false)
      pairs[second] = (first, true)
    }
    return pairs
  }

  /// Adds the log, and what Anki keeps of it beside the cards.
  private mutating func add(
    _ answers: [StudyFiles.Answer], _ cardOf: [String: Int], _ file: String
  ) throws(AnkiError) {
    var last = [Review?](repeating: nil, count: cards.count)
    var wasLearned = [Bool](repeating: false, count: cards.count)
    for (index, answer) in answers.enumerated() {
      guard let place = cardOf[answer.card] else {
        throw AnkiError(
          file: file, place: "answer \(index + 1) in the order of time",
          "it is about a card that is not there; allowed: answers about the cards given",
          hint: "give all cards of the deck")
      }
      guard let rating = answer.grade.rating else {
        switch answer.grade {
        case .suspend: cards[place].queue = -1
        case .resume: cards[place].queue = cards[place].type
        default: break
        }
        continue
      }
      let time = max(answer.time, (reviews.last?.id ?? 0) + 1)
      let pause = last[place].map { max(1, time / Self.day - $0.id / Self.day) } ?? 1
      let review = Review(
        id: time, card: cards[place].id, ease: rating, interval: rating == 1 ? 1 : pause,
        lastInterval: last[place]?.interval ?? 0, factor: last[place] == nil ? 0 : 2500,
        type: last[place] == nil ? 0 : 1)
      reviews.append(review)
      last[place] = review
      if rating == 1, wasLearned[place] { cards[place].lapses += 1 }
      if rating > 1 { wasLearned[place] = true }
      cards[place].repetitions += 1
      cards[place].type = 2
      if cards[place].queue != -1 { cards[place].queue = 2 }
      cards[place].interval = review.interval
      cards[place].due = time / Self.day - created * 1000 / Self.day + review.interval
    }
  }
}

extension AnkiCollection.NoteType {
  private static let back = "{{FrontSide}}\n\n<hr id=answer>\n\n"

  /// Two fields, one card.
  static let basic = Self(
    id: 1_400_000_000_001, fields: ["Front", "Back"],
    templates: [Template(front: "{{Front}}", back: back + "{{Back}}")])

  /// Two fields, a card for each direction.
  static let reversed = Self(
    id: 1_400_000_000_002, fields: ["Front", "Back"],
    templates: [
      Template(front: "{{Front}}", back: back + "{{Back}}"),
      Template(front: "{{Back}}", back: back + "{{Front}}"),
    ])
}

/// Numbers for the decks that are named.
private struct DeckNumbers {
  private(set) var decks: [AnkiCollection.Deck] = []
  private var numbers = IdentityNumbers(texts: [])
  private var known: [String: Int64] = [:]

  /// - Parameter name: A name; nil for the deck that every collection has.
  mutating func number(of name: String?) -> Int64 {
    guard let name, name != AnkiCollection.defaultDeck.name else {
      return AnkiCollection.defaultDeck.id
    }
    // Anki takes names that differ in the case of letters for the same.
    let key = name.lowercased()
    if let number = known[key] { return number }
    let number = numbers.number(of: key)
    known[key] = number
    decks.append(AnkiCollection.Deck(id: number, name: name))
    return number
  }
}

/// Numbers for identities: those that are written as one keep it, others get one of their hash.
private struct IdentityNumbers {
  private var taken: Set<Int64>

  /// - Parameter texts: Identities whose numbers are kept for them.
  init(texts: [String]) { taken = Set(texts.compactMap(Self.plain)) }

  private static func plain(_ text: String) -> Int64? {
    // Numbers of this size are exact in every program that reads collections.
    Int64(text).flatMap { (1...(1 << 53)).contains($0) && String($0) == text ? $0 : nil }
  }

  mutating func number(of text: String) -> Int64 {
    if let plain = Self.plain(text), taken.contains(plain) { return plain }
    var hash = StableHash()
    hash.combine(text)
    // Anki's own numbers are times, and its check moves those of the future: 2001 to 2017.
    var number = 1_000_000_000_000 + Int64(hash.value % 500_000_000_000)
    while !taken.insert(number).inserted { number += 1 }
    return number
  }
}
