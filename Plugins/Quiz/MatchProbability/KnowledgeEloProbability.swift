internal import CardFeed
internal import CardFeedPsychometrics

/// P(a right answer) by ratings that move with every answer: how able a viewer is, in everything and
/// in each skill, and how hard a card.
///
/// Sources: Elo (1978) for ratings, Pelánek (2016) for their use with questions; `KnowledgeElo` has
/// the formulas. The information Σ p(1 − p) of the answers that moved a rating says how well it can
/// be known at best.
///
/// The ratings are sums of what each answer added, in units of 2⁻³², so that an answer is taken back
/// exactly. Skills are told apart by a hash of their names, in a number of buckets: skills that fall
/// into one bucket share a rating.
///
/// When not to use it: it knows no forgetting, and nothing of a new card but what new cards have in
/// common. With known difficulties `item-response` needs fewer answers.
///
/// Of a card with several skills the one in which the viewer is weakest decides, and all of them move.
///
/// Deliberately absent: anything that neutral answers would add.
struct KnowledgeEloProbability: MatchProbabilityStrategy, Learner {
  typealias D = QuizDeck

  let model: KnowledgeElo
  /// Buckets of skills, 1 … 84.
  let buckets: Int
  let numbers: LearnedNumbers

  init(model: KnowledgeElo = KnowledgeElo(), buckets: Int = 32, states: LearnerStates) {
    self.model = model
    self.buckets = buckets
    numbers = states.numbers(
      for: Self.identity(model, buckets), stride: Int(RatingSlot.skill(buckets).value))
  }

  private static func identity(_ model: KnowledgeElo, _ buckets: Int) -> String {
    "knowledge-elo/1 steps=\(model.abilityStep),\(model.skillStep),\(model.difficultyStep) "
      + "decays=\(model.learnerDecay),\(model.questionDecay) skills=\(buckets)"
  }

  /// The version and every parameter: all of them change what an answer adds.
  var identity: String { Self.identity(model, buckets) }

  /// Itself.
  var learners: [any Learner<QuizDeck>] { [self] }

  /// What an answer adds to the ratings of the viewer and the card. O(skills).
  func increments(for event: LearningEvent<QuizDeck>) -> [Increment] {
    guard event.meaning != .neutral else { return [] }
    let skills = SkillBuckets(event.table, count: buckets).buckets(of: event.cardRow)
    let rated = numbers.read { RatedPair($0, event.viewer, event.card, skills: skills) }
    let names = rated.skills.map { "\($0.bucket)" }
    var learner = KnowledgeElo.Learner()
    learner.ability = rated.ability.rating
    for (name, skill) in zip(names, rated.skills) { learner.skills[name] = skill.rated.rating }
    var question = rated.question.rating
    let right = model.probability(learner, question, skills: names)
    model.learn(&learner, &question, skills: names, isRight: event.meaning == .positive)
    let information = RatingSlot.fixed(right * (1 - right))

    func increments(
      _ owner: CardNumber, _ slot: RatingSlot, from before: KnowledgeElo.Rating,
      to after: KnowledgeElo.Rating
    ) -> [Increment] {
      [
        Increment(
          LearnedKey(owner: owner, slot: slot.value), RatingSlot.fixed(after.value - before.value)),
        Increment(LearnedKey(owner: owner, slot: slot.answers), 1),
        Increment(LearnedKey(owner: owner, slot: slot.information), information),
      ]
    }
    var all = increments(event.viewer, .whole, from: rated.ability.rating, to: learner.ability)
    all += increments(event.card, .whole, from: rated.question.rating, to: question)
    for (skill, name) in zip(rated.skills, names) {
      all += increments(
        event.viewer, .skill(skill.bucket), from: skill.rated.rating,
        to: learner.skills[name] ?? skill.rated.rating)
    }
    return all
  }

  /// P(right) and its standard error by the delta method. O(n).
  func estimates(for slate: Slate<QuizDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    for (index, pair) in pairs(of: slate).enumerated() {
      let right = logistic(pair.logOdds)
      let variance =
        pair.ability.variance + pair.question.variance
        + (pair.skills.first?.rated.variance ?? 0)
      estimates[index] = MatchEstimate(
        match: Probability(right), forward: Probability(right),
        standardError: right * (1 - right) * variance.squareRoot())
    }
    return estimates
  }

