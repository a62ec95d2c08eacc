import CardFeed
import CardFeedExperiments
import Foundation
import Testing

@Suite("Speed-dating data")
struct SpeedDatingDataTests {
  static let persons = """
    iid,wave,gender,age,sports,yoga
    1,1,0,25.0,7.0,
    2,1,0,,3.0,4.0
    11,1,1,30.0,1.5,2.0

    """
  static let decisions = """
    wave,rater,target,dec,pair_id,rater_gender,fold_decision,order,fold_pair,fold_wave
    1,1,11,1,0,0,0,1,3,2
    1,2,11,0,1,0,1,1,4,2
    1,11,1,1,0,1,2,1,3,2
    1,11,2,1,1,1,3,2,4,2

    """
  static let pairs = """
    pair_id,wave,f,m,dec_f,dec_m,match,split_time,fold_wave,fold_pair
    0,1,1,11,1,1,1,train,2,3
    1,1,2,11,0,1,0,train,2,4

    """

  private func load(
    _ persons: String = Self.persons, _ decisions: String = Self.decisions,
    _ pairs: String = Self.pairs, strict: Bool = false
  ) throws -> (SpeedDatingReading, TemporaryFolder) {
    let folder = try TemporaryFolder()
    _ = try folder.write(persons, to: "dating/persons.csv")
    _ = try folder.write(decisions, to: "dating/decisions.csv")
    _ = try folder.write(pairs, to: "dating/pairs.csv")
    return (try SpeedDatingLoader.load(directory: folder.path, strict: strict), folder)
  }

