/// Speed-dating evenings: people, everybody's yes or no to everybody of the other side, and the folds
/// that experiments are measured on.
///
/// Every value of this type is whole: people, decisions and pairs refer to each other without gaps,
/// a pair has both decisions, a person belongs to one evening ("wave"). Loading, importing and
/// generating all pass the same checks. Because every decision of an evening is known, any order of
/// cards can be replayed on it exactly.
public struct SpeedDatingData: Equatable, Sendable {
  /// A side of an evening; decisions go from one side to the other.
  public enum Gender: Int, CaseIterable, Equatable, Sendable {
    /// A woman; 0 in the files.
    case woman = 0
    /// A man; 1 in the files.
    case man = 1
  }

  /// Part of the split by time.
  public enum TimeSplit: String, CaseIterable, Equatable, Sendable {
    /// Earlier evenings, to learn from.
    case train
    /// Later evenings, to measure on.
    case test
  }

  /// Somebody who took part in one evening.
  public struct Person: Hashable, Sendable {
    /// Number of the person, unique over all evenings, 1…9999.
    public let id: Int
    /// Evening, counted from 1 in order of time.
    public let wave: Int
    /// Side.
    public let gender: Gender
    /// Age in years, 18…100, where it is known.
    public let age: Double?

    /// A person.
    ///
    /// - Parameters:
    ///   - id: number of the person, 1…9999.
    ///   - wave: evening, at least 1.
    ///   - gender: side.
    ///   - age: age in years, 18…100; `nil` when unknown.
    public init(id: Int, wave: Int, gender: Gender, age: Double? = nil) {
      self.id = id
      self.wave = wave
      self.gender = gender
      self.age = age
    }
  }

  /// What one person said about one other.
  public struct Decision: Hashable, Sendable {
    /// Evening.
    public let wave: Int
    /// Who decided.
    public let rater: Int
    /// About whom.
    public let target: Int
    /// Whether the rater wants to see the target again.
    public let decision: Bool
    /// The pair of the two.
    public let pairID: Int
    /// Side of the rater.
    public let raterGender: Gender
    /// Place of the date in the rater's evening, from 1; gaps are allowed (a round without a date).
    public let order: Int
    /// Fold, from 0, random among the decisions of an evening.
    public let foldDecision: Int
    /// Fold of the pair.
    public let foldPair: Int
    /// Fold of the evening.
    public let foldWave: Int

    /// A decision; the fold columns repeat those of its pair.
    public init(
      wave: Int, rater: Int, target: Int, decision: Bool, pairID: Int, raterGender: Gender,
      order: Int, foldDecision: Int, foldPair: Int, foldWave: Int
    ) {
      self.wave = wave
      self.rater = rater
      self.target = target
      self.decision = decision
      self.pairID = pairID
      self.raterGender = raterGender
      self.order = order
      self.foldDecision = foldDecision
      self.foldPair = foldPair
      self.foldWave = foldWave
    }
  }

  /// A woman and a man who met, with both decisions.
  public struct Pair: Hashable, Sendable {
    /// Number of the pair, at least 0.
    public let id: Int
    /// Evening.
    public let wave: Int
    /// The woman's number.
    public let woman: Int
    /// The man's number.
    public let man: Int
    /// The woman's decision about the man.
    public let womanDecision: Bool
    /// The man's decision about the woman.
    public let manDecision: Bool
    /// Part of the split by time; the same for all pairs of an evening.
    public let timeSplit: TimeSplit
    /// Fold of the evening, from 0.
    public let foldWave: Int
    /// Fold, from 0, random among the pairs of an evening.
    public let foldPair: Int

    /// Both said yes.
    public var match: Bool { womanDecision && manDecision }

    /// A pair.
    public init(
      id: Int, wave: Int, woman: Int, man: Int, womanDecision: Bool, manDecision: Bool,
      timeSplit: TimeSplit, foldWave: Int, foldPair: Int
    ) {
      self.id = id
      self.wave = wave
      self.woman = woman
      self.man = man
      self.womanDecision = womanDecision
      self.manDecision = manDecision
      self.timeSplit = timeSplit
      self.foldWave = foldWave
      self.foldPair = foldPair
    }
  }

  /// People, ascending by number.
  public let persons: [Person]
  /// Names of the numeric profile columns (known before the evening), in file order.
  public let profileNames: [String]
  /// The profile columns: for each name one value per person, in the order of ``persons``; `nil` is
  /// a missing value.
  public let profileColumns: [[Double?]]
  /// Decisions, ascending by wave, rater, target.
  public let decisions: [Decision]
  /// Pairs, ascending by number.
  public let pairs: [Pair]
  private let rowOfPerson: [Int: Int]

  /// Only for rows that passed the checks of ``SpeedDatingDraft``.
  init(checked draft: SpeedDatingDraft) {
    let people = draft.persons.sorted { $0.value.id < $1.value.id }
    persons = people.map(\.value)
    profileNames = draft.profileNames
    profileColumns = draft.profileNames.indices.map { column in
      people.map { $0.profile[column] }
    }
    decisions = draft.decisions.map(\.value).sorted {
      ($0.wave, $0.rater, $0.target) < ($1.wave, $1.rater, $1.target)
    }
    pairs = draft.pairs.map(\.value).sorted { $0.id < $1.id }
    rowOfPerson = Dictionary(uniqueKeysWithValues: zip(persons.map(\.id), persons.indices))
  }

  /// Checks rows and makes a data set of them, in any order of rows.
  ///
  /// - Parameters:
  ///   - persons: the people.
  ///   - profileNames: names of the profile columns, all different.
  ///   - profiles: for each person a row of values, one per profile column.
  ///   - decisions: the decisions.
  ///   - pairs: the pairs.
  /// - Throws: ``DataProblems`` with every fault found.
  /// - Complexity: O(n log n) in the number of rows.
  public init(
    persons: [Person], profileNames: [String] = [], profiles: [[Double?]]? = nil,
    decisions: [Decision], pairs: [Pair]
  ) throws(DataProblems) {
    var draft = SpeedDatingDraft(profileNames: profileNames)
    let empty = [Double?](repeating: nil, count: profileNames.count)
    for (index, person) in persons.enumerated() {
      let row = profiles.map { $0.indices.contains(index) ? $0[index] : [] } ?? empty
      draft.persons.append(.init(value: person, line: index + 1, profile: row))
    }
    draft.decisions = decisions.enumerated().map { .init(value: $1, line: $0 + 1) }
    draft.pairs = pairs.enumerated().map { .init(value: $1, line: $0 + 1) }
    var problems = DataProblems()
    self = draft.checked(&problems)
    guard problems.isEmpty else { throw problems }
  }

  /// A profile column by name, one value per person in the order of ``persons``; `nil` when there is
  /// no such column.
  public func profile(_ name: String) -> [Double?]? {
    profileNames.firstIndex(of: name).map { profileColumns[$0] }
  }

  /// Place of a person in ``persons`` and in every profile column; `nil` for an unknown number.
  ///
  /// - Complexity: O(1).
  public func row(ofPerson id: Int) -> Int? { rowOfPerson[id] }

  /// The evenings, ascending.
  public var waves: [Int] { Set(persons.map(\.wave)).sorted() }

  /// The card id of a person: "p" and the number with at least four digits, so that ids compare as
  /// bytes in the order of the numbers.
  ///
  /// - Parameter person: number of the person, 0…9999.
  public static func cardID(person: Int) -> String {
    let digits = String(person)
    return "p" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
