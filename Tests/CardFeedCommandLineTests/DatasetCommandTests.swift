import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedExperiments
import Foundation
import Testing

/// `cardfeed dataset`: made, checked, counted, imported.
@Suite struct DatasetCommandTests {
  private func make(_ folder: ScratchFolder) async -> Call {
    await Call.tool(
      "dataset", "make", "generated-dating", "--waves", "5", "--people", "3", "--seed", "4",
      "--out", folder.path)
  }

  @Test func whatIsMadeIsValidAndCounted() async throws {
    let folder = try ScratchFolder()
    let made = await make(folder)
    #expect(made.status == .fine)
    #expect(made.errors == "")
    #expect(made.output.hasPrefix("\(folder.path)/dating: 30 people, 45 pairs, "))
    let validated = await Call.tool("dataset", "validate", folder.path, "--strict")
    #expect(
      validated
        == Call(
          status: .fine, output: "\(folder.path)/dating: 45 pairs, 0 problems\n", errors: ""))
    let described = await Call.tool("dataset", "describe", folder.path, "--format", "json")
    #expect(described.status == .fine)
    let rows = try #require(try described.json.array)
    func value(_ name: String) -> JSONValue? { rows.first { $0["what"]?.string == name }?["value"] }
    #expect(value("people") == 30)
    #expect(value("evenings") == 5)
    #expect(value("decisions") == 90)
    #expect(value("pairs") == 45)
    #expect(made.output.hasSuffix("checksum \(value("checksum")?.string ?? "")\n"))
    // The cards are records of the dating deck, one for each person.
    #expect(try folder.text(of: "dating/cards.jsonl").split(separator: "\n").count == 30)

