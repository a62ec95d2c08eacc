public import CardFeedLayout

/// Everything that a terminal shows of a pile of cards at one moment.
///
/// A value that a client fills and ``canvas(size:)`` draws: a pure function, so that frames can be
/// compared with golden ones. Clients of the terminal call it; it knows cards as texts only, and must
/// never import the engine. The geometry is that of `CardFeedLayout`.
public struct PileScene: Hashable, Sendable {
  /// A key and what it does.
  public struct Hint: Hashable, Sendable {
    /// The key as it is named on screen.
    public var key: String
    /// What it does.
    public var action: String

    /// A key and what it does.
    public init(key: String, action: String) {
      self.key = key
      self.action = action
    }
  }

  /// The answer that a moving card is about to get.
  public struct Stamp: Hashable, Sendable {
    /// The answer.
    public var text: String
    /// Its colour.
    public var colour: TerminalColour
    /// How opaque, in 0…1.
    public var opacity: Double

    /// A stamp.
    public init(text: String, colour: TerminalColour, opacity: Double) {
      self.text = text
      self.colour = colour
      self.opacity = opacity
    }
  }

  /// A window over the pile.
  public struct Panel: Hashable, Sendable {
    /// What it is about.
    public var title: String
    /// Its paragraphs.
    public var paragraphs: [String]
    /// How many lines it is scrolled down.
    public var scroll: Int
    /// Whether it is good news.
    public var isFestive: Bool

    /// A panel.
    public init(title: String, paragraphs: [String], scroll: Int = 0, isFestive: Bool = false) {
      self.title = title
      self.paragraphs = paragraphs
      self.scroll = scroll
      self.isFestive = isFestive
    }
  }

  /// The first line.
  public var header: String
  /// What stands at the right end of the first line.
  public var status: String
  /// The cards, top first. The top one is the one that moves.
  public var cards: [PileCard]
  /// Whether the top card shows its back.
  public var isTurned: Bool
  /// How far the top card is away from its place.
  public var displacement: Displacement
  /// What is stamped on the top card.
  public var stamp: Stamp?
  /// What is said instead of cards where there are none: a title, and paragraphs.
  public var empty: Panel?
  /// A line about what has just happened.
  public var notice: String
  /// Whether the notice is about something that failed.
  public var isFailure: Bool
  /// The keys.
  public var hints: [Hint]
  /// A window over everything.
  public var panel: Panel?
  /// How the pile is drawn.
  public var layout: LayoutPreset
  /// Which characters can be shown.
  public var characters: TerminalCharacters

  /// A scene without cards.
  ///
  /// - Parameters:
  ///   - layout: How the pile is drawn.
  ///   - characters: Which characters can be shown.
  public init(layout: LayoutPreset, characters: TerminalCharacters) {
    self.layout = layout
    self.characters = characters
    header = ""
    status = ""
    cards = []
    isTurned = false
    displacement = .none
    notice = ""
    isFailure = false
    hints = []
  }
}

/// How far a card is away from its place, in the points of the layout.
public struct Displacement: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Down.
  public var y: Double
  /// Clockwise, in degrees.
  public var rotation: Double

  /// A displacement.
  public init(x: Double, y: Double, rotation: Double) {
    self.x = x
    self.y = y
    self.rotation = rotation
  }

  /// At its place.
  public static let none = Displacement(x: 0, y: 0, rotation: 0)

  /// How far the cards below have risen: they follow the longer of the two ways.
  var drag: Double { max(abs(x), abs(y)) }
}
