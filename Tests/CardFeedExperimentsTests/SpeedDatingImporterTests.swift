import CardFeed
import CardFeedExperiments
import Foundation
import Testing

@Suite("Import of the published speed-dating file")
struct SpeedDatingImporterTests {
  /// A tiny file in the published layout: women 1, 2; man 11; one row without partner.
  private func original(_ change: (inout [[String: String]]) -> Void = { _ in }) -> String {
    let made: Set = [
      "race_black", "race_white", "race_latino", "race_asian", "race_other", "race_code",
    ]
    let columns =
      ["iid", "pid", "wave", "gender", "age", "race", "order", "dec", "dec_o", "match"]
      + SpeedDatingImporter.profileNames.filter { !made.contains($0) } + ["undergra"]
    func row(_ iid: String, _ pid: String, _ gender: String, _ dec: String, _ decO: String)
      -> [String: String]
    {
      [
        "iid": iid, "pid": pid, "wave": "5", "gender": gender, "age": "2\(iid.suffix(1))",
        "race": "6", "order": pid.isEmpty ? "9" : pid, "dec": dec, "dec_o": decO,
        "match": dec == "1" && decO == "1" ? "1" : "0", "income": "69,487.00",
        "attr1_1": "40", "sinc1_1": "5", "intel1_1": "5", "fun1_1": "0",
        "attr2_1": "40", "sinc2_1": "5", "intel2_1": "5", "undergra": "Sorbonne, \u{8E}",
      ]
    }
    var rows = [
      row("1", "11", "0", "1", "1"), row("2", "11", "0", "0", "1"), row("11", "1", "1", "1", "1"),
      row("11", "2", "1", "1", "0"), row("11", "", "1", "0", "1"),
    ]
    change(&rows)
    return ([columns] + rows.map { row in columns.map { row[$0] ?? "" } })
      .map { $0.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n" }
      .joined()
  }

  private func read(_ text: String, strict: Bool = true) throws -> SpeedDatingReading {
    let folder = try TemporaryFolder()
    let path = folder.path + "/original.csv"
    try #require(text.data(using: .isoLatin1)).write(to: URL(fileURLWithPath: path))
    var generator = TestSplitMix64(seed: 1)
    return try SpeedDatingImporter.importOriginal(path: path, using: &generator, strict: strict)
  }

  @Test("rules: no partner, thousands separators, race columns, shared-out points")
  func rules() throws {
    let reading = try read(original())
    let data = reading.data
    #expect(reading.omitted.map(\.line) == [6])
    #expect(data.persons.map(\.id) == [1, 2, 11])
    #expect(data.pairs.map(\.match) == [true, false])
    #expect(data.decisions.map(\.order) == [11, 11, 1, 2])
    #expect(data.profile("income") == [69487, 69487, 69487])
    #expect(data.profile("race_other")?.first == .some(1))
    #expect(data.profile("race_white")?.first == .some(0))
    #expect(data.profile("race_code")?.first == .some(6))
    #expect(data.profile("attr1_1")?.first == .some(80))
    #expect(data.profile("fun1_1")?.first == .some(0))
    // A missing one among four stays missing; three of six are too few.
    #expect(data.profile("amb1_1") == [nil, nil, nil])
    #expect(data.profile("attr2_1") == [nil, nil, nil])
    #expect(data.profile("attr4_1") == [nil, nil, nil])
  }

  @Test("rows that contradict each other are faults")
  func faults() throws {
    let partner = original {
      $0[0]["dec_o"] = "0"; $0[0]["match"] = "0"
    }
    #expect(throws: DataProblems.self) { try read(partner) }
    let lenient = try read(partner, strict: false)
    #expect(lenient.problems.total == 2)
    #expect(lenient.problems.listed.first?.reason == "the two rows of a meeting do not agree")
    #expect(lenient.data.pairs.map(\.woman) == [2])

    let match = try read(original { $0[1]["match"] = "1" }, strict: false)
    #expect(match.problems.listed.first?.columnName == "match")
    #expect(match.problems.listed.first?.line == 3)
    let profile = try read(original { $0[3]["income"] = "5" }, strict: false)
    #expect(
      profile.problems.listed.first?.reason
        == "the person's evening, side, age or profile is not the same as before")
    let twice = try read(original { $0.append($0[0]) }, strict: false)
    #expect(twice.problems.listed.map(\.reason) == ["a meeting is listed twice"])
    let race = try read(original { $0[0]["race"] = "7" }, strict: false)
    #expect(race.problems.listed.first?.reason == "the code is unknown")
  }

  @Test(
    "the published file gives the given persons, decisions and pairs byte for byte",
    .enabled(if: SharedData.folder != nil, SharedData.skipped))
  func published() throws {
    let shared = try #require(SharedData.folder)
    let folder = try TemporaryFolder()
    let path = folder.path + "/original.csv"
    let packed = shared + "/data/dating/speed_dating_original.csv.gz"
    try #require(try output(of: ["gzip", "-dc", packed], to: path) != nil)

    let given = try SpeedDatingLoader.load(directory: shared + "/data")
    let reading = try SpeedDatingImporter.importOriginal(path: path, foldsOf: given.data)
    #expect(reading.fileChecksums.map(\.sha256) == [SpeedDatingImporter.knownSHA256])
    #expect(reading.omitted.count == 10)
    #expect(reading.data == given.data)
    for (file, source) in zip(SpeedDatingFiles.contents(reading.data), given.fileChecksums) {
      #expect(SHA256.hexadecimal(file.bytes) == source.sha256, "\(file.name)")
    }

    // Own folds: evenings, time split and everything else are the same; random ones are not.
    var generator = TestSplitMix64(seed: 20)
    let own = try SpeedDatingImporter.importOriginal(path: path, using: &generator).data
    #expect(own.persons == given.data.persons)
    #expect(own.profileColumns == given.data.profileColumns)
    #expect(own.decisions.map(\.decision) == given.data.decisions.map(\.decision))
    #expect(own.decisions.map(\.order) == given.data.decisions.map(\.order))
    #expect(own.pairs.map(\.foldWave) == given.data.pairs.map(\.foldWave))
    #expect(own.pairs.map(\.timeSplit) == given.data.pairs.map(\.timeSplit))
    #expect(own.pairs.map(\.foldPair) != given.data.pairs.map(\.foldPair))

    let summary = given.data.describe()
    #expect(summary.people == 551 && summary.women == 274 && summary.men == 277)
    #expect(summary.decisions == 8368 && summary.pairs == 4184 && summary.matches == 690)
    #expect(summary.waves.count == 21)
    #expect(summary.missing.first { $0.column == "income" }?.count == 270)
  }
}
