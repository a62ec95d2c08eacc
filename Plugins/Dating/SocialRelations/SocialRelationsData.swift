internal import CardFeed

/// The answers of a training as a table of numbers: who about whom, yes or no, and the features.
struct SocialRelationsData: Sendable {
  /// Everybody who said something or about whom something was said, ascending by identity.
  let ids: [CardID]
  /// Names of the genders that occur, ascending; the empty name is "unknown".
  let genders: [String]
  /// For each answer who gave it, as an index of `ids`.
  let raters: [Int32]
  /// About whom.
  let targets: [Int32]
  /// The rater's gender, as an index of `genders`.
  let raterGenders: [Int32]
  /// 1 for a yes, 0 for a no.
  let answers: [Double]
  let comparer: PairComparer
  /// The features of each answer, in vectors of four, row after row; the last vector of a row is
  /// filled up with zeros.
  let features: [SIMD4<Double>]
  /// Vectors of a row.
  let width: Int

  var count: Int { answers.count }
  var peopleCount: Int { ids.count }

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - history: The answers; neutral ones, and those of or about people whose card is gone, are
  ///     left out.
  ///   - comparisons: Which features there are; with `comparer` those of an earlier model.
  ///   - earlier: Features with their numbers, kept as they are.
  /// - Complexity: O(answers · features) in time and memory.
  init(
    _ history: TrainingHistory<DatingDeck>, comparisons: TraitComparisons,
    keeping earlier: PairComparer? = nil
  ) {
    let table = history.table
    var rows: [(rater: Row, target: Row, liked: Bool)] = []
    for answer in history.answers where answer.meaning != .neutral && answer.viewer != answer.card {
      guard let rater = table.row(of: answer.viewer), let target = table.row(of: answer.card)
      else { continue }
      rows.append((rater, target, answer.meaning == .positive))
    }
    let people = Set(rows.flatMap { [$0.rater, $0.target] }).sorted {
      table.id(at: $0) < table.id(at: $1)
    }
    ids = people.map { table.id(at: $0) }
    let places = Dictionary(uniqueKeysWithValues: zip(people, people.indices))
    let genderOf = GenderNames(table)
    let names = people.map { genderOf.name(of: $0) }
    let genders = Set(names).sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
    self.genders = genders
    let genderPlaces = Dictionary(uniqueKeysWithValues: zip(genders, genders.indices))
    // The order of the answers decides the last bit of every sum; that of the identities does not
    // depend on how the store numbers people.
    let pairs = rows.map { row in
      (own: places[row.rater] ?? 0, other: places[row.target] ?? 0, liked: row.liked)
    }.sorted { ($0.own, $0.other) < ($1.own, $1.other) }
    raters = pairs.map { Int32($0.own) }
    targets = pairs.map { Int32($0.other) }
    raterGenders = pairs.map { Int32(genderPlaces[names[$0.own]] ?? 0) }
    answers = pairs.map { $0.liked ? 1 : 0 }

    func traits(_ names: [String]) -> [[Double]] {
      let traits = TraitTable(table, traits: names, now: history.now)
      return people.map { traits.values(of: $0) }
    }
    let comparer =
      earlier
      ?? PairComparer(
        comparisons.features(among: TraitTable.names(in: table)), people: traits,
        pairs: pairs.map { ($0.own, $0.other) })
    self.comparer = comparer
    width = (comparer.features.count + 3) / 4
    var features = Array(repeating: SIMD4<Double>.zero, count: width * pairs.count)
    if width > 0 {
      let values = traits(comparer.traits)
      for (row, pair) in pairs.enumerated() {
        let start = row * width
        comparer.compare(values[pair.own], values[pair.other]) {
          features[start + $0 / 4][$0 % 4] = $1
        }
      }
    }
    self.features = features
  }

  /// Some of the answers, with everybody's places as they are.
  private init(_ data: SocialRelationsData, rows: [Int]) {
    ids = data.ids
    genders = data.genders
    raters = rows.map { data.raters[$0] }
    targets = rows.map { data.targets[$0] }
    raterGenders = rows.map { data.raterGenders[$0] }
    answers = rows.map { data.answers[$0] }
    comparer = data.comparer
    width = data.width
    features = rows.flatMap { data.features[$0 * data.width..<($0 + 1) * data.width] }
  }

  func selecting(_ rows: [Int]) -> SocialRelationsData { SocialRelationsData(self, rows: rows) }
}

/// The names of people's genders.
struct GenderNames {
  private let codes: [Int32]
  private let names: [String]

  init(_ table: CardTable<DatingDeck>) {
    guard case .category(let codes, let names)? = table.column("gender") else {
      codes = []
      names = []
      return
    }
    self.codes = codes
    self.names = names.names
  }

  /// Empty without a gender.
  func name(of row: Row) -> String {
    guard codes.indices.contains(row.index), codes[row.index] >= 0 else { return "" }
    return names[Int(codes[row.index])]
  }
}
