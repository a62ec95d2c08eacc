import Testing

@testable import CardFeedPsychometrics

/// Models of what students know, against known truths and against each other, on students that no
/// model was fitted to.
@Suite struct KnowledgeModelTests {
  typealias Tracing = BayesianKnowledgeTracing

  @Test func beliefInASkillFollowsBayes() {
    let skill = Tracing.Skill(known: 0.4, learn: 0.1, forget: 0.05, guess: 0.2, slip: 0.1)
    #expect(abs(skill.probability(0.4) - (0.4 * 0.9 + 0.6 * 0.2)) < 1e-12)
    let right = 0.4 * 0.9 / (0.4 * 0.9 + 0.6 * 0.2)
    #expect(abs(skill.known(after: true, 0.4) - (right * 0.95 + (1 - right) * 0.1)) < 1e-12)
    let wrong = 0.4 * 0.1 / (0.4 * 0.1 + 0.6 * 0.8)
    #expect(abs(skill.known(after: false, 0.4) - (wrong * 0.95 + (1 - wrong) * 0.1)) < 1e-12)
  }

  @Test func aSkillIsFoundFromItsAnswers() {
    let truth = Tracing.Skill(known: 0.3, learn: 0.15, forget: 0.03, guess: 0.2, slip: 0.08)
    var simulation = SimulatedStudents(seed: 1)
    let students = simulation.tracing(truth, students: 1_500, answers: 20)
    let fit = Tracing(fitting: students, skillCount: 1, strength: 1, rounds: 80)
    let found = fit.skills[0]
    #expect(abs(found.known - truth.known) < 0.05)
    #expect(abs(found.learn - truth.learn) < 0.03)
    #expect(abs(found.forget - truth.forget) < 0.02)
    #expect(abs(found.guess - truth.guess) < 0.03)
    #expect(abs(found.slip - truth.slip) < 0.02)
    let asked = simulation.tracing(truth, students: 300, answers: 20)
    let exact = Tracing(skills: [truth], other: truth)
    #expect(fit.loss(of: asked) < exact.loss(of: asked) + 0.002)
  }

  @Test func whatWasNotFittedIsJudgedAsAllOthersAre() {
    var simulation = SimulatedStudents(seed: 2)
    let (students, _) = simulation.learning(30, answers: 30)
    let tracing = Tracing(fitting: students, skillCount: 6)
    let common = tracing.other.probability(tracing.other.known)
    #expect(abs(tracing.probability(tracing.initial, question: 9, skills: [99]) - common) < 1e-12)
    #expect(abs(tracing.probability(tracing.initial, question: 9, skills: []) - common) < 1e-12)
    let difficulties = QuestionDifficulties(fitting: students, questionCount: 50, skillCount: 6)
    #expect(difficulties.difficulty(of: 49, skills: [1]) == difficulties.skills[1])
    #expect(difficulties.difficulty(of: 1_000, skills: [77]) == difficulties.mean)
    #expect(difficulties.difficulty(of: -1, skills: []) == difficulties.mean)
    let filter = KnowledgeFilter(difficulties: difficulties)
    let ratings = KnowledgeRatings(fitting: students)
    let new = ratings.probability(ratings.initial, question: 1_000, skills: [77])
    #expect(abs(new - logistic(-ratings.mean)) < 1e-12)
    let other = ratings.probability(ratings.initial, question: 49, skills: [1])
    #expect(abs(other - logistic(-(ratings.skills[1] ?? 99))) < 1e-12)
    let unknown = filter.probability(filter.initial, question: 1_000, skills: [77])
    #expect(unknown > 0 && unknown < 1)
  }

