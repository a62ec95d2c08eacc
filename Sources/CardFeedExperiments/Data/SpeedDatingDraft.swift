/// Rows of a data set on their way to ``SpeedDatingData``, each with the line it came from.
struct SpeedDatingDraft {
  struct PersonRow {
    let value: SpeedDatingData.Person
    let line: Int?
    let profile: [Double?]
  }

  struct Row<Value> {
    let value: Value
    let line: Int?
  }

  /// Names of the files in problems.
  struct Files {
    var persons = "persons"
    var decisions = "decisions"
    var pairs = "pairs"
  }

  static let idRange = 1...9999
  static let ageRange = 18.0...100.0
  static let foldRange = 0...999

  var files = Files()
  var profileNames: [String]
  var persons: [PersonRow] = []
  var decisions: [Row<SpeedDatingData.Decision>] = []
  var pairs: [Row<SpeedDatingData.Pair>] = []

  init(profileNames: [String]) { self.profileNames = profileNames }

  /// The rows that refer to each other without gaps; every other row is left out and reported.
  func checked(_ problems: inout DataProblems) -> SpeedDatingData {
    var kept = self
    kept.checkPersons(&problems)
    let people = Dictionary(
      uniqueKeysWithValues: kept.persons.map { ($0.value.id, $0.value) })
    kept.checkPairs(people, &problems)
    kept.checkDecisions(&problems)
    kept.checkBothDecisions(&problems)
    return SpeedDatingData(checked: kept)
  }

  private mutating func checkPersons(_ problems: inout DataProblems) {
    if Set(profileNames + SpeedDatingFiles.personColumns).count
      != profileNames.count + SpeedDatingFiles.personColumns.count
    {
      problems.add(
        DataProblem(
          file: files.persons, reason: "two columns have one name",
          found: profileNames.joined(separator: ", "),
          allowed: "different names, none of them "
            + SpeedDatingFiles.personColumns.joined(separator: ", ")))
    }
    var met: [Int: Int] = [:]
    var kept: [PersonRow] = []
    for row in persons {
      let person = row.value
      var report = Report(file: files.persons, line: row.line)
      report.require(
        Self.idRange.contains(person.id), "the person's number is out of range", "\(person.id)",
        "1…9999")
      report.require(
        person.wave >= 1, "the evening's number is out of range", "\(person.wave)", "1 and above")
      if let wave = met[person.id] {
        report.add(
          "a person is listed twice",
          wave == person.wave
            ? "\(person.id) again" : "\(person.id) in the evenings \(wave) and \(person.wave)",
          "one row and one evening per person")
      }
      if let age = person.age, !Self.ageRange.contains(age) {
        report.add(
          "the age is not plausible", age < 18 ? "an age below 18" : "an age above 100, or none",
          "18…100, or empty when unknown")
      }
      report.require(
        row.profile.count == profileNames.count, "the profile has a wrong number of values",
        "\(row.profile.count)", "\(profileNames.count), missing ones as nil")
      report.require(
        row.profile.allSatisfy { $0?.isFinite ?? true }, "a profile value is not finite",
        "an infinity or not a number", "finite numbers, missing ones as nil")
      if report.isClean {
        met[person.id] = person.wave
        kept.append(row)
      }
      report.hand(to: &problems)
    }
    persons = kept
  }

  private mutating func checkPairs(
    _ people: [Int: SpeedDatingData.Person], _ problems: inout DataProblems
  ) {
    var ids: Set<Int> = []
    var couples: Set<[Int]> = []
    var evenings: [Int: (fold: Int, split: SpeedDatingData.TimeSplit)] = [:]
    var kept: [Row<SpeedDatingData.Pair>] = []
    for row in pairs {
      let pair = row.value
      var report = Report(file: files.pairs, line: row.line)
      report.require(
        pair.id >= 0 && !ids.contains(pair.id), "the pair's number is not new", "\(pair.id)",
        "a number from 0 that no other pair has")
      for (id, gender, side) in [
        (pair.woman, SpeedDatingData.Gender.woman, "woman"), (pair.man, .man, "man"),
      ] {
        guard let person = people[id] else {
          report.add("the \(side) of the pair is unknown", "\(id)", "a number in the persons")
          continue
        }
        report.require(
          person.gender == gender, "the \(side) of the pair is on the other side", "\(id)",
          "a \(side)'s number")
        report.require(
          person.wave == pair.wave, "the \(side) of the pair belongs to another evening",
          "evening \(person.wave)", "evening \(pair.wave)")
      }
      report.require(
        !couples.contains([pair.woman, pair.man]), "two people meet twice",
        "\(pair.woman) and \(pair.man) again", "one pair per woman and man")
      report.requireFolds([pair.foldWave, pair.foldPair])
      let evening = evenings[pair.wave] ?? (pair.foldWave, pair.timeSplit)
      report.require(
        evening == (pair.foldWave, pair.timeSplit), "an evening is cut by a split",
        "another wave fold or time split than before", "one of each per evening")
      if report.isClean {
        ids.insert(pair.id)
        couples.insert([pair.woman, pair.man])
        evenings[pair.wave] = evening
        kept.append(row)
      }
      report.hand(to: &problems)
    }
    pairs = kept
  }