  /// What is not known of ability and difficulty.
  var uncertainty: MatchUncertainty {
    .standardError(
      covers:
        "what the answers leave open of the viewer's ability, in everything and in the skill, "
        + "and of the card's difficulty, as if the ratings made the most of them")
  }

  /// The ratings, and how many answers have moved them. O(n).
  func reasons(for slate: Slate<QuizDeck>) async throws -> [EstimatePart] {
    let pairs = pairs(of: slate)
    func part(_ name: String, _ value: (RatedPair) -> Double?) -> EstimatePart {
      EstimatePart(name: name, values: pairs.map { value($0) ?? .nan })
    }
    return [
      part("ability") { $0.ability.rating.value },
      part("skill") { $0.skills.first?.rated.rating.value },
      part("difficulty") { $0.question.rating.value },
      part("viewer-answers") { Double($0.ability.rating.answers) },
      part("skill-answers") { ($0.skills.first?.rated.rating.answers).map { Double($0) } },
      part("card-answers") { Double($0.question.rating.answers) },
    ]
  }

  private func pairs(of slate: Slate<QuizDeck>) -> [RatedPair] {
    let skills = SkillBuckets(slate.table, count: buckets)
    let viewer = slate.context.number
    return numbers.read { reader in
      slate.rows.map { row in
        RatedPair(reader, viewer, slate.table.number(at: row), skills: skills.buckets(of: row))
      }
    }
  }
}

/// Where a rating lies among the learned numbers of its owner.
private struct RatingSlot {
  let value: UInt8

  /// The ability of a viewer in everything, or the difficulty of a card.
  static let whole = RatingSlot(value: 0)

  /// The ability of a viewer in the skills of a bucket.
  static func skill(_ bucket: Int) -> RatingSlot { RatingSlot(value: UInt8(3 + 3 * bucket)) }

  var answers: UInt8 { value + 1 }
  var information: UInt8 { value + 2 }

  /// A fraction in units of 2⁻³².
  static func fixed(_ value: Double) -> Int64 { Int64((value * 0x1p32).rounded()) }
}

/// A rating as it was learned.
private struct LearnedRating {
  let rating: KnowledgeElo.Rating
  let information: Double

  init(_ numbers: LearnedNumbers.Reader, _ owner: CardNumber, _ slot: RatingSlot) {
    rating = KnowledgeElo.Rating(
      value: Double(numbers(owner, slot.value)) * 0x1p-32,
      answers: Int(numbers(owner, slot.answers)))
    information = Double(numbers(owner, slot.information)) * 0x1p-32
  }

  /// With a standard normal prior.
  var variance: Double { 1 / (1 + information) }
}

/// What is known of a viewer and a card.
private struct RatedPair {
  let ability: LearnedRating
  /// The card's skills, the one in which the viewer is weakest first: that one decides.
  let skills: [(bucket: Int, rated: LearnedRating)]
  let question: LearnedRating

  init(
    _ numbers: LearnedNumbers.Reader, _ viewer: CardNumber, _ card: CardNumber, skills: [Int]
  ) {
    ability = LearnedRating(numbers, viewer, .whole)
    question = LearnedRating(numbers, card, .whole)
    self.skills = skills.map { ($0, LearnedRating(numbers, viewer, .skill($0))) }.sorted {
      ($0.rated.rating.value, $0.bucket) < ($1.rated.rating.value, $1.bucket)
    }
  }

  var logOdds: Double {
    ability.rating.value + (skills.first?.rated.rating.value ?? 0) - question.rating.value
  }
}

/// The buckets of the skills of a table's cards, by their names: the codes of a table may be others
/// after a restart.
private struct SkillBuckets {
  private let codes: [[Int32]]
  private let buckets: [Int]

  init(_ table: CardTable<QuizDeck>, count: Int) {
    guard case .tags(let codes, let names)? = table.column("skills") else {
      codes = []
      buckets = []
      return
    }
    self.codes = codes
    buckets = names.names.map { name in
      var hash = StableHash()
      hash.combine(name)
      return Int(hash.value % UInt64(count))
    }
  }

  /// Each bucket once, in ascending order; none without a row or skills.
  func buckets(of row: Row?) -> [Int] {
    guard let row, codes.indices.contains(row.index) else { return [] }
    return Set(codes[row.index].map { buckets[Int($0)] }).sorted()
  }
}