    let again = try ScratchFolder()
    _ = await make(again)
    for name in ["persons.csv", "decisions.csv", "pairs.csv", "cards.jsonl"] {
      #expect(try again.text(of: "dating/\(name)") == folder.text(of: "dating/\(name)"))
    }
  }

  @Test func aBrokenRowIsNamed() async throws {
    let folder = try ScratchFolder()
    _ = await make(folder)
    var lines = try folder.text(of: "dating/decisions.csv").split(separator: "\n").map(String.init)
    let fields = lines[2].split(separator: ",", omittingEmptySubsequences: false)
    lines[2] = (fields[..<3] + ["2"] + fields[4...]).joined(separator: ",")
    try folder.write(lines.joined(separator: "\n") + "\n", to: "dating/decisions.csv")
    let call = await Call.tool("dataset", "validate", folder.path)
    #expect(call.status == .negativeResult)
    #expect(
      call.errors.replacing(folder.path, with: "DIR") == """
        DIR/dating/decisions.csv:3, column 4 "dec": the field is not an allowed whole number; \
        found another whole number; allowed: whole numbers 0…1
        DIR/dating/pairs.csv:3: a decision of the pair is missing; found 1 usable decisions; \
        allowed: both decisions of every pair

        """)
  }

  /// Two women and a man in the published layout, with changes to the rows.
  private func original(_ change: (inout [[String: String]]) -> Void = { _ in }) -> String {
    let made: Set = [
      "race_black", "race_white", "race_latino", "race_asian", "race_other", "race_code",
    ]
    let columns =
      ["iid", "pid", "wave", "gender", "age", "race", "order", "dec", "dec_o", "match"]
      + SpeedDatingImporter.profileNames.filter { !made.contains($0) }
    var rows = [("1", "11"), ("2", "11"), ("11", "1"), ("11", "2")].map { iid, pid in
      [
        "iid": iid, "pid": pid, "wave": "1", "gender": iid == "11" ? "1" : "0", "order": pid,
        "dec": "1", "dec_o": "1", "match": "1",
      ]
    }
    change(&rows)
    return ([columns] + rows.map { row in columns.map { row[$0] ?? "" } })
      .map { $0.joined(separator: ",") + "\n" }.joined()
  }

  @Test func aBrokenRowOfTheOriginalIsLeftOutOrRefused() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(original { $0[1]["dec"] = "yes" }, to: "original.csv")
    let strict = await Call.tool(
      "dataset", "import", "speed-dating", path, "--out", folder.file("out"), "--strict")
    #expect(strict.status == .failure)
    #expect(strict.output == "")
    #expect(
      strict.errors.replacing(path, with: "original.csv") == """
        error: original.csv:3, column 8 "dec": the field is not an allowed whole number; found text of \
        3 bytes; allowed: whole numbers 0…1
        original.csv:5: the two rows of a meeting do not agree; found no row of the partner, or \
        one with another evening, side or decision; allowed: one row each, alike

        """)
    #expect((try? FileSystem.read(folder.file("out/dating/pairs.csv"))) == nil)

    let lenient = await Call.tool(
      "dataset", "import", "speed-dating", path, "--out", folder.file("out"))
    #expect(lenient.status == .fine)
    #expect(
      lenient.errors.replacing(path, with: "original.csv") == """
        original.csv:3, column 8 "dec": the field is not an allowed whole number; found text of \
        3 bytes; allowed: whole numbers 0…1
        original.csv:5: the two rows of a meeting do not agree; found no row of the partner, or \
        one with another evening, side or decision; allowed: one row each, alike
        original.csv: the checksum is not the one of datasets/README.md; the figures of \
        datasets/RESULTS.md may not follow from it

        """)
    #expect(lenient.output.contains("/out/dating: 2 people, 1 pairs, 1 matches, checksum "))
    let validated = await Call.tool("dataset", "validate", folder.file("out"))
    #expect(validated.status == .fine)
  }

  @Test func theListNamesAllSets() async throws {
    let call = await Call.tool("dataset", "list", "--format", "csv")
    #expect(
      call.output == """
        name,comes from,terms\r
        generated-dating,cardfeed dataset make generated-dating,none: generated from a seed\r
        speed-dating,cardfeed dataset import speed-dating FILE,"research; cite Fisman, Iyengar, \
        Kamenica, Simonson 2006"\r
        generated-product,cardfeed dataset make generated-product,none: generated from a seed\r
        movielens-100k,datasets/get movielens-100k,"research, no commercial use, not to be handed \
        on; cite Harper, Konstan 2015"\r
        complete-journey,datasets/get complete-journey,"MIT; simulated from real purchases, for \
        learning and exploring (84.51°)"\r
        open-bandit,datasets/get open-bandit,"CC BY 4.0; cite Saito, Aihara, Matsutani, Narita \
        2021"\r
        interactions,cardfeed dataset import interactions FILE,those of your file\r
        assist2009_pid,"tables in DIR/quiz, see datasets/README.md","research; cite Feng, Heffernan, \
        Koedinger 2009"\r
        statics,"tables in DIR/quiz, see datasets/README.md",PSLC DataShop; cite Koedinger et al. 2010\r
        SAT12,"tables in DIR/quiz, see datasets/README.md",GPL; cite Chalmers 2012 (mirt)\r
        fraction,"tables in DIR/quiz, see datasets/README.md",GPL; from CDM\r
        ecpe,"tables in DIR/quiz, see datasets/README.md",GPL; from CDM\r
        reviews,"tables in DIR/quiz, see datasets/README.md","MIT; the review log of py-fsrs, one \
        learner"\r

        """)
  }

  @Test(arguments: [
    ["dataset"], ["dataset", "make", "generated-dating"], ["dataset", "make", "x", "--out", "y"],
    ["dataset", "make", "generated-dating", "--out", "y", "--waves", "4"],
    ["dataset", "import", "speed-dating", "--out", "y"],
    ["dataset", "import", "generated-dating", "x", "--out", "y"], ["dataset", "validate"],
    ["dataset", "describe", "x", "--format", "xml"], ["dataset", "list", "x"],
  ])
  func wrongUsage(_ arguments: [String]) async {
    let call = await Call.tool(arguments)
    #expect(call.status.rawValue == 64)
    #expect(call.output == "")
  }

  @Test func tooManyPeopleAreRefused() async throws {
    let folder = try ScratchFolder()
    let call = await Call.tool(
      "dataset", "make", "generated-dating", "--waves", "500", "--people", "400", "--out",
      folder.path)
    #expect(call.status == .failure)
    #expect(
      call.errors == "error: waves × (womenPerWave + menPerWave) is 400000 people; allowed: at "
        + "most 9999\n")
  }
}
