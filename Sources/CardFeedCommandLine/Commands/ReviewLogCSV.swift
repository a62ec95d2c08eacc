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
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count,
        bytes[range].allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    let isSeparated =
      bytes.count >= 20
      && [(4, "-"), (7, "-"), (13, ":"), (16, ":")].allSatisfy {
        bytes[$0.0] == $0.1.utf8.first
      }
    guard isSeparated, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year >= 1970, (1...12).contains(month), day >= 1, day <= days(of: month, year), hour < 24,
      minute < 60, second < 60
    else { return nil }
    var end = 19
    var fraction: Int64 = 0
    if bytes[end] == UInt8(ascii: ".") {
      let digits = bytes[(end + 1)...].prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        fraction = fraction * 10 + (place < digits.count ? Int64(digits[end + 1 + place]) - 48 : 0)
      }
      end += 1 + digits.count
    }
    guard let zone = zone(bytes[end...], number) else { return nil }
    let seconds = (dayNumber(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    let time = (seconds - zone * 60) * 1000 + fraction
    return time > 0 ? time : nil
  }

  /// Minutes ahead of universal time.
  private static func zone(_ bytes: ArraySlice<UInt8>, _ number: (Range<Int>) -> Int64?) -> Int64? {
    if bytes.elementsEqual("Z".utf8) { return 0 }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"),
      bytes[start + 3] == UInt8(ascii: ":"), let hours = number(start + 1..<start + 3),
      let minutes = number(start + 4..<start + 6), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (bytes[start] == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(of month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 in the Gregorian calendar.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400 - 477
    let inYear = (1..<month).reduce(0) { $0 + days(of: $1, year) }
    return (year - 1970) * 365 + leapDays + inYear + day - 1
  }
}
