internal import CardFeed
internal import CardFeedAnki
internal import CardFeedExperiments

/// A learner's log of answers as a table.
enum ReviewLogCSV {
  private enum Column: CaseIterable {
    case card, rating, time, duration

    var names: [String] {
      switch self {
      case .card: ["card_id"]
      case .rating: ["rating", "review_rating", "ease"]
      case .time: ["time", "review_time"]
      case .duration: ["duration", "review_duration"]
      }
    }
  }

  /// The answers of a log. Every problem of the file is in the error, so that nothing is taken when
  /// one line is wrong.
  static func answers(in bytes: [UInt8], _ path: String) throws -> [StudyFiles.Answer] {
    var reader = CSVReader(bytes: bytes, file: path, encoding: .utf8)
    guard case .row(let header)? = try reader.next() else {
      throw FeedError(
        .badInput, "\(path):1: found no header line; allowed: card_id, rating, time, duration")
    }
    let columns = try Self.columns(of: header, path)
    var answers: [StudyFiles.Answer] = []
    var problems: [String] = []
    while let record = try reader.next() {
      switch record {
      case .problem(let problem): problems.append("\(problem)")
      case .row(let row) where row.count == 1 && row.bytes(0).isEmpty: break
      case .row(let row):
        switch answer(row, columns, columnCount: header.count) {
        case .success(let answer): answers.append(answer)
        case .failure(let fault): problems.append("\(path):\(row.line)\(fault.text)")
        }
      }
    }
    guard problems.isEmpty else {
      let rest = problems.count > 20 ? "\n… and \(problems.count - 20) more lines" : ""
      throw FeedError(
        .badInput, problems.prefix(20).joined(separator: "\n") + rest + "\nnothing was written")
    }
    return answers
  }

  /// The log with a header line.
  static func bytes(of answers: [StudyFiles.Answer]) -> [UInt8] {
    var table = TextTable(["card_id", "rating", "time"])
    for answer in answers {
      guard let rating = answer.grade.rating else { continue }
      table.append([.text(answer.card), .integer(Int(rating)), .integer(Int(answer.time))])
    }
    return table.csv()
  }

  private static func columns(of header: CSVRow, _ path: String) throws -> [Column: Int] {
    var columns: [Column: Int] = [:]
    for index in 0..<header.count {
      let place = "\(path):1, column \(index + 1)"
      guard let column = Column.allCases.first(where: { $0.names.contains(header[index]) }) else {
        let allowed = Column.allCases.flatMap(\.names).joined(separator: ", ")
        throw FeedError(.badInput, "\(place): the column is unknown; allowed: \(allowed)")
      }
      guard columns.updateValue(index, forKey: column) == nil else {
        throw FeedError(.badInput, "\(place): a second column of this meaning; allowed: one")
      }
    }
    for column in [Column.card, .rating, .time] where columns[column] == nil {
      throw FeedError(
        .badInput,
        "\(path):1: a column is missing; allowed names: "
          + column.names.joined(separator: ", "))
    }
    return columns
  }

  private struct Fault: Error {
    let text: String
  }

  private static func answer(
    _ row: CSVRow, _ columns: [Column: Int], columnCount: Int
  ) -> Result<StudyFiles.Answer, Fault> {
    guard row.count == columnCount else {
      return .failure(
        Fault(text: ": found \(row.count) fields; allowed: the \(columnCount) of the header"))
    }
    func field(_ column: Column) -> String? { columns[column].map { row[$0] } }
    func fault(_ column: Column, _ message: String) -> Result<StudyFiles.Answer, Fault> {
      .failure(Fault(text: ", column \((columns[column] ?? 0) + 1): \(message)"))
    }
    guard let card = field(.card), !card.isEmpty else {
      return fault(.card, "found nothing; allowed: an id")
    }
    guard let grade = field(.rating).flatMap({ Int64($0) }).flatMap(StudyFiles.Grade.init(rating:))
    else { return fault(.rating, "found no rating; allowed: 1, 2, 3, 4") }
    guard let time = field(.time).flatMap(ReviewTime.milliseconds) else {
      return fault(
        .time,
        "found no time; allowed: milliseconds since 1970, or such as 2024-03-29T20:32:32.250Z")
    }
    if let duration = field(.duration), !duration.isEmpty, (Int64(duration) ?? -1) < 0 {
      return fault(.duration, "found no duration; allowed: milliseconds, or nothing")
    }
    return .success(StudyFiles.Answer(card: card, grade: grade, time: time))
  }
}

/// Times of a log: milliseconds since 1970, or ISO 8601 with the distance from universal time.
enum ReviewTime {
  static func milliseconds(_ text: String) -> Int64? {
    if let number = Int64(text) { return (1...100_000_000_000_000).contains(number) ? number : nil }
    guard let time = CalendarTime(text), time.hasZone else { return nil }
    let milliseconds = time.seconds * 1000 + time.microseconds / 1000
    return milliseconds > 0 ? milliseconds : nil
  }
}
