public import CardFeed
public import CardFeedCalendar

/// A person as a card. Everything but the identity may be unknown.
///
/// Who a person is and what they look for are two things: `gender`, the age, the `place`, `verified`
/// and `attributes` are judged by others; `seeks`, `minimumAge`, `maximumAge`, `maximumDistance`,
/// `wantsVerified` and `dealbreakers` judge others. `intents` and `questions` are both.
public struct Person: Hashable, Sendable {
  /// Whose card it is. Made of text, so that it can be written as JSON.
  public let id: CardID
  /// The name to show.
  public var name: String?
  /// The day of birth. Where it is known, the age follows from it.
  public var birthDate: CalendarDate?
  /// The age as the person declared it, in years, for those whose day of birth is unknown.
  public var age: Double?
  /// One name out of a small set that the host chooses.
  public var gender: String?
  /// The genders that the person looks for. Empty is unknown, which counts as everybody.
  public var seeks: [String]
  /// The least age that the person looks for, in full years, inclusive.
  public var minimumAge: Double?
  /// The greatest age that the person looks for, in full years, inclusive.
  public var maximumAge: Double?
  /// What the person says of themselves.
  public var bio: String?
  /// Where a picture is, as a URL that nobody here follows.
  public var image: String?
  /// Where the person is.
  public var place: Place?
  /// Interests and the like, for strategies that compare them.
  public var tags: [String]
  /// How far away others may be, inclusive.
  public var maximumDistance: Distance?
  /// What the person is here for, such as `love` or `friends`. Empty is unknown, which fits all.
  public var intents: [String]
  /// Whether the host has made sure that the person is who they say. Nil is unknown.
  public var verified: Bool?
  /// Whether the person looks for verified people only.
  public var wantsVerified: Bool
  /// What the person states of themselves by name, such as `smoking`: `no`. Names hold no `=`.
  public var attributes: [String: String]
  /// By the name of an attribute what the person does not accept, such as `smoking`: `yes`, `often`.
  public var dealbreakers: [String: [String]]
  /// The time zone whose days count for the person, such as `Europe/Berlin`.
  public var zone: String?
  /// The most cards that the person answers in a day: a plan's limit, or what the host knows of their
  /// habit. Above 0; nil is unknown.
  public var dailyCards: Int?
  /// Anything about the person that can be said in a number, by name: answers to questions, scales,
  /// codes. Finite. Strategies use those that a configuration or their defaults name; what the
  /// names say to be sensitive (`SensitiveTraits`) is never used by default.
  public var traits: [String: Double]
  /// By the name of a question what the person answered and hopes to hear. Private. Names hold
  /// no `=`.
  public var questions: [String: QuestionAnswer]

  /// A person with an identity; what is not given is unknown.
  public init(
    id: String, name: String? = nil, birthDate: CalendarDate? = nil, age: Double? = nil,
    gender: String? = nil, seeks: [String] = [], minimumAge: Double? = nil,
    maximumAge: Double? = nil, bio: String? = nil, image: String? = nil, place: Place? = nil,
    tags: [String] = [], maximumDistance: Distance? = nil, intents: [String] = [],
    verified: Bool? = nil, wantsVerified: Bool = false, attributes: [String: String] = [:],
    dealbreakers: [String: [String]] = [:], zone: String? = nil,
    dailyCards: Int? = nil, traits: [String: Double] = [:],
    questions: [String: QuestionAnswer] = [:]
  ) {
    self.id = CardID(id)
    self.name = name
    self.birthDate = birthDate
    self.age = age
    self.gender = gender
    self.seeks = seeks
    self.minimumAge = minimumAge
    self.maximumAge = maximumAge
    self.bio = bio
    self.image = image
    self.place = place
    self.tags = tags
    self.maximumDistance = maximumDistance
    self.intents = intents
    self.verified = verified
    self.wantsVerified = wantsVerified
    self.attributes = attributes
    self.dealbreakers = dealbreakers
    self.zone = zone
    self.dailyCards = dailyCards
    self.traits = traits
    self.questions = questions
  }
}
