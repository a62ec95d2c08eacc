import Testing

@testable import CardFeedExperiments

@Suite("CSV")
struct CSVReaderTests {
  private enum Read: Equatable {
    case row(Int, [String])
    case problem(Int?, Int?, String)
  }

  private func read(
    _ bytes: [UInt8], encoding: TextEncoding = .utf8, maximumRowBytes: Int = 1 << 20,
    pieceSize: Int? = nil
  ) throws -> [Read] {
    var rest = bytes[...]
    var reader =
      pieceSize.map { size in
        CSVReader(
          file: "x.csv", encoding: encoding, maximumRowBytes: maximumRowBytes,
          pieces: { () throws(DataProblem) in
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            return piece
          })
      }
      ?? CSVReader(
        bytes: bytes, file: "x.csv", encoding: encoding, maximumRowBytes: maximumRowBytes)
    var result: [Read] = []
    while let record = try reader.next() {
      switch record {
      case .row(let row): result.append(.row(row.line, (0..<row.count).map { row[$0] }))
      case .problem(let problem):
        result.append(.problem(problem.line, problem.columnNumber, problem.reason))
      }
    }
    return result
  }

  @Test("quoted commas, doubled quotes, line breaks, CRLF and a last row without a line end")
  func quoting() throws {
    let text = "a,\"b,c\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",,\r\nlast,\"\",x"
    let expected: [Read] = [
      .row(1, ["a", "b,c", "say \"hi\""]), .row(2, ["two\nlines", "", ""]),
      .row(4, ["last", "", "x"]),
    ]
    #expect(try read(Array(text.utf8)) == expected)
    // The same however the file is cut into pieces.
    for size in 1...7 { #expect(try read(Array(text.utf8), pieceSize: size) == expected) }
  }

  @Test("an empty file has no row, a lone line feed has one empty field")
  func empty() throws {
    #expect(try read([]) == [])
    #expect(try read([10]) == [.row(1, [""])])
    #expect(try read(Array("a\n\nb".utf8)) == [.row(1, ["a"]), .row(2, [""]), .row(3, ["b"])])
    #expect(try read(Array("a,".utf8)) == [.row(1, ["a", ""])])
    #expect(try read(Array("a\r".utf8)) == [.row(1, ["a"])])
    #expect(try read(Array("\"\"".utf8)) == [.row(1, [""])])
  }

  @Test("a malformed row is a problem with its line and column, and reading goes on")
  func malformed() throws {
    let text = "ok\na,b\"c,d\nok\n\"x\"y,z\nok\na\rb\nok"
    #expect(
      try read(Array(text.utf8)) == [
        .row(1, ["ok"]), .problem(2, 2, "a quote stands inside a field without quotes"),
        .row(3, ["ok"]), .problem(4, 1, "text follows a closing quote"), .row(5, ["ok"]),
        .problem(6, 1, "a carriage return stands without a line feed"), .row(7, ["ok"]),
      ])
    #expect(
      try read(Array("a\n\"open,\nmore".utf8)) == [
        .row(1, ["a"]), .problem(2, 1, "a quote is not closed before the end of the file"),
      ])
    #expect(
      try read(Array("\"1234567890\n1\"\nok".utf8), maximumRowBytes: 4) == [
        .problem(1, 1, "the row is longer than 4 bytes (does a quote never close?)"),
        .problem(2, 1, "a quote stands inside a field without quotes"), .row(3, ["ok"]),
      ])
  }

  @Test("bytes above 127: latin-1 takes all, UTF-8 refuses invalid ones and skips its mark")
  func encodings() throws {
    #expect(try read([0x61, 0xE9, 10], encoding: .latin1) == [.row(1, ["aé"])])
    #expect(
      try read([0x61, 0x2C, 0xE9, 10, 0x62]) == [
        .problem(1, 2, "the field is not UTF-8"), .row(2, ["b"]),
      ])
    // Halves of one character in two fields are not a character.
    #expect(
      try read([0xC3, 0x2C, 0xA9]) == [.problem(1, 1, "the field is not UTF-8")])
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("é\n".utf8)
    for size in 1...4 {
      #expect(try read(marked, pieceSize: size) == [.row(1, ["é"])])
    }
    #expect(try read([0xEF, 0xBB], pieceSize: 1) == [.problem(1, 1, "the field is not UTF-8")])
  }

  @Test("what is joined with quoting is read back, for random fields")
  func roundTrip() throws {
    var generator = TestSplitMix64(seed: 7)
    let alphabet = Array("ab,\"\r\n é".unicodeScalars)
    for _ in 0..<200 {
      let rows = (0..<3).map { _ in
        (0..<3).map { _ in
          String(
            String.UnicodeScalarView(
              (0..<generator.drawIndex(below: 6)).map { _ in
                alphabet[generator.drawIndex(below: alphabet.count)]
              }))
        }
      }
      let text = rows.map { row in
        row.map { field in
          "\"" + field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
        }.joined(separator: ",") + "\r\n"
      }.joined()
      var fields: [[String]] = []
      for case .row(_, let row) in try read(Array(text.utf8), pieceSize: 5) { fields.append(row) }
      #expect(fields == rows)
    }
  }

  @Test("a table finds columns by name and reports rows of another length")
  func table() throws {
    var table = try CSVTable(
      CSVReader(bytes: Array("id,age\n1,30\n2\n3,40\n".utf8), file: "t.csv", encoding: .utf8),
      required: ["age"])
    #expect(table.columns == ["id", "age"])
    #expect(table.index(of: "age") == 1)
    #expect(table.index(of: "Age") == nil)
    var ages: [String] = []
    var problems: [String] = []
    while let record = try table.next() {
      switch record {
      case .row(let row): ages.append(row[1])
      case .problem(let problem): problems.append(problem.description)
      }
    }
    #expect(ages == ["30", "40"])
    #expect(
      problems == [
        "t.csv:3: the row does not have the header's number of fields; found 1 fields; "
          + "allowed: 2 fields"
      ])
  }

  @Test(
    "a header that cannot be used is refused",
    arguments: [
      ("", "t.csv:1: the header is missing; found an empty file; allowed: a row of column names"),
      (
        "a,b,a\n",
        "t.csv:1, column 3: two columns have one name; found \"a\" again; allowed: different names"
      ),
      ("a,,b\n", "t.csv:1, column 2: a column has no name; found an empty field; allowed: a name"),
      (
        "a,b\n",
        "t.csv:1: columns are missing; found a, b; allowed: a header that also has id, age"
      ),
    ])
  func header(text: String, message: String) {
    let problem = #expect(throws: DataProblem.self) {
      try CSVTable(
        CSVReader(bytes: Array(text.utf8), file: "t.csv", encoding: .utf8),
        required: ["id", "a", "age"])
    }
    #expect(problem?.description == message)
  }

  @Test("a file that is not there and a folder are refused by name")
  func files() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: DataProblem.self) {
      try CSVReader(path: folder.path + "/none.csv", encoding: .utf8)
    }
    #expect(missing?.file == folder.path + "/none.csv")
    #expect(missing?.reason == "the file cannot be opened")
    let unreadable = #expect(throws: DataProblem.self) {
      var reader = try CSVReader(path: folder.path, encoding: .utf8)
      _ = try reader.next()
    }
    #expect(unreadable?.reason == "the file cannot be read")
  }

  @Test("a file is read in pieces like bytes in memory")
  func largeFile() throws {
    let folder = try TemporaryFolder()
    let text = (0..<20_000).map { "\($0),\"x\(String(repeating: "y", count: $0 % 9))\"\n" }.joined()
    let path = try folder.write(text, to: "large.csv")
    var reader = try CSVReader(path: path, encoding: .latin1)
    var sum = 0
    var rows = 0
    while case .row(let row)? = try reader.next() {
      sum += Int(row[0]) ?? -1_000_000
      rows += 1
    }
    #expect(rows == 20_000)
    #expect(sum == 199_990_000)
  }
}
