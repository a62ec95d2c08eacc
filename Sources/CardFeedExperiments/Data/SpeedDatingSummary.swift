/// The size and the rates of a data set, as plain values.
public struct SpeedDatingSummary: Equatable, Sendable {
  /// One evening.
  public struct Wave: Equatable, Sendable {
    /// Number of the evening.
    public let wave: Int
    /// Women who took part.
    public let women: Int
    /// Men who took part.
    public let men: Int
    /// Pairs who met.
    public let pairs: Int
    /// Pairs in which both said yes.
    public let matches: Int
  }

  /// A column and how many people have no value in it.
  public struct Missing: Equatable, Sendable {
    /// Name of the column.
    public let column: String
    /// People without a value.
    public let count: Int
  }

  /// People.
  public let people: Int
  /// Women.
  public let women: Int
  /// Men.
  public let men: Int
  /// Decisions.
  public let decisions: Int
  /// Decisions that are a yes.
  public let yes: Int
  /// Share of yes among the women's decisions; `nil` without one.
  public let womenYesRate: Double?
  /// Share of yes among the men's decisions; `nil` without one.
  public let menYesRate: Double?
  /// Pairs who met.
  public let pairs: Int
  /// Pairs in which both said yes.
  public let matches: Int
  /// Lowest and highest known age in years; `nil` when none is known.
  public let ages: ClosedRange<Double>?
  /// The evenings, ascending.
  public let waves: [Wave]
  /// Missing values of `age` and of each profile column, in file order.
  public let missing: [Missing]

  /// Share of yes among all decisions; `nil` without one.
  public var yesRate: Double? { decisions == 0 ? nil : Double(yes) / Double(decisions) }
  /// Share of pairs in which both said yes; `nil` without a pair.
  public var matchRate: Double? { pairs == 0 ? nil : Double(matches) / Double(pairs) }

  /// Counts a data set.
  ///
  /// - Parameter data: the data set.
  /// - Complexity: O(n) in the number of values.
  public init(_ data: SpeedDatingData) {
    func yesRate(_ gender: SpeedDatingData.Gender) -> Double? {
      SampleStatistics.mean(
        data.decisions.filter { $0.raterGender == gender }.map { $0.decision ? 1 : 0 })
    }
    people = data.persons.count
    women = data.persons.count { $0.gender == .woman }
    men = data.persons.count { $0.gender == .man }
    decisions = data.decisions.count
    yes = data.decisions.count { $0.decision }
    womenYesRate = yesRate(.woman)
    menYesRate = yesRate(.man)
    pairs = data.pairs.count
    matches = data.pairs.count { $0.match }
    let known = data.persons.compactMap(\.age)
    if let youngest = known.min(), let oldest = known.max() {
      ages = youngest...oldest
    } else {
      ages = nil
    }
    let people = Dictionary(grouping: data.persons, by: \.wave)
    let met = Dictionary(grouping: data.pairs, by: \.wave)
    waves = people.sorted { $0.key < $1.key }.map { wave, members in
      Wave(
        wave: wave, women: members.count { $0.gender == .woman },
        men: members.count { $0.gender == .man }, pairs: met[wave]?.count ?? 0,
        matches: met[wave]?.count { $0.match } ?? 0)
    }
    missing =
      [Missing(column: "age", count: data.persons.count - known.count)]
      + zip(data.profileNames, data.profileColumns).map { name, column in
        Missing(column: name, count: column.count { $0 == nil })
      }
  }
}

extension SpeedDatingData {
  /// The size and the rates of the data set.
  public func describe() -> SpeedDatingSummary { SpeedDatingSummary(self) }
}
