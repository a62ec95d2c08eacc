internal import CardFeed

/// P(recall) of recorded reviews as other programs predicted it, to compare with.
public struct ReviewReferences: Sendable {
  /// The beginning of the names of its files.
  static let prefix = "later-days__"

  /// The predictions of one program, by the place of the review in the data, from 0.
  struct File: Sendable {
    let path: String
    let name: String
    let recalls: [Int: Double]
  }

  let files: [File]

  /// Reads files.
  ///
  /// - Parameter paths: Those called `later-days__NAME.csv` are read, with the columns row and p: of
  ///   reviews of later days, as `Scripts/predict-fsrs-rs.py` writes them.
  /// - Throws: ``DataProblems`` for a file that cannot be used.
  /// - Complexity: O(bytes).
  public init(paths: [String]) throws(DataProblems) {
    var problems = DataProblems()
    var files: [File] = []
    for path in paths {
      let file = String(path.split(separator: "/").last ?? "").replacing(".csv", with: "")
      guard file.hasPrefix(Self.prefix) else { continue }
      var recalls: [Int: Double] = [:]
      do throws(DataProblem) {
        _ = try SpeedDatingLoader.eachRow(path, ["row", "p"], &problems) { fields in
          let row = fields.integer("row", in: 0...Int.max)
          recalls[row] = fields.number("p")
        }
      } catch {
        problems.add(error)
      }
      files.append(
        File(path: path, name: String(file.dropFirst(Self.prefix.utf8.count)), recalls: recalls))
    }
    guard problems.isEmpty else { throw problems }
    self.files = files
  }
}

extension ReviewReferences {
  /// What the files say of the reviews that are asked; nothing where these are of other days, or of
  /// some folds alone.
  ///
  /// - Throws: `FeedError.Code.badInput` for a file that leaves a review out.
  func forecasts(
    of predictions: ReviewPredictions
  ) throws(FeedError) -> [(name: String, forecasts: QuizForecasts)] {
    guard predictions.isOfLaterDays, predictions.folds == nil else { return [] }
    let questions = predictions.questions
    var result: [(name: String, forecasts: QuizForecasts)] = []
    for file in files {
      let recalls = predictions.askedRows.compactMap { file.recalls[$0] }
      guard recalls.count == questions.outcomes.count else {
        throw FeedError(
          .badInput,
          "\(file.path): found predictions of \(recalls.count) of the "
            + "\(questions.outcomes.count) reviews that are asked; allowed: all of them",
          hint: "make the file anew from the same data")
      }
      result.append((file.name, QuizForecasts(questions, recalls)))
    }
    return result
  }
}

extension ReferenceFolder {
  /// Whether a file of a folder of predictions belongs to an experiment on reviews.
  static func isOfReviews(_ name: String) -> Bool { name.hasPrefix(ReviewReferences.prefix) }
}
