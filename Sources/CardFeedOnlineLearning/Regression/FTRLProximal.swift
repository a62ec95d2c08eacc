/// Logistic regression that learns from one row at a time, with weights that stay zero until there
/// is a reason: FTRL-proximal with a learning rate of its own for each coordinate.
///
/// This module holds what learns while it is asked: online regression, bandits that know how likely
/// each hand was, and estimates of what another order of cards would have brought. It is pure and
/// deterministic, knows neither decks nor feeds, and must never import anything but the C library.
///
/// Source: McMahan et al., "Ad Click Prediction: a View from the Trenches", KDD 2013, algorithm 1.
/// The weight of a coordinate with the sums z of adjusted gradients and n of squared gradients is 0
/// where |z| ≤ λ₁, and else −(z − sign(z) λ₁) / ((β + √n) / α + λ₂).
///
/// A feature is a place of a table of 2ᵇⁱᵗˢ coordinates, as `FeatureRecipe` makes them; it is there
/// or not, or there in part. The weight is kept beside its sums, so that asking costs one read for
/// each feature.
public struct FTRLProximal: Sendable, Equatable {
  /// What does not change while it learns.
  public struct Settings: Sendable, Hashable {
    /// The learning rate, above 0.
    public var alpha: Double
    /// What keeps the first steps small, 0 or more.
    public var beta: Double
    /// The strength that makes weights zero, 0 or more.
    public var lambda1: Double
    /// The strength that makes weights small, 0 or more.
    public var lambda2: Double

    /// Settings; those of the paper's order of magnitude unless told otherwise.
    public init(
      alpha: Double = 0.05, beta: Double = 1, lambda1: Double = 0.5, lambda2: Double = 1
    ) {
      precondition(
        alpha > 0 && beta >= 0 && lambda1 >= 0 && lambda2 >= 0 && (alpha + beta).isFinite
          && (lambda1 + lambda2).isFinite && beta + lambda2 > 0,
        "Settings of FTRL are finite and not negative, alpha is above 0, and beta or lambda2 is.")
      self.alpha = alpha
      self.beta = beta
      self.lambda1 = lambda1
      self.lambda2 = lambda2
    }
  }

  /// A coordinate.
  struct Entry: Sendable, Equatable {
    var z = 0.0
    /// √n, so that a step takes one root.
    var root = 0.0
    var weight = 0.0
  }

  /// What does not change.
  public let settings: Settings
  /// The table has 2ᵇⁱᵗˢ coordinates.
  public let bits: Int
  var entries: [Entry]

  /// A model that says ½ of everything.
  ///
  /// - Parameters:
  ///   - bits: The logarithm of the table's size, 1 … 28; 24 bytes each coordinate.
  ///   - settings: What does not change.
  public init(bits: Int, settings: Settings = Settings()) {
    precondition((1...28).contains(bits), "A table has 2^1 … 2^28 coordinates; got 2^\(bits).")
    self.bits = bits
    self.settings = settings
    entries = Array(repeating: Entry(), count: 1 << bits)
  }

  /// How many weights are not zero. O(2ᵇⁱᵗˢ).
  public var weightCount: Int { entries.count { $0.weight != 0 } }

  /// The weight of a feature. O(1).
  public func weight(of feature: UInt32) -> Double { entries[Int(feature)].weight }

  /// P(yes) of a row.
  ///
  /// - Parameters:
  ///   - features: Places of the table; one that stands twice counts twice.
  ///   - values: How much of each feature there is; empty where each is there in full.
  /// - Complexity: O(features).
  public func probability(of features: [UInt32], values: [Float] = []) -> Double {
    probabilities(of: FeatureRows(width: features.count, features: features, values: values))[0]
  }

  /// P(yes) of each row of a table.
  ///
  /// - Complexity: O(rows · width).
  public func probabilities(of rows: FeatureRows) -> [Double] {
    entries.withUnsafeBufferPointer { entries in
      rows.withRows { row in
        (0..<rows.count).map { logistic(Self.sum(entries, row($0))) }
      }
    }
  }

  /// Learns one row.
  ///
  /// - Parameters:
  ///   - features: Places of the table.
  ///   - values: How much of each feature there is; empty where each is there in full.
  ///   - outcome: Whether it was a yes.
  /// - Returns: P(yes) before it was learned.
  /// - Complexity: O(features).
  @discardableResult
  public mutating func learn(
    _ features: [UInt32], values: [Float] = [], outcome: Bool
  ) -> Double {
    let settings = settings
    let rows = FeatureRows(width: features.count, features: features, values: values)
    return entries.withUnsafeMutableBufferPointer { entries in
      rows.withRows { row in Self.learn(&entries, row(0), outcome, settings) }
    }
  }

