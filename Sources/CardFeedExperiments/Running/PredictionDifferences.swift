internal import CardFeed

/// Predictions made elsewhere for the same cases, to be compared with.
public struct ReferencePredictions: Sendable, Equatable {
  /// The name in tables.
  public let name: String
  /// The probability of each case of the split; nil where the file has none.
  let probabilities: [Double?]
}

/// Paired differences between predictions of the same cases, over evenings drawn for both at once.
struct PredictionDifferences {
  /// Somebody's probability for each case.
  struct Side {
    let name: String
    let probabilities: [Double]

    /// Nil when a case has no probability.
    init?(_ name: String, _ probabilities: [Double?]) {
      let known = probabilities.compactMap { $0 }
      guard known.count == probabilities.count, !known.isEmpty else { return nil }
      self.name = name
      self.probabilities = known
    }
  }

  let split: PredictionSplit
  let resamples: Int
  let seed: UInt64

  /// The difference in log loss and in AUC within evenings, one side minus the other.
  func differences(_ side: Side, against other: Side) -> [ExperimentResult.Difference] {
    [("log-loss", logLoss), ("within-wave-auc", withinWaveAUC)].compactMap { name, ratio in
      guard let metric = MetricName(name), let own = ratio(side), let others = ratio(other) else {
        return nil
      }
      var generator = SplitMix64(seed: seed)
      let difference = ClusterBootstrap(resamples: resamples).pairedDifference(
        clusterCount: clusters.count, using: &generator, a: { own.value(over: $0) },
        b: { others.value(over: $0) })
      let interval = difference?.interval
      return ExperimentResult.Difference(
        arm: side.name, against: other.name, metric: metric,
        figure: .init(
          value: interval?.estimate, interval: interval.map { min($0.lower, $0.upper)...$0.upper }))
    }
  }

  private var clusters: Clusters<Int> { Clusters(split.cases.map(\.wave)) }

  private func forecasts(_ side: Side) -> ProbabilityForecasts? {
    try? ProbabilityForecasts(
      outcomes: split.cases.map(\.outcome), probabilities: side.probabilities)
  }

  private func logLoss(_ side: Side) -> ClusterRatio? {
    forecasts(side).map { ClusterRatio(meanOf: $0.rowLogLosses(), in: clusters) }
  }

  private func withinWaveAUC(_ side: Side) -> ClusterRatio? {
    guard
      let cells = try? forecasts(side)?.scored.concordanceByGroup(
        split.cases.indices.map(split.cell))
    else { return nil }
    let waves = clusters.keys
    func sum(_ value: (Concordance) -> Int) -> [Double] {
      waves.map { wave in
        Double(cells.filter { $0.key.wave == wave }.reduce(0) { $0 + value($1.value) })
      }
    }
    return ClusterRatio(
      numerators: sum(\.doubledWins).map { $0 / 2 }, denominators: sum(\.couples))
  }
}

/// The prediction files of a folder.
public struct ReferenceFolder: Sendable {
  /// A file of predictions: `rater,target,p`, or `pair_id,p_match`.
  struct File: Sendable {
    let name: String
    let byEncounter: [Encounter: Double]
    let byPair: [Int: Double]
  }

  let files: [File]

  /// Reads files.
  ///
  /// - Parameter paths: Files called `SPLIT__NAME.csv`, SPLIT being warm_pair, warm_decision, wave5
  ///   or time; with the columns rater, target, p or pair_id, p_match.
  /// - Throws: ``DataProblems`` for a file that cannot be used.
  public init(paths: [String]) throws(DataProblems) {
    var problems = DataProblems()
    var files: [File] = []
    for path in paths {
      let name = String(path.split(separator: "/").last ?? "").replacing(".csv", with: "")
      var byEncounter: [Encounter: Double] = [:]
      var byPair: [Int: Double] = [:]
      // Other experiments' predictions may lie beside these.
      if Self.isOfReviews(name) { continue }
      let isOfPairs = name.hasPrefix("wave5") || name.hasPrefix("time")
      do throws(DataProblem) {
        _ = try SpeedDatingLoader.eachRow(
          path, isOfPairs ? ["pair_id", "p_match"] : ["rater", "target", "p"], &problems
        ) { fields in
          if isOfPairs {
            let pair = fields.integer("pair_id", in: 0...Int.max)
            byPair[pair] = fields.number("p_match")
          } else {
            let encounter = Encounter(
              rater: fields.integer("rater", in: SpeedDatingDraft.idRange),
              target: fields.integer("target", in: SpeedDatingDraft.idRange))
            byEncounter[encounter] = fields.number("p")
          }
        }
      } catch {
        problems.add(error)
      }
      files.append(File(name: name, byEncounter: byEncounter, byPair: byPair))
    }
    guard problems.isEmpty else { throw problems }
    self.files = files
  }

  /// What the files say about the cases of a split. P(match) of a file that knows single decisions
  /// is the product of the two.
  func predictions(of split: PredictionSplit) -> [ReferencePredictions] {
    files.filter { $0.name.hasPrefix(split.referencePrefix + "__") }.map { file in
      ReferencePredictions(
        name: String(file.name.dropFirst(split.referencePrefix.utf8.count + 2)),
        probabilities: split.cases.map { one in
          if let known = file.byPair[one.pairID] { return known }
          let forward = file.byEncounter[Encounter(rater: one.rater, target: one.target)]
          guard split.unit == .pairs else { return forward }
          let backward = file.byEncounter[Encounter(rater: one.target, target: one.rater)]
          return forward.flatMap { forward in backward.map { forward * $0 } }
        })
    }
  }
}
