import Foundation
import Testing

@testable import CardFeedOnlineLearning

/// FTRL-proximal against the algorithm as the paper prints it, with dictionaries instead of a
/// table.
@Suite struct FTRLProximalTests {
  private struct Printed {
    let settings: FTRLProximal.Settings
    var z: [UInt32: Double] = [:]
    var n: [UInt32: Double] = [:]

    func weight(_ feature: UInt32) -> Double {
      let z = z[feature, default: 0]
      guard abs(z) > settings.lambda1 else { return 0 }
      let sign = z < 0 ? -1.0 : 1
      return -1
        / ((settings.beta + sqrt(n[feature, default: 0])) / settings.alpha + settings.lambda2)
        * (z - sign * settings.lambda1)
    }

    mutating func learn(_ features: [UInt32], _ values: [Float], _ outcome: Bool) -> Double {
      let weights = features.map(weight)
      let p = 1 / (1 + exp(-zip(weights, values).reduce(0) { $0 + $1.0 * Double($1.1) }))
      for ((feature, w), value) in zip(zip(features, weights), values) {
        let g = (p - (outcome ? 1 : 0)) * Double(value)
        let old = n[feature, default: 0]
        let sigma = (sqrt(old + g * g) - sqrt(old)) / settings.alpha
        z[feature, default: 0] += g - sigma * w
        n[feature] = old + g * g
      }
      return p
    }
  }

  private func rows(_ count: Int) -> [(features: [UInt32], outcome: Bool)] {
    var draws = Draws(7)
    return (0..<count).map { _ in
      let features = Set((0..<5).map { _ in UInt32(draws.next() % 64) }).sorted()
      let sum = features.reduce(0.0) { $0 + ($1 % 3 == 0 ? 1 : -0.6) }
      return (features, draws.share() < 1 / (1 + exp(-sum)))
    }
  }

  @Test(arguments: [
    FTRLProximal.Settings(), .init(alpha: 0.3, beta: 0.5, lambda1: 0, lambda2: 0),
    .init(alpha: 0.1, beta: 0, lambda1: 2, lambda2: 1),
  ])
  func agreesWithThePrintedAlgorithm(settings: FTRLProximal.Settings) {
    var model = FTRLProximal(bits: 6, settings: settings)
    var printed = Printed(settings: settings)
    for row in rows(2000) {
      let asked = model.probability(of: row.features)
      let expected = printed.learn(
        row.features, Array(repeating: 1, count: row.features.count), row.outcome)
      #expect(abs(asked - expected) < 1e-10)
      #expect(model.learn(row.features, outcome: row.outcome) == asked)
    }
    for feature in 0..<UInt32(64) {
      #expect(abs(model.weight(of: feature) - printed.weight(feature)) < 1e-10)
    }
  }

  @Test func featuresMayBeThereInPart() {
    var model = FTRLProximal(bits: 6)
    var printed = Printed(settings: model.settings)
    var draws = Draws(12)
    for row in rows(1000) {
      let values = row.features.map { _ in Float(draws.share()) }
      let asked = model.learn(row.features, values: values, outcome: row.outcome)
      #expect(abs(asked - printed.learn(row.features, values, row.outcome)) < 1e-10)
    }
    #expect(FTRLProximal(bits: 3).probability(of: []) == 0.5)
  }

  @Test func learnsFromATableAsRowByRow() {
    let data = rows(500)
    var features: [UInt32] = []
    for row in data { features += (row.features + [0, 1, 2, 3, 4]).prefix(5) }
    let table = FeatureRows(width: 5, features: features)
    let order = Array((0..<500).reversed())
    var atOnce = FTRLProximal(bits: 6)
    atOnce.learn(table, outcomes: data.map(\.outcome), order: order)
    var oneByOne = FTRLProximal(bits: 6)
    for row in order {
      oneByOne.learn(Array(features[row * 5..<row * 5 + 5]), outcome: data[row].outcome)
    }
    #expect(atOnce == oneByOne)
    #expect(atOnce.probabilities(of: table)[17] == atOnce.probability(of: Array(features[85..<90])))
    #expect(atOnce.weightCount > 10)
  }

