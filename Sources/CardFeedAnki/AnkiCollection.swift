/// A collection of Anki as plain values: note types, notes, cards and the log of answers.
///
/// This module reads and writes `collection.anki2`, an SQLite file, and turns it into the cards and
/// answers of the quiz deck and back (`StudyFiles`). Commands and programs may call it. It imports
/// libsqlite3, libzip and libzstd, the engine and the JSON of the configuration, and must never import
/// a plugin or a store. Media, presets and the scheduler's own numbers are deliberately absent: what a
/// memory model knows follows from the answers.
public struct AnkiCollection: Hashable, Sendable {
  /// What the fields of a note mean, and which cards are made of them.
  public struct NoteType: Hashable, Sendable {
    /// The two sides of a card, with `{{Field}}` where a field stands.
    public struct Template: Hashable, Sendable {
      /// The side that asks.
      public var front: String
      /// The side that answers.
      public var back: String

      /// A template.
      public init(front: String, back: String) {
        self.front = front
        self.back = back
      }
    }

    /// Its number.
    public var id: Int64
    /// Whether its cards are the numbered gaps of a text; it has one template then.
    public var isCloze: Bool
    /// The names of the fields, in order.
    public var fields: [String]
    /// The templates, in order; the place of one is the `ordinal` of its cards.
    public var templates: [Template]

    /// A note type.
    public init(id: Int64, isCloze: Bool = false, fields: [String], templates: [Template]) {
      self.id = id
      self.isCloze = isCloze
      self.fields = fields
      self.templates = templates
    }
  }

  /// Cards that are learned together.
  public struct Deck: Hashable, Sendable {
    /// Its number; 1 is the deck that every collection has.
    public var id: Int64
    /// Its name, with `::` before each deck within a deck.
    public var name: String

    /// A deck.
    public init(id: Int64, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// What one wants to know, of which cards are made.
  public struct Note: Hashable, Sendable {
    /// Its number, as a rule the time it was made, in milliseconds since 1970.
    public var id: Int64
    /// What tells it from all other notes of all collections.
    public var guid: String
    /// The number of its note type.
    public var noteType: Int64
    /// Words to sort it by.
    public var tags: [String]
    /// The contents of its fields, HTML.
    public var fields: [String]

    /// A note.
    public init(id: Int64, guid: String, noteType: Int64, tags: [String], fields: [String]) {
      self.id = id
      self.guid = guid
      self.noteType = noteType
      self.tags = tags
      self.fields = fields
    }
  }

  /// A question made of a note.
  public struct Card: Hashable, Sendable {
    /// Its number, as a rule the time it was made, in milliseconds since 1970.
    public var id: Int64
    /// The number of its note.
    public var note: Int64
    /// The number of its deck; of a card in a filtered deck where it belongs.
    public var deck: Int64
    /// Which template made it, or which gap of a text it is, from 0.
    public var ordinal: Int64
    /// When it was changed last, in seconds since 1970, at most 10¹¹.
    public var modified: Int64
    /// 0 is new, 1 learning, 2 review, 3 relearning.
    public var type: Int64
    /// -1 is suspended; -2 and -3 buried; otherwise as the type.
    public var queue: Int64
    /// For a new card its place among new cards, for a review card the day, counted from the day on
    /// which the collection was made; of a card in a filtered deck what it was before.
    public var due: Int64
    /// Days from the last answer to the next, for a review card.
    public var interval: Int64
    /// How often it was answered.
    public var repetitions: Int64
    /// How often it was forgotten after it had been learned.
    public var lapses: Int64

    /// A card.
    public init(
      id: Int64, note: Int64, deck: Int64 = 1, ordinal: Int64 = 0, modified: Int64, type: Int64 = 0,
      queue: Int64 = 0, due: Int64, interval: Int64 = 0, repetitions: Int64 = 0, lapses: Int64 = 0
    ) {
      self.id = id
      self.note = note
      self.deck = deck
      self.ordinal = ordinal
      self.modified = modified
      self.type = type
      self.queue = queue
      self.due = due
      self.interval = interval
      self.repetitions = repetitions
      self.lapses = lapses
    }
  }

  /// A row of the log.
  public struct Review: Hashable, Sendable {
    /// The time of the answer in milliseconds since 1970, which is its number.
    public var id: Int64
    /// The number of the card.
    public var card: Int64
    /// 1 again, 2 hard, 3 good, 4 easy; 0 where nobody answered.
    public var ease: Int64
    /// The interval after it: days, or seconds below 0.
    public var interval: Int64
    /// The interval before it, likewise.
    public var lastInterval: Int64
    /// The easiness in thousandths, 0 where there is none.
    public var factor: Int64
    /// How long it took, in milliseconds.
    public var duration: Int64
    /// 0 learning, 1 review, 2 relearning, 3 extra study, 4 set by hand, 5 rescheduled.
    public var type: Int64

    /// A row of the log.
    public init(
      id: Int64, card: Int64, ease: Int64, interval: Int64 = 0, lastInterval: Int64 = 0,
      factor: Int64 = 0, duration: Int64 = 0, type: Int64
    ) {
      self.id = id
      self.card = card
      self.ease = ease
      self.interval = interval
      self.lastInterval = lastInterval
      self.factor = factor
      self.duration = duration
      self.type = type
    }
  }

  /// When the collection was made, in seconds since 1970: the beginning of its first day.
  public var created: Int64
  /// The decks, by number.
  public var decks: [Deck]
  /// The note types, by number.
  public var noteTypes: [NoteType]
  /// The notes, by number.
  public var notes: [Note]
  /// The cards, by number.
  public var cards: [Card]
  /// The log, by time.
  public var reviews: [Review]
  /// How many siblings became notes of their own when the collection was made of other files.
  public internal(set) var siblingsParted = 0
  /// How many files of sounds and pictures were in the package, which are not read.
  public internal(set) var mediaCount = 0

  /// A collection.
  public init(
    created: Int64, decks: [Deck] = [], noteTypes: [NoteType] = [], notes: [Note] = [],
    cards: [Card] = [], reviews: [Review] = []
  ) {
    self.created = created
    self.decks = decks
    self.noteTypes = noteTypes
    self.notes = notes
    self.cards = cards
    self.reviews = reviews
  }
}