  private mutating func checkDecisions(_ problems: inout DataProblems) {
    let pairOfID = Dictionary(uniqueKeysWithValues: pairs.map { ($0.value.id, $0.value) })
    var met: Set<[Int]> = []
    var orders: Set<[Int]> = []
    var kept: [Row<SpeedDatingData.Decision>] = []
    for row in decisions {
      let decision = row.value
      var report = Report(file: files.decisions, line: row.line)
      if let pair = pairOfID[decision.pairID] {
        check(decision, against: pair, &report)
      } else {
        report.add(
          "the pair of the decision is unknown", "\(decision.pairID)", "a number in the pairs")
      }
      report.require(
        !met.contains([decision.rater, decision.target]), "a decision is listed twice",
        "\(decision.rater) about \(decision.target) again", "one decision per rater and target")
      report.require(
        decision.order >= 1 && !orders.contains([decision.rater, decision.order]),
        "the order of the date is not new", "\(decision.order)",
        "a number from 1 that no other date of the rater has")
      report.requireFolds([decision.foldDecision])
      if report.isClean {
        met.insert([decision.rater, decision.target])
        orders.insert([decision.rater, decision.order])
        kept.append(row)
      }
      report.hand(to: &problems)
    }
    decisions = kept
  }

  private func check(
    _ decision: SpeedDatingData.Decision, against pair: SpeedDatingData.Pair,
    _ report: inout Report
  ) {
    let byWoman = decision.raterGender == .woman
    let people = byWoman ? [pair.woman, pair.man] : [pair.man, pair.woman]
    report.require(
      [decision.rater, decision.target] == people,
      "the people or the side of the decision are not those of its pair",
      "\(decision.rater) about \(decision.target)", "\(people[0]) about \(people[1])")
    report.require(
      decision.wave == pair.wave, "the decision belongs to another evening than its pair",
      "\(decision.wave)", "\(pair.wave)")
    report.require(
      decision.decision == (byWoman ? pair.womanDecision : pair.manDecision),
      "the decision is not the one of its pair", "the other answer", "the same answer in both")
    report.require(
      decision.foldPair == pair.foldPair && decision.foldWave == pair.foldWave,
      "the folds of the decision are not those of its pair",
      "\(decision.foldPair) and \(decision.foldWave)", "\(pair.foldPair) and \(pair.foldWave)")
  }

  private mutating func checkBothDecisions(_ problems: inout DataProblems) {
    let counts = Dictionary(decisions.map { ($0.value.pairID, 1) }, uniquingKeysWith: +)
    for row in pairs where counts[row.value.id] != 2 {
      var report = Report(file: files.pairs, line: row.line)
      report.add(
        "a decision of the pair is missing", "\(counts[row.value.id] ?? 0) usable decisions",
        "both decisions of every pair")
      report.hand(to: &problems)
    }
    pairs.removeAll { counts[$0.value.id] != 2 }
    decisions.removeAll { counts[$0.value.pairID] != 2 }
  }
}

/// The faults of one row.
private struct Report {
  let file: String
  let line: Int?
  private var found: [DataProblem] = []

  init(file: String, line: Int?) {
    self.file = file
    self.line = line
  }

  var isClean: Bool { found.isEmpty }

  mutating func add(_ reason: String, _ value: String, _ allowed: String) {
    found.append(
      DataProblem(file: file, line: line, reason: reason, found: value, allowed: allowed))
  }

  mutating func require(
    _ holds: Bool, _ reason: String, _ value: @autoclosure () -> String, _ allowed: String
  ) {
    if !holds { add(reason, value(), allowed) }
  }

  mutating func requireFolds(_ folds: [Int]) {
    require(
      folds.allSatisfy { SpeedDatingDraft.foldRange.contains($0) }, "a fold is out of range",
      folds.map(String.init).joined(separator: " and "), "0…999")
  }

  func hand(to problems: inout DataProblems) {
    for problem in found { problems.add(problem) }
  }
}