  @Test func incrementsAreWhatAStepAdds() {
    var model = FTRLProximal(bits: 6)
    var z = Array(repeating: 0.0, count: 64)
    var squares = z
    for row in rows(300) {
      for (feature, added) in zip(
        row.features,
        FTRLProximal.increments(
          weights: row.features.map { feature in
            FTRLProximal.weight(
              z: z[Int(feature)], squares: squares[Int(feature)], settings: model.settings)
          }, squares: row.features.map { squares[Int($0)] }, outcome: row.outcome,
          settings: model.settings))
      {
        z[Int(feature)] += added.z
        squares[Int(feature)] += added.squares
      }
      model.learn(row.features, outcome: row.outcome)
    }
    for feature in 0..<64 {
      let weight = FTRLProximal.weight(
        z: z[feature], squares: squares[feature], settings: model.settings)
      #expect(abs(weight - model.weight(of: UInt32(feature))) < 1e-9)
    }
  }

  @Test func strengthKeepsWeightsAtZero() {
    var model = FTRLProximal(bits: 6, settings: .init(lambda1: 1e6))
    for row in rows(300) { model.learn(row.features, outcome: row.outcome) }
    #expect(model.weightCount == 0)
    #expect(model.probability(of: [1, 2, 3]) == 0.5)
  }

  @Test func aFileHoldsTheModelToTheBit() throws {
    var model = FTRLProximal(bits: 6, settings: .init(alpha: 0.2, lambda1: 0.1))
    for row in rows(400) { model.learn(row.features, outcome: row.outcome) }
    let bytes = model.bytes
    #expect(try FTRLProximal(bytes: bytes) == model)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(throws: ModelImageError.self) { try FTRLProximal(bytes: damaged) }
    }
    for length in [0, 10, 30, bytes.count - 1] {
      #expect(throws: ModelImageError.self) { try FTRLProximal(bytes: Array(bytes[..<length])) }
    }
    var later = bytes
    later["CardFeed FTRL-proximal\n".utf8.count] = 2
    let error = #expect(throws: ModelImageError.self) { try FTRLProximal(bytes: later) }
    #expect(error?.description.contains("version 2") == true)
  }
}

@Suite struct FeatureRecipeTests {
  private let recipe = FeatureRecipe(
    columns: [
      .init(name: "n", bins: .edges([1, 5, 9])), .init(name: "kind", bins: .category),
      .init(name: "hidden", bins: .category, isAlone: false),
    ], crosses: [[0, 1], [1, 2]], bits: 20)

  private func features(_ row: [Double]) -> [UInt32] { recipe.features(of: row).features }

  @Test func betweenKnotsANumberBelongsToBoth() {
    let recipe = FeatureRecipe(
      columns: [
        .init(name: "x", bins: .knots([0, 2, 10])), .init(name: "kind", bins: .category),
        .init(name: "y", bins: .knots([0, 1]), isAlone: false),
      ], crosses: [[0, 1], [0, 2]], bits: 20)
    #expect(recipe.width == 1 + 2 + 1 + 2 + 4 && recipe.hasParts)
    let row = recipe.features(of: [4, 7, 0.25])
    #expect(row.values == [1, 0.75, 0.25, 1, 0.75, 0.25, 0.5625, 0.1875, 0.1875, 0.0625])
    // At a knot, and beyond the last one, a number is one knot's alone.
    #expect(recipe.features(of: [2, 7, 0]).values[1...2] == [0, 1])
    #expect(recipe.features(of: [99, 7, 0]).values[1...2] == [0, 1])
    #expect(recipe.features(of: [-9, 7, 0]).values[1...2] == [1, 0])
    #expect(recipe.features(of: [.nan, 7, 0]).values[1...2] == [1, 0])
    // From both sides of a knot it is the same feature.
    let below = recipe.features(of: [1.9, 7, 0]).features
    let above = recipe.features(of: [2.1, 7, 0]).features
    #expect(below[2] == above[1] && below[5] == above[4])
    #expect(Set(row.features).count == 10)
    let many = recipe.features(of: [[4, 7, 0.25], [1, 2, 3]])
    #expect(many == recipe.features(ofColumns: [[4, 1], [7, 2], [0.25, 3]]))
    #expect(many.values[..<10] == row.values[...])
  }

