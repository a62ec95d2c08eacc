public import CardFeed

/// What an `ExposureAudit` found.
public struct ExposureReport: Equatable, Sendable {
  /// An estimate with its 95 % confidence interval.
  public struct Estimate: Equatable, Sendable {
    /// The estimate.
    public let value: Double
    /// The lower end; nil where there are too few people to tell.
    public let low: Double?
    /// The upper end.
    public let high: Double?
  }

  /// One group.
  public struct Group: Equatable, Sendable {
    /// What it is called.
    public let name: String
    /// How many people belong to it.
    public let people: Int
    /// How often they were shown, together.
    public let shown: Int
    /// How often each was shown, on average: the mean, with the normal interval x̄ ± 1.96 s / √n.
    /// What was shown to one person is not independent of the others, so the interval is a guide.
    public let shownPerPerson: Estimate
    /// How unevenly they were shown: the Gini coefficient within the group.
    public let gini: Double
    /// Answers about them.
    public let answers: Int
    /// Positive answers about them.
    public let likes: Int
    /// The matches that they are in. A match within the group counts for both.
    public let matches: Int
    /// Matches of each, on average, with the normal interval.
    public let matchesPerPerson: Estimate
    /// Who has a match: the share, with the interval of Wilson ("Probable Inference, the Law of
    /// Succession, and Statistical Inference", Journal of the American Statistical Association 22,
    /// 1927).
    public let matchedShare: Estimate
    /// How many were shown too few times.
    public let starved: Int

    /// The share of positive answers among those about the group; nil without any.
    public var likeShare: Double? { answers == 0 ? nil : Double(likes) / Double(answers) }

    /// The share of people who were shown too few times.
    public var starvedShare: Double { people == 0 ? 0 : Double(starved) / Double(people) }

    init(name: String, people: [ExposureTally.Person], fewerThan: Int) {
      self.name = name
      self.people = people.count
      shown = people.reduce(0) { $0 + $1.shown }
      shownPerPerson = .mean(people.map(\.shown))
      gini = Concentration.gini(people.map(\.shown)) ?? 0
      answers = people.reduce(0) { $0 + $1.answers }
      likes = people.reduce(0) { $0 + $1.likes }
      matches = people.reduce(0) { $0 + $1.matches }
      matchesPerPerson = .mean(people.map(\.matches))
      matchedShare = .share(people.count { $0.matches > 0 }, of: people.count)
      starved = people.count { $0.shown < fewerThan }
    }
  }

  /// The groups, in the order of their column; small ones together at the end.
  public let groups: [Group]
  /// Everybody in those groups.
  public let all: Group
  /// How many people are in none of them, since there are too few to show.
  public let peopleLeftOut: Int
  /// For each group the identifiers of those who were shown too few times, ascending; nil unless
  /// asked for.
  public let starved: [[CardID]]?
}

extension ExposureReport.Estimate {
  /// The normal quantile of a two-sided interval of 95 %.
  private static let z = 1.959963984540054

  static func mean(_ counts: [Int]) -> Self {
    let values = counts.map(Double.init)
    let mean = SampleStatistics.mean(values) ?? 0
    guard let deviation = SampleStatistics.standardDeviation(values) else {
      return Self(value: mean, low: nil, high: nil)
    }
    let half = z * deviation / Double(values.count).squareRoot()
    return Self(value: mean, low: max(0, mean - half), high: mean + half)
  }

  static func share(_ count: Int, of total: Int) -> Self {
    guard total > 0 else { return Self(value: 0, low: nil, high: nil) }
    let n = Double(total)
    let share = Double(count) / n
    let center = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return Self(value: share, low: max(0, center - half), high: min(1, center + half))
  }
}
