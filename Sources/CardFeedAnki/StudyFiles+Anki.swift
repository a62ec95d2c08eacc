extension StudyFiles {
  /// Cards and answers of a collection.
  ///
  /// A card keeps its number as identity, its note's `guid` as note, so that siblings stay siblings,
  /// its place among new cards, and its deck as a tag `deck:NAME`, unless it is the one that every
  /// collection has. Answers that nobody gave (set by hand, rescheduled) and those
  /// about cards that are gone are left out and counted; so are cards of which no text is left. A
  /// suspended card has an answer `suspend`, not before its last one. O(size of the collection).
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - keepingHTML: Leaves the fields as they are; otherwise they become plain text.
  public init(_ collection: AnkiCollection, keepingHTML: Bool = false) {
    let types = Dictionary(
      collection.noteTypes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let notes = Dictionary(
      collection.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let decks = Dictionary(
      collection.decks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var omitted: [String: Int] = [:]
    if collection.mediaCount > 0 { omitted["media files"] = collection.mediaCount }
    var cards: [Card] = []
    for card in collection.cards {
      guard let note = notes[card.note], let type = types[note.noteType],
        var record = Card(card, of: note, type, keepingHTML: keepingHTML)
      else {
        omitted["cards without a text on both sides", default: 0] += 1
        continue
      }
      if let deck = decks[card.deck], deck.id != AnkiCollection.defaultDeck.id {
        record.tags.append(Card.deckTag + deck.name)
      }
      cards.append(record)
    }
    let known = Set(cards.map(\.id))
    var last: [String: Int64] = [:]
    var answers: [Answer] = []
    for review in collection.reviews {
      guard review.type != 4, review.type != 5, let grade = Grade(rating: review.ease) else {
        omitted["rows of the log that are no answers", default: 0] += 1
        continue
      }
      let card = String(review.card)
      guard known.contains(card) else {
        omitted["answers about cards that are not there", default: 0] += 1
        continue
      }
      answers.append(Answer(card: card, grade: grade, time: review.id))
      last[card] = review.id
    }
    for card in collection.cards where card.queue == -1 && known.contains(String(card.id)) {
      let id = String(card.id)
      // Anki keeps whole seconds of it, which may lie before the answer that suspended a leech.
      let time = max(card.modified * 1000, last[id] ?? 1)
      answers.append(Answer(card: id, grade: .suspend, time: time))
    }
    self.init(cards: cards, answers: answers, omitted: omitted)
  }
}

extension StudyFiles.Card {
  /// How the tag begins that names a card's deck in Anki.
  fileprivate static var deckTag: String { "deck:" }

  private var deckPlace: Int? {
    tags.firstIndex { $0.hasPrefix(Self.deckTag) && $0 != Self.deckTag }
  }

  /// The card's deck in Anki; nil where it has none.
  var deck: String? { deckPlace.map { String(tags[$0].dropFirst(Self.deckTag.count)) } }

  /// The tags that Anki keeps as such.
  var tagsWithoutDeck: [String] {
    var tags = tags
    if let place = deckPlace { tags.remove(at: place) }
    return tags
  }

  /// Nil where a side has no text.
  fileprivate init?(
    _ card: AnkiCollection.Card, of note: AnkiCollection.Note, _ type: AnkiCollection.NoteType,
    keepingHTML: Bool
  ) {
    let place = type.isCloze ? 0 : Int(clamping: card.ordinal)
    guard type.templates.indices.contains(place) else { return nil }
    let template = type.templates[place]
    var fields = Dictionary(
      zip(type.fields, note.fields), uniquingKeysWith: { first, _ in first })
    if fields["Tags"] == nil { fields["Tags"] = note.tags.joined(separator: " ") }
    func side(_ text: String, isAnswer: Bool) -> String {
      let html = AnkiTemplate(
        fields: fields, gap: type.isCloze ? card.ordinal + 1 : nil, isAnswer: isAnswer
      ).side(text)
      return keepingHTML ? html : AnkiText.plain(html)
    }
    let prompt = side(template.front, isAnswer: false)
    let answer = side(template.back, isAnswer: true)
    guard !prompt.isEmpty, !answer.isEmpty else { return nil }
    self.init(
      id: String(card.id), prompt: prompt, answer: answer,
      note: note.guid.isEmpty ? String(note.id) : note.guid, tags: note.tags,
      order: card.type == 0 ? card.due : nil)
  }
}