  @Test("the three files are read, described and written back byte for byte")
  func roundTrip() throws {
    let (reading, folder) = try load(strict: true)
    let data = reading.data
    #expect(reading.problems.isEmpty)
    #expect(data.persons.map(\.id) == [1, 2, 11])
    #expect(data.persons[1].age == nil)
    #expect(data.profile("yoga") == [nil, 4, 2])
    #expect(data.profile("age") == nil)
    #expect(data.row(ofPerson: 11) == 2)
    #expect(data.row(ofPerson: 3) == nil)
    #expect(data.waves == [1])
    #expect(data.pairs.map(\.match) == [true, false])
    #expect(data.pairs[0].timeSplit == .train && data.pairs[0].foldPair == 3)

    let summary = data.describe()
    #expect(summary.people == 3 && summary.women == 2 && summary.men == 1)
    #expect(summary.decisions == 4 && summary.yes == 3 && summary.yesRate == 0.75)
    #expect(summary.womenYesRate == 0.5 && summary.menYesRate == 1)
    #expect(summary.pairs == 2 && summary.matches == 1 && summary.matchRate == 0.5)
    #expect(summary.ages == 25...30)
    #expect(
      summary.waves.map { [$0.wave, $0.women, $0.men, $0.pairs, $0.matches] } == [[1, 2, 1, 2, 1]])
    #expect(
      summary.missing.map { "\($0.column) \($0.count)" } == ["age 1", "sports 0", "yoga 1"])

    let texts = SpeedDatingFiles.contents(data).map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(texts == [Self.persons, Self.decisions, Self.pairs])
    try SpeedDatingFiles.write(data, directory: folder.path)
    let again = try SpeedDatingLoader.load(directory: folder.path)
    #expect(again.data == data)
    #expect(again.fileChecksums.map(\.sha256) == reading.fileChecksums.map(\.sha256))
    let lines = again.fileChecksums.map {
      "\($0.sha256)  \(URL(fileURLWithPath: $0.file).lastPathComponent)\n"
    }
    #expect(data.checksum == SHA256.hexadecimal(Array(lines.joined().utf8)))
  }

  @Test("rows and columns in another order give the same data and checksum")
  func order() throws {
    let reordered =
      "f,m,pair_id,wave,dec_f,dec_m,match,split_time,fold_wave,fold_pair\n"
      + "2,11,1,1,0,1,0,train,2,4\r\n1,11,0,1,1,1,1,train,2,3"
    let data = try load().0.data
    let other = try load(Self.persons, Self.decisions, reordered, strict: true).0.data
    #expect(other == data)
    #expect(other.checksum == data.checksum)
  }

  @Test("a change of one value changes the checksum")
  func checksum() throws {
    let changed = try load(Self.persons.replacingOccurrences(of: "1.5", with: "1.25")).0.data
    #expect(changed.checksum != (try load().0.data.checksum))
  }

  /// What is broken, how, what is reported first and what remains of 3 persons, 2 pairs.
  struct Fault: Sendable, CustomTestStringConvertible {
    let file: String
    let from: String
    let to: String
    let message: String
    let persons: Int
    let pairs: Int

    init(
      _ file: String, _ from: String, _ to: String, _ message: String, persons: Int = 3,
      pairs: Int = 1
    ) {
      (self.file, self.from, self.to, self.message) = (file, from, to, message)
      (self.persons, self.pairs) = (persons, pairs)
    }

    var testDescription: String { message }
  }

  static let faults = [
    Fault(
      "persons", "11,1,1,30.0", "11,1,1,130.0",
      "persons.csv:4: the age is not plausible; found an age above 100, or none; "
        + "allowed: 18…100, or empty when unknown", persons: 2, pairs: 0),
    Fault(
      "persons", "11,1,1,30.0", "11,1,1,12",
      "persons.csv:4: the age is not plausible; found an age below 18; "
        + "allowed: 18…100, or empty when unknown", persons: 2, pairs: 0),
    Fault(
      "persons", "2,1,0,,", "2,1,2,,",
      "persons.csv:3, column 3 \"gender\": the field is not an allowed whole number; "
        + "found \"2\"; allowed: whole numbers 0…1", persons: 2),
    Fault(
      "persons", "2,1,0,,3.0", "2,1,0,,nan",
      "persons.csv:3, column 5 \"sports\": the field is not a number; found another number; "
        + "allowed: decimal numbers, or nothing", persons: 2),
    Fault(
      "persons", "2,1,0,,3.0", "2,1,0,,often",
      "persons.csv:3, column 5 \"sports\": the field is not a number; found text of 5 bytes; "
        + "allowed: decimal numbers, or nothing", persons: 2),
    Fault(
      "persons", "2,1,0,,", "12345,1,0,,",
      "persons.csv:3, column 1 \"iid\": the field is not an allowed whole number; "
        + "found \"12345\"; allowed: whole numbers 1…9999", persons: 2),
    Fault(
      "persons", "2,1,0,,", "1,2,0,,",
      "persons.csv:3: a person is listed twice; found 1 in the evenings 1 and 2; "
        + "allowed: one row and one evening per person", persons: 2),
    Fault(
      "persons", "2,1,0,,", "2,7,0,,",
      "pairs.csv:3: the woman of the pair belongs to another evening; found evening 7; "
        + "allowed: evening 1"),
    Fault(
      "pairs", "1,1,2,11,0", "1,1,11,2,0",
      "pairs.csv:3: the woman of the pair is on the other side; found 11; "
        + "allowed: a woman's number"),
    Fault(
      "pairs", "1,1,2,11,0", "1,1,3,11,0",
      "pairs.csv:3: the woman of the pair is unknown; found 3; allowed: a number in the persons"),
    Fault(
      "pairs", "1,1,2,11,0", "0,1,2,11,0",
      "pairs.csv:3: the pair's number is not new; found 0; "
        + "allowed: a number from 0 that no other pair has"),
    Fault(
      "pairs", "1,1,2,11,0,1,0", "1,1,1,11,1,1,1",
      "pairs.csv:3: two people meet twice; found 1 and 11 again; "
        + "allowed: one pair per woman and man"),
    Fault(
      "pairs", "1,1,2,11,0,1,0", "1,1,2,11,0,1,1",
      "pairs.csv:3, column 7 \"match\": the match does not follow from the decisions; "
        + "found the other value; allowed: 1 when both said yes, else 0"),
    Fault(
      "pairs", "1,1,2,11,0,1,0", "1,1,2,11,maybe,1,0",
      "pairs.csv:3, column 5 \"dec_f\": the field is not an allowed whole number; "
        + "found text of 5 bytes; allowed: whole numbers 0…1"),
    Fault(
      "pairs", "train,2,4", "test,2,4",
      "pairs.csv:3: an evening is cut by a split; "
        + "found another wave fold or time split than before; allowed: one of each per evening"),
    Fault(
      "pairs", "train,2,4", "later,2,4",
      "pairs.csv:3, column 8 \"split_time\": the field is not an allowed word; "
        + "found text of 5 bytes; allowed: train, test"),
    Fault(
      "decisions", "1,2,11,0,1", "1,2,11,1,1",
      "decisions.csv:3: the decision is not the one of its pair; found the other answer; "
        + "allowed: the same answer in both"),
    Fault(
      "decisions", "1,2,11,0,1", "1,2,11,0,9",
      "decisions.csv:3: the pair of the decision is unknown; found 9; "
        + "allowed: a number in the pairs"),
    Fault(
      "decisions", "1,2,11,0,1", "1,1,11,0,1",
      "decisions.csv:3: the people or the side of the decision are not those of its pair; "
        + "found 1 about 11; allowed: 2 about 11"),
    Fault(
      "decisions", "1,2,11,0,1", "4,2,11,0,1",
      "decisions.csv:3: the decision belongs to another evening than its pair; found 4; "
        + "allowed: 1"),
    Fault(
      "decisions", "1,2,11,0,1,0,1,1,4,2", "1,2,11,0,1,0,1,1,0,2",
      "decisions.csv:3: the folds of the decision are not those of its pair; found 0 and 2; "
        + "allowed: 4 and 2"),
    Fault(
      "decisions", "1,11,2,1,1,1,3,2", "1,11,2,1,1,1,3,1",
      "decisions.csv:5: the order of the date is not new; found 1; "
        + "allowed: a number from 1 that no other date of the rater has"),
    Fault(
      "decisions", "1,2,11,0,1,0,1,1,4,2\n", "",
      "pairs.csv:3: a decision of the pair is missing; found 1 usable decisions; "
        + "allowed: both decisions of every pair"),
    Fault(
      "decisions", "1,11,2,1,1,1,3,2,4,2\n", "1,11,2,1,1,1,3,2,4,2\n1,11,2,1,1,1,3,3,4,2\n",
      "decisions.csv:6: a decision is listed twice; found 11 about 2 again; "
        + "allowed: one decision per rater and target", pairs: 2),
    Fault(
      "decisions", "1,2,11,0,1,0,1,1,4,2", "1,2,11,0,1,0,1,1,4",
      "decisions.csv:3: the row does not have the header's number of fields; "
        + "found 9 fields; allowed: 10 fields"),
  ]

  @Test(
    "a fault is reported with its place, its rows are left out, and strict refuses",
    arguments: faults)
  func faulty(fault: Fault) throws {
    func text(_ name: String, _ good: String) -> String {
      name == fault.file ? good.replacingOccurrences(of: fault.from, with: fault.to) : good
    }
    let persons = text("persons", Self.persons)
    let decisions = text("decisions", Self.decisions)
    let pairs = text("pairs", Self.pairs)
    let (reading, folder) = try load(persons, decisions, pairs)
    let first = try #require(reading.problems.listed.first).description
    #expect(first == folder.path + "/dating/" + fault.message)
    // What was written into the broken field is private where it is a profile value or an answer.
    #expect(["130.0", "often", "maybe"].allSatisfy { !first.contains($0) })
    #expect(reading.data.persons.count == fault.persons)
    #expect(reading.data.pairs.count == fault.pairs)
    #expect(reading.data.decisions.count == 2 * fault.pairs)
    #expect(throws: DataProblems.self) { try load(persons, decisions, pairs, strict: true) }
  }

  @Test("a missing file and a missing column refuse even a lenient reading")
  func missing() throws {
    let folder = try TemporaryFolder()
    let none = #expect(throws: DataProblems.self) {
      try SpeedDatingLoader.load(directory: folder.path, strict: false)
    }
    #expect(none?.total == 1)
    #expect(none?.listed.first?.reason == "the file cannot be opened")
    let column = #expect(throws: DataProblems.self) {
      try load(Self.persons, Self.decisions.replacingOccurrences(of: "order", with: "place"))
    }
    #expect(column?.listed.first?.allowed == "a header that also has order")
  }

  @Test("values in memory pass the same checks")
  func inMemory() throws {
    let person = SpeedDatingData.Person(id: 5, wave: 1, gender: .man, age: 200)
    let problems = #expect(throws: DataProblems.self) {
      try SpeedDatingData(
        persons: [person], profileNames: ["x", "x"], profiles: [[1]], decisions: [], pairs: [])
    }
    #expect(problems?.total == 3)
    let fine = try SpeedDatingData(
      persons: [.init(id: 5, wave: 1, gender: .man)], profileNames: ["x"], decisions: [], pairs: [])
    #expect(fine.profile("x") == [nil])
    #expect(fine.describe().matchRate == nil)
  }

  @Test("problems beyond the limit are counted")
  func limit() throws {
    let rows = (0..<1500).map { "x\($0),1,0,,1,1\n" }.joined()
    let problems = try load(Self.persons + rows).0.problems
    #expect(problems.total == 1500)
    #expect(problems.listed.count == DataProblems.limit)
    #expect(problems.description.hasSuffix("\nand 500 more problems"))
  }

  @Test("card ids compare as bytes like the numbers")
  func cardID() {
    #expect(SpeedDatingData.cardID(person: 7) == "p0007")
    #expect(SpeedDatingData.cardID(person: 9999) == "p9999")
    let ids = [1, 9, 10, 99, 100, 999, 1000, 9999].map(SpeedDatingData.cardID)
    let bytes = ids.map { Array($0.utf8) }
    #expect(bytes == bytes.sorted { $0.lexicographicallyPrecedes($1) })
  }
}
