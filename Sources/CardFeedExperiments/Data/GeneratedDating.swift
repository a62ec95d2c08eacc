/// Speed-dating evenings of invented people, for tests, demonstrations and experiments whose truth is
/// known.
///
/// Social Relations Model (Kenny & La Voie 1984) in log odds. A person has a choosiness c and a
/// desirability d, bivariate normal. Rater i says yes to target j with probability
/// logistic(μ − cᵢ + dⱼ + aᵢⱼ + rᵢⱼ): μ belongs to the rater's side, a is the likeness of interests
/// and age, r belongs to the two alone and is correlated with rⱼᵢ. Profile columns carry weak traces
/// of c, d and the interests; names and ranges are those of the Columbia data, race and income left
/// out. Ages are whole years 20…40.
///
/// The same bits from the generator give the same data, bit for bit on every machine: only additions,
/// multiplications, divisions and square roots are used, and draws are made by written-down methods
/// in a fixed order. Not a substitute for real data: it contains what the model says and nothing else.
public struct GeneratedDating: Equatable, Sendable {
  /// The evenings, with folds as ``DatingFolds`` says.
  public let data: SpeedDatingData
  /// True choosiness in log odds, one per person in the order of the data's persons.
  public let choosiness: [Double]
  /// True desirability in log odds, one per person in the order of the data's persons.
  public let desirability: [Double]
  /// True probability of a yes, one per decision in the order of the data's decisions.
  public let yesProbabilities: [Double]

  /// Invents evenings.
  ///
  /// - Parameters:
  ///   - parameters: what the population is like.
  ///   - generator: source of all randomness.
  /// - Throws: ``ParameterError`` with every parameter that is not allowed.
  /// - Complexity: O(n log n) in the number of decisions.
  public init<Generator: RandomNumberGenerator>(
    _ parameters: Parameters = Parameters(), using generator: inout Generator
  ) throws(ParameterError) {
    let faults = parameters.faults
    guard faults.isEmpty else { throw ParameterError(faults: faults) }
    var people: [InventedPerson] = []
    var meetings: [DatingMeetings.Meeting] = []
    var probabilities: [(wave: Int, rater: Int, target: Int, yes: Double)] = []
    for wave in 1...parameters.waves {
      let first = people.count + 1
      for place in 0..<parameters.womenPerWave + parameters.menPerWave {
        people.append(
          InventedPerson(
            id: first + place, wave: wave, gender: place < parameters.womenPerWave ? .woman : .man,
            parameters, &generator))
      }
      let members = people[(first - 1)...]
      let schedule = DatingSchedule(
        women: parameters.womenPerWave, men: parameters.menPerWave, &generator)
      for (row, woman) in members.prefix(parameters.womenPerWave).enumerated() {
        for (column, man) in members.dropFirst(parameters.womenPerWave).enumerated() {
          let meeting = InventedMeeting(woman, man, parameters, &generator)
          let order = schedule.order(woman: row, man: column)
          meetings.append(
            .init(
              wave: wave, woman: woman.id, man: man.id, womanDecision: meeting.womanDecision,
              manDecision: meeting.manDecision, womanOrder: order, manOrder: order))
          probabilities.append((wave, woman.id, man.id, meeting.womanProbability))
          probabilities.append((wave, man.id, woman.id, meeting.manProbability))
        }
      }
    }
    var draft = SpeedDatingDraft(profileNames: InventedPerson.profileNames)
    draft.persons = people.map {
      let person = SpeedDatingData.Person(
        id: $0.id, wave: $0.wave, gender: $0.gender, age: $0.knownAge)
      return .init(value: person, line: nil, profile: $0.profile)
    }
    let sorted = DatingMeetings(meetings)
    sorted.add(to: &draft, folds: sorted.drawFolds(using: &generator))
    var problems = DataProblems()
    data = draft.checked(&problems)
    precondition(problems.isEmpty, "generated evenings are whole: report this as a defect")
    choosiness = people.map(\.choosiness)
    desirability = people.map(\.desirability)
    yesProbabilities = probabilities.sorted {
      ($0.wave, $0.rater, $0.target) < ($1.wave, $1.rater, $1.target)
    }.map(\.yes)
  }
}

/// Who sits where: men move on by one seat per round, so that everybody meets everybody once.
private struct DatingSchedule {
  private let rounds: Int
  private let womenSeats: [Int]
  private let menSeats: [Int]

  init<Generator: RandomNumberGenerator>(women: Int, men: Int, _ generator: inout Generator) {
    rounds = max(women, men)
    var seats = Array(0..<rounds)
    generator.shuffle(&seats)
    womenSeats = seats
    generator.shuffle(&seats)
    menSeats = seats
  }

  /// Round, from 1, in which the two meet.
  func order(woman: Int, man: Int) -> Int {
    (menSeats[man] - womenSeats[woman] + rounds) % rounds + 1
  }
}