  @Test func difficultiesAreFoundWhoeverAnswers() {
    var simulation = SimulatedStudents(seed: 3)
    let (students, _) = simulation.learning(400, answers: 40)
    let found = QuestionDifficulties(fitting: students, questionCount: 40, skillCount: 4).values
    // In steps of a tenth of the range the order is never wrong.
    for skill in 0..<4 {
      let own = stride(from: skill, to: 40, by: 4).map { found[$0] }
      for (easier, harder) in zip(own, own.dropFirst(2)) { #expect(easier < harder) }
      #expect(abs(own[9] - own[0] - 1.5 * 2 * 36 / 40) < 0.8)
    }
  }

  @Test func whatIsSureMovesLess() {
    let difficulties = QuestionDifficulties(fitting: [], questionCount: 0, skillCount: 0)
    let filter = KnowledgeFilter(
      difficulties: difficulties, drift: .init(ability: 1, abilityDrift: 0, skill: 0.5))
    var state = filter.initial
    var before = state.ability
    var last = Double.infinity
    for step in 0..<20 {
      filter.learn(&state, .init(question: 0, skills: [2], isRight: step % 2 == 0))
      let moved = (state.ability.mean - before.mean).magnitude
      #expect(moved > 0 && moved < last * 1.5)
      #expect(state.ability.variance < before.variance)
      #expect(state.skills[2].map { $0.variance <= 0.5 } == true)
      last = moved
      before = state.ability
    }
    #expect(state.skills.count == 1)
    #expect(abs(state.ability.mean) < 0.5)
  }

  @Test func unseenStudentsArePredictedNearlyAsWellAsTheTruthAllows() {
    var simulation = SimulatedStudents(seed: 4)
    let (students, _) = simulation.learning(120, answers: 40)
    let (unseen, truth) = simulation.learning(80, answers: 40)
    let blend = KnowledgeBlend(fitting: students, questionCount: 40, skillCount: 4)
    let best = loss(unseen, truth)
    let share =
      Double(students.joined().count { $0.isRight }) / Double(students.joined().count)
    let constant = loss(unseen, unseen.map { $0.map { _ in share } })
    let filter = blend.logistic.filter.loss(of: unseen)
    let logistic = blend.logistic.loss(of: unseen)
    let blended = blend.loss(of: unseen)
    // The truth knows abilities beforehand, which takes answers to find out.
    #expect(blended < best + 0.5 * (constant - best), "\(best) \(blended) \(constant)")
    #expect(logistic < filter + 0.003)
    #expect(blended < min(logistic, blend.tracing.loss(of: unseen)) + 0.002)
    #expect(blend.tracing.loss(of: unseen) < constant)
    let rated = blend.ratings.loss(of: unseen)
    #expect(rated < constant && blended < rated + 0.002)
    #expect(blend.weights.count == 5)
    // Calibrated: as many right as were expected.
    let expected = unseen.map { blend.probabilities(of: $0).reduce(0, +) }.reduce(0, +)
    let found = Double(unseen.joined().count { $0.isRight })
    #expect(abs(expected - found) / Double(unseen.joined().count) < 0.02)
  }

  /// A prediction may depend on earlier answers only.
  @Test func laterAnswersChangeNothing() {
    var simulation = SimulatedStudents(seed: 5)
    let (students, _) = simulation.learning(30, answers: 30)
    let blend = KnowledgeBlend(fitting: students, questionCount: 40, skillCount: 4)
    let history = students[0]
    var other = history
    for index in 15..<30 { other[index].isRight.toggle() }
    let first = blend.probabilities(of: history)
    let second = blend.probabilities(of: other)
    #expect(first.prefix(16) == second.prefix(16))
    #expect(first != second)
    #expect(first == blend.probabilities(of: history))
  }

  @Test func aFitCanBeStopped() {
    struct Stop: Error {}
    var simulation = SimulatedStudents(seed: 6)
    let (students, _) = simulation.learning(10, answers: 10)
    var shares: [Double] = []
    #expect(throws: Stop.self) {
      try KnowledgeBlend(fitting: students, questionCount: 40, skillCount: 4) { share in
        shares.append(share)
        if share > 0.5 { throw Stop() }
      }
    }
    #expect(shares.count > 5)
    #expect(shares == shares.sorted())
  }

