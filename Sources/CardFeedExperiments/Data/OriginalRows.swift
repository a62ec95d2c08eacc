/// The rows of the published file, collected until both directions of each meeting are known.
struct OriginalRows {
  private struct Side {
    let line: Int
    let wave: Int
    let raterGender: SpeedDatingData.Gender
    let decision: Bool
    let partnerDecision: Bool
    let order: Int
  }

  var draft: SpeedDatingDraft
  var problems = DataProblems()
  var checksum: (file: String, sha256: String)
  private var omitted: [DataProblem] = []
  private var rowOfPerson: [Int: Int] = [:]
  private var sides: [[Int]: Side] = [:]

  init(path: String, profileNames: [String]) {
    draft = SpeedDatingDraft(profileNames: profileNames)
    draft.files = .init(persons: path, decisions: path, pairs: path)
    checksum = (path, "")
  }

  /// Takes one row; what is wrong with it is noted in `fields`.
  mutating func take(_ fields: inout CSVFields, profile: [Double?]) {
    let person = SpeedDatingData.Person(
      id: fields.integer("iid", in: SpeedDatingDraft.idRange),
      wave: fields.integer("wave", in: 1...Int.max), gender: fields.gender("gender"),
      age: fields.number("age"))
    if fields.text("pid").isEmpty {
      omitted.append(
        DataProblem(
          file: fields.header.file, line: fields.row.line, columnName: "pid",
          reason: "the row has no partner and is left out", found: "nothing",
          allowed: "the partner's number"))
      return
    }
    let side = Side(
      line: fields.row.line, wave: person.wave, raterGender: person.gender,
      decision: fields.flag("dec"), partnerDecision: fields.flag("dec_o"),
      order: fields.integer("order", in: 1...Int.max))
    let target = fields.integer("pid", in: SpeedDatingDraft.idRange)
    let match = fields.flag("match")
    guard fields.problems.isEmpty else { return }
    if match != (side.decision && side.partnerDecision) {
      fields.note(
        "match", "the match does not follow from the decisions", "the other value",
        "1 when both said yes, else 0")
    }
    if sides[[person.id, target]] != nil {
      fields.note(
        "pid", "a meeting is listed twice", "\(person.id) and \(target) again",
        "one row per rater and partner")
    }
    takePerson(person, profile, &fields)
    if fields.problems.isEmpty { sides[[person.id, target]] = side }
  }

  private mutating func takePerson(
    _ person: SpeedDatingData.Person, _ profile: [Double?], _ fields: inout CSVFields
  ) {
    guard let row = rowOfPerson[person.id] else {
      rowOfPerson[person.id] = draft.persons.count
      draft.persons.append(.init(value: person, line: fields.row.line, profile: profile))
      return
    }
    let known = draft.persons[row]
    if known.value != person || known.profile != profile {
      fields.note(
        "iid", "the person's evening, side, age or profile is not the same as before",
        "another value than in line \(known.line ?? 0)", "the same values in all rows of a person")
    }
  }

  /// The meetings that both people report alike; the others become problems.
  mutating func meetings() -> DatingMeetings {
    var meetings: [DatingMeetings.Meeting] = []
    for (key, side) in sides.sorted(by: { $0.value.line < $1.value.line }) {
      guard let mirror = sides[[key[1], key[0]]], mirror.raterGender != side.raterGender,
        mirror.wave == side.wave, mirror.decision == side.partnerDecision,
        mirror.partnerDecision == side.decision
      else {
        problems.add(
          DataProblem(
            file: checksum.file, line: side.line, reason: "the two rows of a meeting do not agree",
            found: "no row of the partner, or one with another evening, side or decision",
            allowed: "one row each, alike"))
        continue
      }
      if side.raterGender == .woman {
        meetings.append(
          .init(
            wave: side.wave, woman: key[0], man: key[1], womanDecision: side.decision,
            manDecision: mirror.decision, womanOrder: side.order, manOrder: mirror.order))
      }
    }
    return DatingMeetings(meetings)
  }

  /// The checked data set.
  func reading(strict: Bool) throws(DataProblems) -> SpeedDatingReading {
    var problems = problems
    let data = draft.checked(&problems)
    guard problems.isEmpty || !strict else { throw problems }
    return SpeedDatingReading(
      data: data, problems: problems, omitted: omitted, fileChecksums: [checksum])
  }
}
