/// Where an experiment on lists takes its probabilities from.
public protocol PairProbabilitySource: Sendable {
  /// P(the woman says yes) and P(the man says yes) for every pair, in the order of the data's pairs.
  ///
  /// - Throws: What went wrong; an answer for some of the pairs only is an error.
  func probabilities(of data: SpeedDatingData) async throws -> PairProbabilityColumns

  /// Which predictions they are, for reports.
  var checksum: String { get }
}

/// Both sides' probabilities of every pair.
public struct PairProbabilityColumns: Equatable, Sendable {
  /// P(the woman says yes).
  public let women: [Double]
  /// P(the man says yes).
  public let men: [Double]

  /// Two columns of equal length, in the order of the data's pairs.
  public init(women: [Double], men: [Double]) {
    precondition(women.count == men.count, "Every pair has two probabilities.")
    self.women = women
    self.men = men
  }
}

/// Predictions of a CSV file with the columns `pair_id`, `p_f` and `p_m`; others are not read.
public struct PairPredictions: PairProbabilitySource {
  private let file: String
  private let byPair: [Int: (woman: Double, man: Double)]
  /// SHA-256 of the file.
  public let checksum: String

  /// Reads a file.
  ///
  /// - Throws: ``DataProblems`` with every fault.
  public init(path: String) throws(DataProblems) {
    var problems = DataProblems()
    var byPair: [Int: (woman: Double, man: Double)] = [:]
    do {
      let columns = ["pair_id", "p_f", "p_m"]
      let read = try SpeedDatingLoader.eachRow(path, columns, &problems) { fields in
        let pair = fields.integer("pair_id", in: 0...Int.max)
        let woman = Self.probability("p_f", &fields)
        let man = Self.probability("p_m", &fields)
        guard fields.problems.isEmpty else { return }
        if byPair.updateValue((woman, man), forKey: pair) != nil {
          fields.note("pair_id", "the pair stands twice", "\(pair) again", "each pair once")
        }
      }
      checksum = read.sha256
    } catch {
      problems.add(error)
      throw problems
    }
    guard problems.isEmpty else { throw problems }
    file = path
    self.byPair = byPair
  }

  private static func probability(_ column: String, _ fields: inout CSVFields) -> Double {
    let value = fields.number(column)
    if let value, (0...1).contains(value) { return value }
    // What is no number at all was noted already.
    if value != nil || fields.text(column).isEmpty {
      fields.note(
        column, "the field is no probability",
        value == nil ? "nothing" : "a number outside", "numbers in 0…1")
    }
    return 0
  }

  /// The columns.
  ///
  /// - Throws: ``DataProblems`` when a pair has no row, or a row no pair.
  public func probabilities(
    of data: SpeedDatingData
  ) async throws -> PairProbabilityColumns {
    var problems = DataProblems()
    let known = Set(data.pairs.map(\.id))
    let missing = data.pairs.count { byPair[$0.id] == nil }
    let unknown = byPair.keys.count { !known.contains($0) }
    if missing > 0 || unknown > 0 {
      problems.add(
        DataProblem(
          file: file, reason: "the predictions are not those of the data set",
          found: "\(missing) pairs without a prediction, \(unknown) predictions without a pair",
          allowed: "one row for each of the \(data.pairs.count) pairs"))
      throw problems
    }
    let rows = data.pairs.compactMap { byPair[$0.id] }
    return PairProbabilityColumns(women: rows.map(\.woman), men: rows.map(\.man))
  }
}

/// Probabilities that say nothing: uniform in 0.2…0.6, from NumPy's generator, the women's first.
struct RandomPairProbabilities: PairProbabilitySource {
  let seed: UInt32

  var checksum: String { "random, seed \(seed)" }

  func probabilities(of data: SpeedDatingData) -> PairProbabilityColumns {
    var generator = MersenneTwister(seed: seed)
    let women = data.pairs.map { _ in generator.uniform(0.2, 0.6) }
    let men = data.pairs.map { _ in generator.uniform(0.2, 0.6) }
    return PairProbabilityColumns(women: women, men: men)
  }
}