  /// Learns every row of a table once.
  ///
  /// - Parameters:
  ///   - rows: The features of each row.
  ///   - outcomes: One for each row.
  ///   - order: Which row comes when; in the order of the table unless given.
  /// - Complexity: O(rows · width).
  public mutating func learn(_ rows: FeatureRows, outcomes: [Bool], order: [Int]? = nil) {
    precondition(
      rows.count == outcomes.count && (order?.allSatisfy { outcomes.indices.contains($0) } ?? true),
      "Each of \(rows.count) rows has an outcome; got \(outcomes.count).")
    let settings = settings
    entries.withUnsafeMutableBufferPointer { entries in
      rows.withRows { row in
        for place in 0..<(order?.count ?? rows.count) {
          let index = order?[place] ?? place
          Self.learn(&entries, row(index), outcomes[index], settings)
        }
      }
    }
  }

  /// What one row would add to the sums, without adding it: what a learner stores with an event so
  /// that it can be taken back.
  ///
  /// - Parameters:
  ///   - weights: Of each feature, as `weight(z:squares:settings:)` reads them out of kept sums.
  ///   - squares: The sum of squared gradients of each feature, 0 or more.
  ///   - values: How much of each feature there is; empty where each is there in full.
  ///   - outcome: Whether it was a yes.
  ///   - settings: What does not change.
  /// - Returns: What is added to z and to n of each feature, in order.
  /// - Complexity: O(features).
  public static func increments(
    weights: [Double], squares: [Double], values: [Float] = [], outcome: Bool, settings: Settings
  ) -> [(z: Double, squares: Double)] {
    func value(_ place: Int) -> Double { values.isEmpty ? 1 : Double(values[place]) }
    let sum = weights.indices.reduce(0) { $0 + weights[$1] * value($1) }
    let residual = logistic(sum) - (outcome ? 1 : 0)
    return weights.indices.map { place in
      let gradient = residual * value(place)
      let before = max(squares[place], 0)
      let grown = (before + gradient * gradient).squareRoot() - before.squareRoot()
      return (gradient - grown / settings.alpha * weights[place], gradient * gradient)
    }
  }

  @inline(__always)
  private static func sum(
    _ entries: UnsafeBufferPointer<Entry>, _ row: FeatureRows.Row
  ) -> Double {
    var sum = 0.0
    if row.values.isEmpty {
      for feature in row.features { sum += entries[Int(feature)].weight }
    } else {
      for (feature, value) in zip(row.features, row.values) {
        sum += entries[Int(feature)].weight * Double(value)
      }
    }
    return sum
  }

  @inline(__always) @discardableResult
  private static func learn(
    _ entries: inout UnsafeMutableBufferPointer<Entry>, _ row: FeatureRows.Row, _ outcome: Bool,
    _ settings: Settings
  ) -> Double {
    let probability = logistic(sum(UnsafeBufferPointer(entries), row))
    let residual = probability - (outcome ? 1 : 0)
    let rate = 1 / settings.alpha
    let base = settings.beta * rate + settings.lambda2
    let isFull = row.values.isEmpty
    for place in row.features.indices {
      let feature = Int(row.features[place])
      let gradient = isFull ? residual : residual * Double(row.values[place])
      var entry = entries[feature]
      let root = (entry.root * entry.root + gradient * gradient).squareRoot()
      entry.z += gradient - (root - entry.root) * rate * entry.weight
      entry.root = root
      entry.weight = weight(entry.z, root, settings.lambda1, rate, base)
      entries[feature] = entry
    }
    return probability
  }

  /// The weight that belongs to sums.
  ///
  /// - Parameters:
  ///   - z: The sum of adjusted gradients.
  ///   - squares: The sum of squared gradients; below 0 counts as 0.
  ///   - settings: What does not change.
  /// - Complexity: O(1).
  public static func weight(z: Double, squares: Double, settings: Settings) -> Double {
    weight(z: z, root: max(squares, 0).squareRoot(), settings: settings)
  }

  static func weight(z: Double, root: Double, settings: Settings) -> Double {
    let rate = 1 / settings.alpha
    return weight(z, root, settings.lambda1, rate, settings.beta * rate + settings.lambda2)
  }

  @inline(__always)
  private static func weight(
    _ z: Double, _ root: Double, _ lambda1: Double, _ rate: Double, _ base: Double
  ) -> Double {
    let weight = Swift.max(z.magnitude - lambda1, 0) / (base + root * rate)
    return z > 0 ? -weight : weight
  }
}
