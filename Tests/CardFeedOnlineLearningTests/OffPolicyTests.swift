import Foundation
import Testing

@testable import CardFeedOnlineLearning

@Suite struct OffPolicyTests {
  private let log: OffPolicyLog

  init() throws {
    log = try OffPolicyLog(
      rewards: [1, 0, 1, 0], propensities: [0.5, 0.5, 0.25, 0.1], targets: [1, 0, 0.5, 0.5],
      predictions: [0.6, 0.2, 0.5, 0.1], expectations: [0.5, 0.3, 0.4, 0.2])
  }

  private func value(_ estimator: OffPolicyEstimator) throws -> Double {
    try estimator.estimate(from: log, least: 0).value
  }

  private func near(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-12 }

  @Test func byHand() throws {
    // Weights 2, 0, 2, 5.
    let ips = try value(.inversePropensity)
    #expect(ips == 1)
    #expect(try near(value(.selfNormalised), 4.0 / 9))
    #expect(try near(value(.directMethod), 0.35))
    // 0.5 + 0.8, 0.3, 0.4 + 1, 0.2 − 0.5.
    #expect(try near(value(.doublyRobust), 2.7 / 4))
    #expect(try near(value(.clipped(most: 2)), 3.0 / 4))
    #expect(abs(log.effectiveSampleSize - 81.0 / 33) < 1e-12)
  }

