/// Makes a data set of the published Columbia speed-dating file (Fisman, Iyengar, Kamenica, Simonson
/// 2006): 8,378 rows, 195 columns, latin-1, one row per rater and partner.
///
/// Rules:
/// - A row without a partner's number (`pid`) is left out and reported as omitted; in the published
///   file these are 10 rows of wave 5.
/// - The profile is what was asked before the evening: ``profileNames``. It must be the same in all
///   rows of a person. Thousands separators in numbers are skipped.
/// - `race` becomes five columns of 0 and 1 and `race_code`: 1 black, 2 white, 3 latino, 4 asian, 5
///   and 6 other; all missing when it is missing.
/// - What one looks for (`…1_1`), what one's own sex (`…4_1`) and the other sex (`…2_1`) is thought
///   to look for are shared-out points; they are divided by their sum over the six attributes and
///   multiplied by 100, because some waves gave 1–10 per attribute. Fewer than four values given:
///   all six missing. A missing one among at least four stays missing and counts nothing.
/// - Pairs are numbered from 0 by wave, woman, man.
/// - Folds are not in the published file. They are drawn here as ``DatingFolds`` says, or taken over
///   from a data set with the same meetings, since anybody's random folds depend on their generator.
public enum SpeedDatingImporter {
  /// SHA-256 of the published file that these rules were checked on.
  public static let knownSHA256 =
    "3b58f07aaf40c862fc886343c3bb493d4850e78a583926582c63341158692d37"

  private static let interests = [
    "sports", "tvsports", "exercise", "dining", "museums", "art", "hiking", "gaming", "clubbing",
    "reading", "tv", "theater", "movies", "concerts", "music", "shopping", "yoga",
  ]
  private static let races = [
    "race_black", "race_white", "race_latino", "race_asian", "race_other",
  ]
  private static let attributes = ["attr", "sinc", "intel", "fun", "amb", "shar"]
  private static let background = [
    "imprace", "imprelig", "goal", "date", "go_out", "income", "mn_sat", "tuition", "exphappy",
    "expnum",
  ]
  private static let shared = ["1_1", "4_1", "2_1"]
  private static let ratings = ["3_1", "5_1"]

  /// The profile columns in the order in which they are made.
  public static let profileNames: [String] =
    background + interests + races + ["race_code", "field_cd", "career_c"]
    + shared.flatMap { question in attributes.map { $0 + question } }
    + ratings.flatMap { question in attributes.dropLast().map { $0 + question } }

  /// Imports with folds drawn from a generator.
  ///
  /// - Parameters:
  ///   - path: the published file, unpacked.
  ///   - generator: source of the random folds; the same bits give the same data set.
  ///   - strict: whether any fault refuses the file; omitted rows are no faults.
  /// - Returns: the data, the faults, the omitted rows and the file's checksum.
  /// - Throws: ``DataProblems`` in strict reading; else only for a file that cannot be read.
  /// - Complexity: O(n log n) in the number of rows.
  public static func importOriginal<Generator: RandomNumberGenerator>(
    path: String, using generator: inout Generator, strict: Bool = true
  ) throws(DataProblems) -> SpeedDatingReading {
    var rows = try read(path, strict: strict)
    let meetings = rows.meetings()
    meetings.add(to: &rows.draft, folds: meetings.drawFolds(using: &generator))
    return try rows.reading(strict: strict)
  }

  /// Imports with the folds of another data set that has the same meetings.
  ///
  /// - Parameters:
  ///   - path: the published file, unpacked.
  ///   - folds: where the folds come from.
  ///   - strict: whether any fault refuses the file; omitted rows are no faults.
  /// - Returns: the data, the faults, the omitted rows and the file's checksum.
  /// - Throws: ``DataProblems`` in strict reading; else only for a file that cannot be read or a
  ///   meeting without folds.
  /// - Complexity: O(n log n) in the number of rows.
  public static func importOriginal(
    path: String, foldsOf folds: SpeedDatingData, strict: Bool = true
  ) throws(DataProblems) -> SpeedDatingReading {
    var rows = try read(path, strict: strict)
    let meetings = rows.meetings()
    guard let taken = meetings.folds(of: folds) else {
      rows.problems.add(
        DataProblem(
          file: path, reason: "a meeting has no folds in the data set they are taken from",
          found: "a meeting that is not there", allowed: "the same meetings in both"))
      throw rows.problems
    }
    meetings.add(to: &rows.draft, folds: taken)
    return try rows.reading(strict: strict)
  }

  private static func read(_ path: String, strict: Bool) throws(DataProblems) -> OriginalRows {
    var rows = OriginalRows(path: path, profileNames: profileNames)
    let direct = ["iid", "pid", "wave", "gender", "age", "race", "order", "dec", "dec_o", "match"]
    let made = races + ["race_code"]
    let needed = direct + profileNames.filter { !made.contains($0) }
    var problems = DataProblems()
    do {
      rows.checksum = try SpeedDatingLoader.eachRow(
        path, needed, encoding: .latin1, &problems
      ) { fields in
        rows.take(&fields, profile: profile(&fields))
      }
    } catch {
      problems.add(error)
      throw problems
    }
    rows.problems = problems
    return rows
  }

  private static func profile(_ fields: inout CSVFields) -> [Double?] {
    var values = (background + interests).map { fields.number($0, thousands: true) }
    let race = fields.number("race")
    if let race, !(1...6).contains(race) || race != race.rounded() {
      fields.note("race", "the code is unknown", "another number", "1…6, or nothing")
    }
    // Code 5 does not occur in the published file; like 6 it has no column of its own.
    values += [1...1, 2...2, 3...3, 4...4, 5...6].map { (codes: ClosedRange<Double>) in
      race.map { codes.contains($0) ? 1 : 0 }
    }
    values.append(race)
    values += ["field_cd", "career_c"].map { fields.number($0) }
    for question in shared {
      values += percentages(attributes.map { fields.number($0 + question) })
    }
    for question in ratings {
      values += attributes.dropLast().map { fields.number($0 + question) }
    }
    return values
  }

  /// Points as shares of their sum, times 100; all missing with fewer than four given or sum 0.
  static func percentages(_ points: [Double?]) -> [Double?] {
    let given = points.compactMap { $0 }
    let sum = given.reduce(0, +)
    guard given.count >= 4, sum > 0 else { return points.map { _ in nil } }
    return points.map { $0.map { $0 / sum * 100 } }
  }
}
