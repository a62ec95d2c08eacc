internal import CardFeed
internal import CardFeedOnlineLearning

/// P(bought) of the rows of the test part, by what was learned from each row of the training part
/// once.
struct PurchasePredictions: Sendable {
  let rows: PurchaseRows
  /// Of the order in which rows are learned.
  let seed: UInt64

  /// What is asked.
  var questions: QuizForecasts.Questions {
    var questions = QuizForecasts.Questions()
    var numbers: [Int: Int] = [:]
    for household in rows.test.households {
      let number = numbers[household] ?? numbers.count
      numbers[household] = number
      questions.clusters.append(number)
    }
    questions.clusterCount = numbers.count
    questions.outcomes = rows.test.outcomes
    return questions
  }

  /// - Throws: `FeedError.Code.badInput` for a column that the data do not have.
  func probabilities(_ model: OnlineModel) throws -> [Double] {
    let outcomes = rows.training.outcomes
    let share = Double(outcomes.count { $0 }) / Double(max(outcomes.count, 1))
    switch model {
    case .frequency(let events, let chances, let prior, let strength):
      let counted = try column(events, rows.test)
      let possible: [Double] =
        switch chances {
        case .column(let name): try column(name, rows.test)
        case .fixed(let number): Array(repeating: number, count: counted.count)
        }
      return zip(counted, possible).map { events, chances in
        // Counts of different things may say that more happened than could.
        min(1, max(0, (events + strength * (prior ?? share)) / (chances + strength)))
      }
    case .logistic(let plain, let logarithms, let ridge):
      let model = LogisticRegression(
        rows: try dense(plain, logarithms, rows.training), outcomes: outcomes, ridge: ridge)
      return try dense(plain, logarithms, rows.test).map(model.probability)
    case .ftrl(let recipe, let settings):
      func features(_ part: PurchaseRows.Part) throws -> FeatureRows {
        recipe.features(ofColumns: try recipe.columns.map { try column($0.name, part) })
      }
      var generator = SplitMix64(seed: seed)
      var order = Array(outcomes.indices)
      generator.shuffle(&order)
      var model = FTRLProximal(bits: recipe.bits, settings: settings)
      model.learn(try features(rows.training), outcomes: outcomes, order: order)
      return model.probabilities(of: try features(rows.test))
    default: return Array(repeating: share, count: rows.test.outcomes.count)
    }
  }

  private func column(_ name: String, _ part: PurchaseRows.Part) throws -> [Double] {
    if let column = part.columns[name] { return column }
    throw FeedError(
      .badInput, "the data have no column '\(name)'",
      hint: "they have " + part.columns.keys.sorted().joined(separator: ", "))
  }

  private func dense(
    _ plain: [String], _ logarithms: [String], _ part: PurchaseRows.Part
  ) throws -> [[Double]] {
    let columns =
      try plain.map { try column($0, part) }
      + logarithms.map { try column($0, part).map { PortableMath.log(1 + max(0, $0)) } }
    return part.outcomes.indices.map { row in columns.map { $0[row] } }
  }
}