  @Test func aHandfulOfRowsIsRefused() throws {
    let error = #expect(throws: OffPolicyError.self) {
      try OffPolicyEstimator.doublyRobust.estimate(from: log)
    }
    #expect(error == .tooFew(effectiveSampleSize: log.effectiveSampleSize, least: 50))
    #expect(error?.description.contains("worth 2 choices") == true)
    let asked = try OffPolicyEstimator.selfNormalised.estimate(from: log, least: 0)
    #expect(asked.warning?.contains("50 are needed") == true)
    #expect(asked.greatestWeight == 5)
    // The direct method does not weigh.
    let direct = try OffPolicyEstimator.directMethod.estimate(from: log)
    let asDirect = try value(.directMethod)
    #expect(direct.value == asDirect)
    let enough = try OffPolicyLog(
      rewards: Array(repeating: 1, count: 60), propensities: Array(repeating: 0.5, count: 60),
      targets: Array(repeating: 0.5, count: 60))
    let estimate = try OffPolicyEstimator.inversePropensity.estimate(from: enough)
    #expect(estimate.value == 1 && estimate.warning == nil)
    #expect(throws: OffPolicyError.noModel(.doublyRobust)) {
      try OffPolicyEstimator.doublyRobust.estimate(from: enough)
    }
  }

  @Test func impossibleColumnsAreNamed() {
    #expect(throws: OffPolicyError.columns) {
      try OffPolicyLog(rewards: [1], propensities: [], targets: [1])
    }
    #expect(throws: OffPolicyError.columns) {
      try OffPolicyLog(rewards: [1], propensities: [1], targets: [1], predictions: [0])
    }
    for propensity in [0, -0.1, 1.1, .nan] {
      #expect(throws: OffPolicyError.propensity(row: 1)) {
        try OffPolicyLog(rewards: [1, 1], propensities: [1, propensity], targets: [1, 1])
      }
    }
    #expect(throws: OffPolicyError.target(row: 0)) {
      try OffPolicyLog(rewards: [1], propensities: [1], targets: [1.5])
    }
    #expect(throws: OffPolicyError.number(row: 0)) {
      try OffPolicyLog(rewards: [.infinity], propensities: [1], targets: [1])
    }
  }

  @Test func nothingInCommonIsNoEstimate() throws {
    let apart = try OffPolicyLog(rewards: [1, 1], propensities: [1, 1], targets: [0, 0])
    #expect(apart.effectiveSampleSize == 0)
    #expect(OffPolicyEstimator.selfNormalised.value(of: apart, rows: 0..<2) == nil)
  }

  // MARK: Against figures computed elsewhere

  static let shared: String? = {
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared").standardized.path
    let path = ProcessInfo.processInfo.environment["CARDFEED_SHARED"] ?? beside
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  private static func numbers<Number: BitwiseCopyable>(
    _ file: String, as type: Number.Type
  ) throws -> [Number] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    return bytes.withUnsafeBytes { raw in
      (0..<(raw.count - start) / MemoryLayout<Number>.size).map {
        raw.loadUnaligned(fromByteOffset: start + $0 * MemoryLayout<Number>.size, as: type)
      }
    }
  }

  /// Rates of arms, smoothed with 100 rounds of the mean, from the rows of the other parity.
  private static func rates(_ arms: [Int], _ rewards: [Double], count: Int) -> [[Double]] {
    (0..<2).map { fold in
      let rows = arms.indices.filter { $0 % 2 != fold }
      let mean = rows.reduce(0) { $0 + rewards[$1] } / Double(rows.count)
      var (rounds, sums) = (
        Array(repeating: 0.0, count: count), Array(repeating: 0.0, count: count)
      )
      for row in rows {
        rounds[arms[row]] += 1
        sums[arms[row]] += rewards[row]
      }
      return (0..<count).map { (sums[$0] + 100 * mean) / (rounds[$0] + 100) }
    }
  }

  @Test(
    .enabled(if: shared != nil, "skipped: no ../shared"),
    arguments: [
      (
        0,
        [
          0.5210795078000748, 0.565698859824558, 0.2549606173104293, 0.5443922134558762,
          0.47824338842337694, 219.69825631923104,
        ]
      ),
      (
        1,
        [
          0.6072468662026151, 0.5338600886249778, 0.19983437785195368, 0.5772981547984563,
          0.39347263332119886, 135.0654324232798,
        ]
      ),
      (
        4,
        [
          0.43356249759579896, 0.438978855996712, 0.23892086019563943, 0.4440047498769768,
          0.3754453187518199, 217.4197491009815,
        ]
      ),
    ])
  func agreesOnRecordedTapes(world: Int, expected: [Double]) throws {
    let folder = try #require(Self.shared) + "/data/product/tapes/ope_synth_\(world)/"
    let arms = try Self.numbers(folder + "a.npy", as: Int16.self).map(Int.init)
    let rewards = try Self.numbers(folder + "r.npy", as: Int8.self).map(Double.init)
    let logged = try Self.numbers(folder + "pb.npy", as: Double.self)
    let other = try Self.numbers(folder + "pe.npy", as: Double.self)
    let rates = Self.rates(arms, rewards, count: 10)
    let log = try OffPolicyLog(
      rewards: rewards, propensities: arms.indices.map { logged[$0 * 10 + arms[$0]] },
      targets: arms.indices.map { other[$0 * 10 + arms[$0]] },
      predictions: arms.indices.map { rates[$0 % 2][arms[$0]] },
      expectations: arms.indices.map { row in
        (0..<10).reduce(0) { $0 + other[row * 10 + $1] * rates[row % 2][$1] }
      })
    let estimators: [OffPolicyEstimator] = [
      .inversePropensity, .selfNormalised, .directMethod, .doublyRobust, .clipped(most: 20),
    ]
    for (estimator, figure) in zip(estimators, expected) {
      let value = try estimator.estimate(from: log).value
      #expect(abs(value - figure) < 1e-9)
    }
    #expect(abs(log.effectiveSampleSize - expected[5]) < 1e-9)
  }

  /// A table of numbers with a header, and texts among them that are no numbers.
  private static func table(_ path: String) throws -> [String: [Double]] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: ",") }
    let names = try #require(lines.first)
    var columns: [String: [Double]] = [:]
    for (index, name) in names.enumerated() {
      columns[String(name)] = lines.dropFirst().map { Double($0[index]) ?? .nan }
    }
    return columns
  }

  private static let hasLogs =
    shared.map {
      FileManager.default.fileExists(atPath: $0 + "/data/product/open_bandit/bts_women.csv")
    } ?? false

  /// Logs of the Open Bandit data, as `datasets/get open-bandit` divides them.
  @Test(
    .enabled(if: hasLogs, "skipped: no ../shared"), arguments: ["all", "men", "women"],
    [true, false])
  func agreesOnRecordedLogs(campaign: String, isFromRandom: Bool) throws {
    let root = try #require(Self.shared)
    let logged = isFromRandom ? "random" : "bts"
    let log = try Self.table("\(root)/data/product/open_bandit/\(logged)_\(campaign).csv")
    let shares = try Self.table(
      "\(root)/data/product/tapes/obd_\(campaign)_bts_action_dist.csv")
    let target = (1...3).map { shares["pos\($0)"] ?? [] }
    let count = target[0].count
    let arms = (log["item"] ?? []).map { Int($0) }
    let places = (log["position"] ?? []).map { Int($0) - 1 }
    let clicks = log["click"] ?? []
    let rates = Self.rates(arms, clicks, count: count)
    // The mean by a model is over shares that add up to 1; weights are over shares as they are.
    let mean = target.map { shares in
      (0..<2).map { fold in
        isFromRandom
          ? zip(shares, rates[fold]).reduce(0) { $0 + $1.0 * $1.1 } / shares.reduce(0, +)
          : rates[fold].reduce(0, +) / Double(count)
      }
    }
    let table = try OffPolicyLog(
      rewards: clicks, propensities: log["propensity"] ?? [],
      targets: arms.indices.map {
        isFromRandom ? target[places[$0]][arms[$0]] : 1 / Double(count)
      },
      predictions: arms.indices.map { rates[$0 % 2][arms[$0]] },
      expectations: arms.indices.map { mean[places[$0]][$0 % 2] })
    let name = "\(campaign):\(logged)->\(isFromRandom ? "bts" : "random")"
    let known = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: root + "/reference/product/ope.json")))
    let recorded = try #require((known as? [String: Any])?[name] as? [String: Any])
    for estimator in [
      OffPolicyEstimator.inversePropensity, .selfNormalised, .directMethod, .doublyRobust,
    ] {
      let figure = try #require(
        (recorded[estimator.name] as? [String: Any])?["est"] as? Double)
      let own = try estimator.estimate(from: table, least: 0)
      #expect(abs(own.value - figure) < 1e-9)
    }
    let size = try #require(recorded["ess"] as? Double)
    #expect(abs(table.effectiveSampleSize - size) < 1e-6)
    if size < 50 {
      #expect(throws: OffPolicyError.self) {
        try OffPolicyEstimator.doublyRobust.estimate(from: table)
      }
    }
  }
}
