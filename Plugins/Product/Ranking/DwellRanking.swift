internal import CardFeed

/// Raises what the viewer has looked at for long, or other products like it.
///
/// The viewer's durations (`Impression.dwell`) are gathered for each product, or for each name of a
/// column such as `category`; of a group the longest or the mean counts. A duration of s seconds adds
/// `weight` · s / (s + `halfSeconds`) to the score of another ranking, so that no device left lying
/// decides. A product whose group the viewer was never timed with gets nothing added: that is not 0
/// seconds, and counts in no mean.
///
/// All of it follows from what the viewer did, and is a fold over the log.
struct DwellRanking: RankingStrategy {
  typealias D = ProductDeck

  /// Which durations of a group count.
  enum Statistic: String, CaseIterable {
    /// The longest of them.
    case longest
    /// Their mean.
    case mean
  }

  let inner: any RankingStrategy<ProductDeck>
  /// The column whose names are groups; nil where each product is its own.
  let column: String?
  let statistic: Statistic
  /// What an endless look adds.
  let weight: Double
  /// The seconds that add half of it, above 0.
  let halfSeconds: Double

  var needs: ContextNeeds { inner.needs.union(.impressions) }

  var learners: [any Learner<ProductDeck>] { inner.learners }

  var trainables: [any TrainableStrategy<ProductDeck>] { inner.trainables }

  var scored: [String] { inner.scored + (column.map { [$0] } ?? []) }

  /// The other ranking's scores, raised. O(n + impressions), and the other ranking. Throws
  /// `FeedError.Code.badInput` when the column holds no names.
  func scores(
    for slate: Slate<ProductDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    var scores = try await inner.scores(inside: "dwell", for: slate, estimates: estimates)
    let group = try groups(of: slate.table)
    let seconds = seconds(slate, group)
    let added = slate.rows.map { row -> Double in
      guard let own = group(row), let known = seconds[own] else { return .nan }
      return weight * known / (known + halfSeconds)
    }
    for (place, value) in added.enumerated() where value.isFinite {
      let score = scores.values[place]
      scores.values[place] = score.isFinite ? score + value : value
    }
    scores.terms.append(SlateScores.Term(name: "dwell", values: added))
    return scores
  }

  private func groups(of table: CardTable<ProductDeck>) throws -> (Row) -> Int64? {
    guard let column else { return { table.number(at: $0).rawValue } }
    guard case .category(let codes, _) = table.column(column) else {
      throw FeedError(
        .badInput, "the ranking 'dwell' found no names in the column \"\(column)\"",
        hint: "name a column of categories, or \"card\"")
    }
    return { row in codes[row.index] < 0 ? nil : Int64(codes[row.index]) }
  }

  /// Of each group that the viewer was timed with. A product that is not in the table any more has no
  /// group.
  private func seconds(
    _ slate: Slate<ProductDeck>, _ group: (Row) -> Int64?
  ) -> [Int64: Double] {
    var looks: [Int64: (sum: Double, count: Double, longest: Double)] = [:]
    for impression in slate.context.impressions {
      guard let dwell = impression.dwell, let row = slate.table.row(of: impression.card),
        let group = group(row)
      else { continue }
      let seconds = Double(dwell.milliseconds) / 1000
      let known = looks[group] ?? (0, 0, 0)
      looks[group] = (known.sum + seconds, known.count + 1, max(known.longest, seconds))
    }
    return looks.mapValues { look in
      switch statistic {
      case .longest: look.longest
      case .mean: look.sum / look.count
      }
    }
  }
}
