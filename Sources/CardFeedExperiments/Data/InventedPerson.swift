/// A person of a generated population with the traits that nobody sees.
struct InventedPerson {
  /// Names of the profile columns.
  static let profileNames =
    ["imprelig", "goal", "date", "go_out", "exphappy"] + interests
    + attributes.map { $0 + "1_1" } + attributes.dropLast().map { $0 + "3_1" }

  private static let interests = [
    "sports", "tvsports", "exercise", "dining", "museums", "art", "hiking", "gaming", "clubbing",
    "reading", "tv", "theater", "movies", "concerts", "music", "shopping", "yoga",
  ]
  private static let attributes = ["attr", "sinc", "intel", "fun", "amb", "shar"]

  let id: Int
  let wave: Int
  let gender: SpeedDatingData.Gender
  let choosiness: Double
  let desirability: Double
  /// Two independent standard normal scores behind the interests.
  let taste: (Double, Double)
  let age: Double
  let knownAge: Double?
  let profile: [Double?]

  init<Generator: RandomNumberGenerator>(
    id: Int, wave: Int, gender: SpeedDatingData.Gender, _ parameters: GeneratedDating.Parameters,
    _ generator: inout Generator
  ) {
    self.id = id
    self.wave = wave
    self.gender = gender
    let choosy = generator.drawNormal()
    let wanted = Self.correlated(choosy, parameters.correlation, &generator)
    choosiness = parameters.choosinessSD * choosy
    desirability = parameters.desirabilitySD * wanted
    taste = (generator.drawNormal(), generator.drawNormal())
    age = Self.rating(26 + 3.5 * generator.drawNormal(), 20, 40)
    var values: [Double] = []
    values.append(Self.rating(3.7 + 2.8 * generator.drawNormal(), 1, 10))
    values.append(Self.rating(2.1 + 1.4 * generator.drawNormal(), 1, 6))
    values.append(Self.trace(of: wanted, -0.2, mean: 5, sd: 1.5, 1, 7, &generator))
    values.append(Self.trace(of: choosy, 0.2, mean: 2.2, sd: 1.1, 1, 7, &generator))
    values.append(Self.trace(of: choosy, -0.2, mean: 5.5, sd: 1.8, 1, 10, &generator))
    for index in Self.interests.indices {
      let score = index % 2 == 0 ? taste.0 : taste.1
      let loading = index % 4 < 2 ? 0.5 : -0.5
      values.append(Self.trace(of: score, loading, mean: 6, sd: 2.4, 1, 10, &generator))
    }
    values += Self.points(choosy, &generator)
    for loading in [0.35, 0, 0.1, 0.25, 0.1] {
      values.append(Self.trace(of: wanted, loading, mean: 7.5, sd: 1.4, 2, 10, &generator))
    }
    var known: [Double?] = []
    for value in values {
      known.append(generator.drawUnit() < parameters.missingShare ? nil : value)
    }
    profile = known
    knownAge = generator.drawUnit() < parameters.missingShare ? nil : age
  }

  /// A standard normal deviate that has the given correlation with another one.
  static func correlated<Generator: RandomNumberGenerator>(
    _ other: Double, _ correlation: Double, _ generator: inout Generator
  ) -> Double {
    correlation * other + (1 - correlation * correlation).squareRoot() * generator.drawNormal()
  }

  private static func rating(_ value: Double, _ low: Double, _ high: Double) -> Double {
    min(high, max(low, value.rounded()))
  }

  private static func trace<Generator: RandomNumberGenerator>(
    of trait: Double, _ loading: Double, mean: Double, sd: Double, _ low: Double, _ high: Double,
    _ generator: inout Generator
  ) -> Double {
    rating(mean + sd * correlated(trait, loading, &generator), low, high)
  }

  /// A hundred points shared out over the six attributes; the choosy give more to looks.
  private static func points<Generator: RandomNumberGenerator>(
    _ choosy: Double, _ generator: inout Generator
  ) -> [Double] {
    var weights: [Double] = []
    for (index, mean) in [22.0, 17, 20, 17, 11, 12].enumerated() {
      let deviate = correlated(choosy, index == 0 ? 0.2 : 0, &generator)
      weights.append(max(1, (mean + 6 * deviate).rounded()))
    }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum * 100 }
  }
}

/// What two invented people decide about each other.
struct InventedMeeting {
  let womanProbability: Double
  let manProbability: Double
  let womanDecision: Bool
  let manDecision: Bool

  init<Generator: RandomNumberGenerator>(
    _ woman: InventedPerson, _ man: InventedPerson, _ parameters: GeneratedDating.Parameters,
    _ generator: inout Generator
  ) {
    let product = (woman.taste.0 * man.taste.0 + woman.taste.1 * man.taste.1) / 2
    // Four years is about the mean difference, so that the term does not shift the rates.
    let likeness =
      parameters.similarityWeight * product
      - parameters.ageWeight * (abs(woman.age - man.age) - 4) / 5
    let hers = generator.drawNormal()
    let his = InventedPerson.correlated(hers, parameters.reciprocity, &generator)
    func probability(
      _ rater: InventedPerson, _ target: InventedPerson, _ rate: Double, _ liking: Double
    ) -> Double {
      PortableMath.logistic(
        Self.intercept(rate, parameters) - rater.choosiness + target.desirability + likeness
          + parameters.relationshipSD * liking)
    }
    womanProbability = probability(woman, man, parameters.womenYesRate, hers)
    manProbability = probability(man, woman, parameters.menYesRate, his)
    womanDecision = generator.drawUnit() < womanProbability
    manDecision = generator.drawUnit() < manProbability
  }

  /// The log odds whose mean probability over the population is about `rate`: spread pulls a mean
  /// probability towards ½, by √(1 + c²σ²) in log odds with c = 16√3/(15π) (Zeger, Liang & Albert
  /// 1988).
  private static func intercept(
    _ rate: Double, _ parameters: GeneratedDating.Parameters
  ) -> Double {
    let variances = [
      parameters.choosinessSD, parameters.desirabilitySD, parameters.relationshipSD,
      parameters.similarityWeight * 0.5.squareRoot(), parameters.ageWeight * 0.6,
    ].map { $0 * $0 }
    let factor = (1 + 0.346 * variances.reduce(0, +)).squareRoot()
    return PortableMath.logit(rate) * factor
  }
}
