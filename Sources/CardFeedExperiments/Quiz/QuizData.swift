internal import CardFeed
public import CardFeedPsychometrics
public import CardFeedSpacedRepetition

/// Recorded answers to questions: what a quiz experiment works on.
public struct QuizData: Sendable {
  /// A student with all answers in order.
  public struct Student: Sendable, Equatable {
    /// Of the student, as the file has it.
    public let id: String
    /// In the order in which they were given.
    public var answers: [KnowledgeAnswer]

    /// A student.
    public init(id: String, answers: [KnowledgeAnswer]) {
      self.id = id
      self.answers = answers
    }
  }

  /// A test that many people took once.
  public struct TestAnswers: Sendable, Equatable {
    /// The name of the test.
    public let name: String
    /// Row after row, a person's answers to all items.
    public let rights: [[Bool]]
    /// For each fold the answers that are held out, as persons and items.
    public let heldOut: [[Cell]]
    /// The people who take the test adaptively; all others calibrate it.
    public let examinees: [Int]

    /// A test.
    public init(name: String, rights: [[Bool]], heldOut: [[Cell]], examinees: [Int]) {
      self.name = name
      self.rights = rights
      self.heldOut = heldOut
      self.examinees = examinees
    }

    /// How many items it has.
    public var itemCount: Int { rights.first?.count ?? 0 }
  }

  /// One answer of a test.
  public struct Cell: Sendable, Hashable {
    /// 0 ..< people.
    public let person: Int
    /// 0 ..< items.
    public let item: Int

    /// A person's answer to an item.
    public init(person: Int, item: Int) {
      self.person = person
      self.item = item
    }
  }

  /// One answer of a learner to a card.
  public struct Review: Sendable, Equatable {
    /// The card's number, 0 ..< cards.
    public let card: Int
    /// Which answer to the card it is, 1 and more.
    public let number: Int
    /// Days of the learner since the answer before; negative for the first.
    public let days: Int
    /// Seconds since the answer before.
    public let seconds: Double
    /// The answer.
    public let rating: Rating
    /// When, in days.
    public let time: Double
    /// The fold among answers of later days: −1 is an answer that is never predicted, −2 one that
    /// is only learned from.
    public let laterFold: Int
    /// The fold among all further answers.
    public let everyFold: Int

    /// An answer.
    public init(
      card: Int, number: Int, days: Int, seconds: Double, rating: Rating, time: Double,
      laterFold: Int, everyFold: Int
    ) {
      self.card = card
      self.number = number
      self.days = days
      self.seconds = seconds
      self.rating = rating
      self.time = time
      self.laterFold = laterFold
      self.everyFold = everyFold
    }
  }

  /// What was recorded.
  public enum Content: Sendable, Equatable {
    /// Students to learn from, and students who are asked.
    case students(known: [Student], asked: [Student])
    /// Tests.
    case tests([TestAnswers])
    /// One learner's answers in the order of time.
    case reviews([Review])
  }

  /// What was recorded.
  public let content: Content
  /// The name of the data set.
  public let name: String
  /// SHA-256 of the files, or of what stands for them.
  public let checksum: String

  /// Data that are at hand.
  public init(name: String, content: Content, checksum: String = "") {
    self.name = name
    self.content = content
    self.checksum = checksum
  }

  /// How many people answered.
  var people: Int {
    switch content {
    case .students(let known, let asked): known.count + asked.count
    case .tests(let tests): tests.reduce(0) { $0 + $1.rights.count }
    case .reviews: 1
    }
  }

  /// How many answers they gave.
  var answers: Int {
    switch content {
    case .students(let known, let asked): (known + asked).reduce(0) { $0 + $1.answers.count }
    case .tests(let tests): tests.reduce(0) { $0 + $1.rights.count * $1.itemCount }
    case .reviews(let reviews): reviews.count
    }
  }
}