  @Test func weightsAreWhereTheSlopeIsZero() {
    var draws = PsychometricsTests.Draws(8)
    var fit = LogisticFit(width: 3)
    var rows: [[Double]] = []
    var rights: [Bool] = []
    for _ in 0..<500 {
      let row = [1, draws.normal(), draws.share() < 0.3 ? 0 : draws.normal()]
      let isRight = draws.share() < logistic(0.4 + 0.9 * row[1] - 1.2 * row[2])
      fit.append(row, isRight)
      // As the fit stores them.
      rows.append(row.map { Double(Float($0)) })
      rights.append(isRight)
    }
    let precision = [0, 2.0, 5]
    let center = [0, 0, -1.0]
    let weights = fit.weights(precision: precision, center: center) { _ in }
    var slope = (0..<3).map { precision[$0] * (center[$0] - weights[$0]) }
    for (row, isRight) in zip(rows, rights) {
      let z = zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 }
      for index in 0..<3 { slope[index] += ((isRight ? 1 : 0) - logistic(z)) * row[index] }
    }
    for value in slope { #expect(abs(value) < 1e-3) }
    let solution = solved([4, 0, 0, 2, 5, 0, 1, 3, 6], [1, 2, 3])
    // The system of the lower triangle, read as symmetric.
    let matrix = [[4.0, 2, 1], [2, 5, 3], [1, 3, 6]]
    for (line, right) in zip(matrix, [1.0, 2, 3]) {
      #expect(abs(zip(line, solution).reduce(0) { $0 + $1.0 * $1.1 } - right) < 1e-12)
    }
  }
}

/// How often questions of an adaptive test are given.
@Suite struct ExposureControlTests {
  private let bank = (0..<24).map { index in
    ItemParameters(
      difficulty: Double(index % 6) / 2 - 1.25, discrimination: 0.6 + Double(index) / 16)
  }

  private func exposures(_ control: ExposureControl, length: Int) -> [Double] {
    var draws = PsychometricsTests.Draws(77)
    var counts = Array(repeating: 0.0, count: bank.count)
    for _ in 0..<300 {
      let ability = draws.normal()
      var session = ExposureControl.Session()
      var answers: [(item: ItemParameters, isRight: Bool)] = []
      for _ in 0..<length {
        let estimate = AbilityEstimator.expected.estimate(answers).ability
        let next = control.next(in: bank, ability: estimate, session: &session) { draws.share() }
        guard let next else { break }
        counts[next] += 1
        answers.append((bank[next], draws.share() < bank[next].probability(at: ability)))
      }
      #expect(session.given.count == length)
      #expect(session.given.isDisjoint(with: session.passedOver))
    }
    return counts.map { $0 / 300 }
  }

  @Test func noQuestionIsGivenToMoreThanTheAllowedShare() {
    let free = ExposureControl(bank: bank, length: 6, target: 1, people: 100, rounds: 2)
    #expect(free.probabilities.allSatisfy { $0 == 1 })
    #expect(exposures(free, length: 6).contains { $0 > 0.85 })
    let bounded = ExposureControl(bank: bank, length: 6, target: 0.4, people: 300, rounds: 10)
    #expect(bounded.probabilities.contains { $0 < 1 })
    #expect(exposures(bounded, length: 6).allSatisfy { $0 < 0.52 })
  }

  @Test func allQuestionsAreGivenInTheEnd() {
    let control = ExposureControl(bank: bank, length: 6, target: 0.4, people: 100, rounds: 3)
    var session = ExposureControl.Session()
    var given: [Int] = []
    while let next = control.next(in: bank, ability: 0, session: &session, draw: { 0.999 }) {
      given.append(next)
    }
    #expect(given.sorted() == Array(bank.indices))
  }
}
