import CardFeedExperiments
import Testing

@Suite("Generated evenings")
struct GeneratedDatingTests {
  private func make(
    seed: UInt64, _ change: (inout GeneratedDating.Parameters) -> Void = { _ in }
  ) throws -> GeneratedDating {
    var generator = TestSplitMix64(seed: seed)
    var parameters = GeneratedDating.Parameters()
    change(&parameters)
    return try GeneratedDating(parameters, using: &generator)
  }

  @Test("a seed gives the same data for ever")
  func golden() throws {
    let made = try make(seed: 1)
    #expect(try make(seed: 1) == made)
    #expect(
      made.data.checksum == "24514a7d1c980f994aced66e7f5bd35072a3b9c99669744ce2811f89e3a66f09")
    #expect(try make(seed: 2).data.checksum != made.data.checksum)
  }

  @Test("the default population resembles the Columbia evenings")
  func rates() throws {
    var yes = 0.0
    var matches = 0.0
    for seed in 1...8 {
      let summary = try make(seed: UInt64(seed)).data.describe()
      yes += try #require(summary.yesRate) / 8
      matches += try #require(summary.matchRate) / 8
    }
    #expect(abs(yes - 0.42) < 0.02)
    #expect(abs(matches - 0.16) < 0.02)
  }

  @Test("sizes, sides, ages and orders are what the parameters say")
  func structure() throws {
    let data = try make(seed: 3) {
      $0.waves = 3
      $0.womenPerWave = 4
      $0.menPerWave = 6
      $0.missingShare = 0
    }.data
    let summary = data.describe()
    #expect(summary.waves.map(\.women) == [4, 4, 4])
    #expect(summary.waves.map(\.men) == [6, 6, 6])
    #expect(summary.pairs == 72 && summary.decisions == 144)
    #expect(summary.missing.allSatisfy { $0.count == 0 })
    let ages = try #require(summary.ages)
    #expect(ages.lowerBound >= 20 && ages.upperBound <= 40)
    for person in data.persons {
      let orders = data.decisions.filter { $0.rater == person.id }.map(\.order)
      #expect(Set(orders).count == (person.gender == .woman ? 6 : 4))
      #expect(orders.allSatisfy { (1...6).contains($0) })
    }
  }

  @Test("folds: evenings whole and balanced, pairs and decisions spread in each evening")
  func folds() throws {
    let data = try make(seed: 4).data
    var sizes = [Int](repeating: 0, count: 5)
    for pair in data.pairs { sizes[pair.foldWave] += 1 }
    #expect(sizes.sorted() == [392, 392, 392, 588, 588])
    #expect(data.pairs.count { $0.timeSplit == .train } == 8 * 196)
    for wave in data.waves {
      let pairs = data.pairs.filter { $0.wave == wave }
      let counts = (0..<5).map { fold in pairs.count { $0.foldPair == fold } }
      #expect(counts == [40, 39, 39, 39, 39])
    }
  }

  @Test("fold rule: largest evening first, to the lightest fold")
  func waveFolds() {
    #expect(
      DatingFolds.waveFolds(sizes: [1: 10, 2: 50, 3: 40, 4: 30, 5: 20, 6: 10, 7: 5])
        == [2: 0, 3: 1, 4: 2, 5: 3, 1: 4, 6: 4, 7: 3])
    let split = DatingFolds.timeSplit(waves: [7, 3, 5])
    #expect(split == [3: .train, 5: .train, 7: .test])
    #expect(DatingFolds.timeSplit(waves: [4]) == [4: .train])
  }

  @Test("choosiness and desirability show in the answers, and reciprocity correlates likings")
  func model() throws {
    let made = try make(seed: 5) {
      $0.waves = 4
      $0.womenPerWave = 30
      $0.menPerWave = 30
    }
    let data = made.data
    var said: [Int: (yes: Double, count: Double)] = [:]
    var got: [Int: (yes: Double, count: Double)] = [:]
    for decision in data.decisions {
      let yes = decision.decision ? 1.0 : 0
      said[decision.rater, default: (0, 0)].yes += yes
      said[decision.rater, default: (0, 0)].count += 1
      got[decision.target, default: (0, 0)].yes += yes
      got[decision.target, default: (0, 0)].count += 1
    }
    func shares(_ counts: [Int: (yes: Double, count: Double)]) -> [Double] {
      data.persons.map { person in counts[person.id].map { $0.yes / $0.count } ?? -1 }
    }
    #expect(correlation(shares(said), made.choosiness) < -0.8)
    #expect(correlation(shares(got), made.desirability) > 0.8)
    #expect(correlation(made.choosiness, made.desirability) > 0.05)
    let forecasts = try ProbabilityForecasts(
      outcomes: data.decisions.map(\.decision), probabilities: made.yesProbabilities)
    #expect(try #require(forecasts.expectedCalibrationError()) < 0.02)
    #expect(try #require(forecasts.auc) > 0.8)
    let looks = try #require(data.profile("attr3_1")).map { $0 ?? 7.5 }
    let trace = correlation(looks, made.desirability)
    #expect(trace > 0.1 && trace < 0.6)
  }

  @Test("without any spread everybody says yes at the side's rate")
  func flat() throws {
    let made = try make(seed: 6) {
      $0.choosinessSD = 0
      $0.desirabilitySD = 0
      $0.relationshipSD = 0
      $0.similarityWeight = 0
      $0.ageWeight = 0
    }
    let women = zip(made.data.decisions, made.yesProbabilities).filter {
      $0.0.raterGender == .woman
    }
    #expect(women.allSatisfy { abs($0.1 - 0.365) < 1e-12 })
  }

  @Test("parameters that are not allowed are all reported")
  func parameters() throws {
    let error = #expect(throws: GeneratedDating.ParameterError.self) {
      try make(seed: 1) {
        $0.waves = 0
        $0.correlation = 2
        $0.missingShare = .nan
      }
    }
    #expect(
      error?.faults == [
        "waves is 0; allowed: 1…9999", "correlation is 2.0; allowed: -1.0…1.0",
        "missingShare is nan; allowed: 0.0…1.0",
      ])
    let many = #expect(throws: GeneratedDating.ParameterError.self) {
      try make(seed: 1) { $0.waves = 1000 }
    }
    #expect(
      many?.description
        == "waves × (womenPerWave + menPerWave) is 28000 people; allowed: at most 9999")
  }

  private func correlation(_ x: [Double], _ y: [Double]) -> Double {
    let count = Double(x.count)
    let meanX = x.reduce(0, +) / count
    let meanY = y.reduce(0, +) / count
    let products = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }.reduce(0, +)
    let squaresX = x.map { ($0 - meanX) * ($0 - meanX) }.reduce(0, +)
    let squaresY = y.map { ($0 - meanY) * ($0 - meanY) }.reduce(0, +)
    return products / (squaresX * squaresY).squareRoot()
  }
}
