internal import CardFeed
internal import CardFeedOnlineLearning

/// A pass of FTRL over rows of the shape of weekly purchases: ten columns, nineteen features. They are
/// those of the arm `ftrl-bins` of `datasets/experiments/product-purchases.json`.
struct PurchaseWorkload {
  private static let columns = [
    "n: 1 2 3 4 6 9 14 20 30", "rec: 0 1 2 3 4 6 8 12 20", "gap: 1.2 1.5 2 3 4 6 9 14",
    "n13: 0 1 2 3 4 6 9", "n4: 0 1 2 3", "h_w4: 0 1 2 3", "h_last: 0 1 2 4",
    "h_bask4: 0 2 4 6 9 14", "due: 0.2 0.4 0.6 0.8 1 1.3 1.7 2.5 4", "c_id",
  ]
  private static let features = [
    "n", "rec", "gap", "n13", "n4", "h_w4", "h_last", "h_bask4", "due", "n * rec", "rec * gap",
    "n13 * rec", "n4 * h_w4", "due * n", "n13 * h_bask4", "h_last * n13", "c_id", "c_id * n13",
  ]

  private let recipe: FeatureRecipe
  private let numbers: [[Double]]
  private let outcomes: [Bool]

  /// Rows with counts as skewed as those of households.
  init(rows count: Int) throws {
    recipe = try FeatureRecipe(columns: Self.columns, features: Self.features, bits: 18)
    var generator = SplitMix64(seed: 8)
    let reaches = [40.0, 30, 16, 12, 4, 4, 5, 18, 6, 300]
    numbers = reaches.map { reach in
      (0..<count).map { _ in
        let share = generator.unitInterval()
        return (reach * share * share).rounded(.down)
      }
    }
    outcomes = (0..<count).map { _ in generator.unitInterval() < 0.07 }
  }

  /// How many rows there are.
  var count: Int { outcomes.count }

  /// Makes the features of every row, and learns each once. Returns what is forecast for one row.
  func pass() -> Double {
    var model = FTRLProximal(bits: recipe.bits)
    let rows = recipe.features(ofColumns: numbers)
    model.learn(rows, outcomes: outcomes)
    return model.probability(
      of: Array(recipe.features(of: [[1, 2, 3, 1, 1, 1, 1, 2, 1, 7]]).features))
  }
}