  @Test func binsEndAtTheirEdges() {
    #expect(recipe.width == 5 && !recipe.hasParts)
    let one = features([1, 4, 0])
    #expect(features([-7, 4, 0]) == one)
    #expect(features([1.0001, 4, 0])[1] != one[1])
    #expect(features([5, 4, 0])[1] == features([2, 4, 0])[1])
    #expect(features([9.5, 4, 0])[1] == features([1e9, 4, 0])[1])
    #expect(features([1, -0.0, 0]) == features([1, 0, 0]))
  }

  @Test func whatIsNotKnownIsNotZero() {
    let unknown = features([.nan, .nan, .nan])
    for number in [-1.0, 0, 1, 3, 100] {
      #expect(features([number, 4, 0])[1] != unknown[1])
      #expect(features([1, number, 0])[2] != unknown[2])
    }
  }

  @Test func crossesDependOnBothColumnsAndColumnsAreApart() {
    let base = features([1, 4, 2])
    #expect(features([2, 4, 2])[3] != base[3])
    #expect(features([1, 5, 2])[3] != base[3])
    #expect(features([1, 4, 3])[3] == base[3])
    #expect(features([1, 4, 3])[4] != base[4])
    #expect(Set(base).count == base.count)
    let swapped = features([1, 2, 4])
    #expect(swapped[4] != base[4])
  }

  @Test func codesSpreadEvenlyOverTheTable() {
    let small = FeatureRecipe(columns: [.init(name: "id", bins: .category)], bits: 4)
    var counts = Array(repeating: 0, count: 16)
    for id in 0..<16000 { counts[Int(small.features(of: [Double(id)]).features[1])] += 1 }
    // Five standard deviations about 1000.
    #expect(counts.allSatisfy { abs($0 - 1000) < 155 })
    let rows = small.features(of: [[1], [2]])
    #expect(rows.count == 2 && rows.width == 2)
    #expect(Array(rows.features[2...]) == small.features(of: [2]).features)
  }
}

@Suite struct FeatureRecipeTextTests {
  @Test func aDescriptionIsARecipe() throws {
    let recipe = try FeatureRecipe(
      columns: ["n: 1 2.5 9", "kind", " x ~ 0 10 "], features: ["n", "kind * x", "n*kind"], bits: 16
    )
    #expect(
      recipe
        == FeatureRecipe(
          columns: [
            .init(name: "n", bins: .edges([1, 2.5, 9])),
            .init(name: "kind", bins: .category, isAlone: false),
            .init(name: "x", bins: .knots([0, 10]), isAlone: false),
          ], crosses: [[1, 2], [0, 1]], bits: 16))
  }

  @Test(
    arguments: [
      (["n: 1 1"], ["n"], "the column \"n: 1 1\" has no ascending numbers behind \":\""),
      (["n: one"], ["n"], "has no ascending numbers"),
      (["n ~ 3"], ["n"], "two knots or more"),
      (["n", "n: 1"], ["n"], "the column \"n\" stands twice"),
      (["n", "m"], ["n"], "the column \"m\" stands in no feature"),
      (["n"], ["n", "n * k"], "the feature \"n * k\" is not made of different columns"),
      (["n"], ["n * n"], "is not made of different columns; the columns are \"n\""),
      ([""], [""], "is no column"),
      (["a * b"], ["a * b"], "is no column"),
    ] as [([String], [String], String)])
  func whatCannotBeReadIsNamed(columns: [String], features: [String], text: String) {
    let error = #expect(throws: FeatureRecipeError.self) {
      try FeatureRecipe(columns: columns, features: features, bits: 16)
    }
    #expect(error?.description.contains(text) == true)
  }
}
