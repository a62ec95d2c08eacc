internal import CardFeed
internal import CardFeedRecommenders

/// Chooses parameters on the validation part.
struct RankingTuner {
  /// What was chosen for an arm.
  struct Chosen {
    var point: RankingModel.Point = [:]
    /// The weights of a blend's parts.
    var weights: [Double] = []
    /// As a text.
    var text = ""
    /// NDCG@10; nil where there was nothing to choose.
    var validation: Double?
  }

  let part: RankingPart
  /// What is asked in the validation part. Few weights are learned from it, so few that those who are
  /// asked need not be left out.
  let before: RankingModel.Before
  let seed: UInt64
  let threads: Int
  /// What was chosen for earlier arms, for models of parts.
  private var chosen: [String: (model: RankingModel, point: RankingModel.Point)] = [:]

  init(part: RankingPart, before: RankingModel.Before, seed: UInt64, threads: Int) {
    self.part = part
    self.before = before
    self.seed = seed
    self.threads = threads
  }

  /// Chooses for an arm; the first of equally good points.
  mutating func choose(_ arm: RankingExperiment.Arm) async throws -> Chosen {
    let best =
      arm.model.kind == .blend ? try await blend(arm.model) : try await point(arm.model)
    chosen[arm.name] = (arm.model, best.point)
    return best
  }

  private func point(_ model: RankingModel) async throws -> Chosen {
    let points = model.points
    var best = Chosen(point: points[0])
    guard points.count > 1 else { return best }
    var fitted: (point: RankingModel.Point, model: any Recommender)?
    for point in points {
      try Task.checkCancellation()
      var structure = point
      structure["decay"] = nil
      let tried: any Recommender
      if model.kind == .trend {
        let base = try fitted?.model ?? fit(model.parts[0])
        fitted = ([:], base)
        tried = Trend(
          base, histories: part.histories, rate: point["rate"] ?? 1,
          exponent: point["exponent"] ?? 0)
      } else if let last = fitted, last.point == structure,
        var same = last.model as? any DecayingRecommender
      {
        same.decay = model.decay(point)
        tried = same
      } else {
        tried = try fit(model, point)
        fitted = (structure, tried)
      }
      let value = try await part.figures(tried, threads: threads).objective
      if value > best.validation ?? -1 {
        best = Chosen(point: point, text: model.text(point), validation: value)
      }
    }
    return best
  }

  private func fit(
    _ model: RankingModel, _ point: RankingModel.Point
  ) throws -> any Recommender {
    if model.kind == .trend {
      return Trend(
        try fit(model.parts[0]), histories: part.histories, rate: point["rate"] ?? 1,
        exponent: point["exponent"] ?? 0)
    }
    return try model.fit(
      point, part.histories, part.matrix, seed: seed, threads: threads, before: before)
  }

  /// An earlier arm on the validation part, as it was chosen.
  private func fit(_ name: String) throws -> any Recommender {
    guard let own = chosen[name] else {
      preconditionFailure("A part stands before the arm that names it.")
    }
    return try fit(own.model, own.point)
  }

  /// One weight after the other, the first part's being 1, until a round changes nothing.
  private func blend(_ model: RankingModel) async throws -> Chosen {
    let tried = model.grid.first { $0.name == "weights" }?.values ?? [1]
    let middle = tried.min { abs($0 - 0.5) < abs($1 - 0.5) } ?? 1
    var weights = [1.0] + Array(repeating: middle, count: model.parts.count - 1)
    guard tried.count > 1, model.parts.count > 1 else { return Chosen(weights: weights) }
    var columns: [[Float]] = []
    for name in model.parts { columns.append(try await standardised(fit(name))) }
    var best = try await value(columns, weights)
    for _ in 0..<4 {
      let before = weights
      for index in 1..<columns.count {
        var other = weights
        for weight in tried where weight != weights[index] {
          other[index] = weight
          let value = try await value(columns, other)
          if value > best { (best, weights) = (value, other) }
        }
      }
      if weights == before { break }
    }
    let text = zip(model.parts, weights).map { "\($0) × \($1)" }.joined(separator: ", ")
    return Chosen(weights: weights, text: text, validation: best)
  }

  /// The scores of all viewers who are asked, back to back, with mean 0 and deviation 1 for each.
  private func standardised(_ model: any Recommender) async throws -> [Float] {
    let part = part
    let blocks = try await parallelMap(part.asked.count, threads: threads, finished: {}) { index in
      var scores = [Float](repeating: 0, count: model.cardCount)
      scores.withUnsafeMutableBufferPointer { scores in
        model.score(into: scores, part.histories[part.asked[index].viewer], now: part.now)
        Blend.standardise(scores)
      }
      return scores
    }
    return Array(blocks.joined())
  }

  private func value(_ columns: [[Float]], _ weights: [Double]) async throws -> Double {
    let factors = weights.map { Float($0) }
    return try await part.figures(threads: threads) { index, scores in
      scores.update(repeating: 0)
      for (column, factor) in zip(columns, factors) where factor != 0 {
        let start = index * scores.count
        column.withUnsafeBufferPointer { column in
          for card in 0..<scores.count { scores[card] += factor * column[start + card] }
        }
      }
    }.objective
  }
}
