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
/// A feature is a place of a table of 2ᵇⁱᵗˢ coordinates, as `FeatureRecipe` makes them; each is there or
/// not. The weight is kept beside its sums, so that asking costs one read for each feature.
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
  /// - Parameter features: Places of the table; one that stands twice counts twice.
  /// - Complexity: O(features).
  public func probability(of features: [UInt32]) -> Double {
    entries.withUnsafeBufferPointer { entries in
      features.withUnsafeBufferPointer { features in
        logistic(Self.sum(entries, features[...]))
      }
    }
  }

  /// P(yes) of each row of a table.
  ///
  /// - Complexity: O(rows · width).
  public func probabilities(of rows: FeatureRows) -> [Double] {
    entries.withUnsafeBufferPointer { entries in
      rows.features.withUnsafeBufferPointer { features in
        (0..<rows.count).map { row in
          let slice = features[row * rows.width..<(row + 1) * rows.width]
          return logistic(Self.sum(entries, slice))
        }
      }
    }
  }

  /// Learns one row.
  ///
  /// - Parameters:
  ///   - features: Places of the table.
  ///   - outcome: Whether it was a yes.
  /// - Returns: P(yes) before it was learned.
  /// - Complexity: O(features).
  @discardableResult
  public mutating func learn(_ features: [UInt32], outcome: Bool) -> Double {
    let settings = settings
    return entries.withUnsafeMutableBufferPointer { entries in
      features.withUnsafeBufferPointer { features in
        Self.learn(&entries, features[...], outcome, settings)
      }
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
      rows.features.withUnsafeBufferPointer { features in
        for place in 0..<(order?.count ?? rows.count) {
          let row = order?[place] ?? place
          let slice = features[row * rows.width..<(row + 1) * rows.width]
          Self.learn(&entries, slice, outcomes[row], settings)
        }
      }
    }
  }

  /// What one row would add to the sums, without adding it: what a learner stores with an event so
  /// that it can be taken back.
  ///
  /// - Parameters:
  ///   - features: Places of the table, each once.
  ///   - outcome: Whether it was a yes.
  /// - Returns: What is added to z and to n of each feature, in order.
  /// - Complexity: O(features).
  public func increments(
    of features: [UInt32], outcome: Bool
  ) -> [(z: Double, squares: Double)] {
    let gradient = probability(of: features) - (outcome ? 1 : 0)
    return features.map { feature in
      Self.increment(of: entries[Int(feature)], gradient, settings)
    }
  }

  @inline(__always)
  private static func sum(
    _ entries: UnsafeBufferPointer<Entry>, _ features: Slice<UnsafeBufferPointer<UInt32>>
  ) -> Double {
    var sum = 0.0
    for feature in features { sum += entries[Int(feature)].weight }
    return sum
  }

  @inline(__always) @discardableResult
  private static func learn(
    _ entries: inout UnsafeMutableBufferPointer<Entry>,
    _ features: Slice<UnsafeBufferPointer<UInt32>>, _ outcome: Bool, _ settings: Settings
  ) -> Double {
    let probability = logistic(sum(UnsafeBufferPointer(entries), features))
    let gradient = probability - (outcome ? 1 : 0)
    let square = gradient * gradient
    let rate = 1 / settings.alpha
    let base = settings.beta * rate + settings.lambda2
    for feature in features {
      var entry = entries[Int(feature)]
      let root = (entry.root * entry.root + square).squareRoot()
      entry.z += gradient - (root - entry.root) * rate * entry.weight
      entry.root = root
      entry.weight = weight(entry.z, root, settings.lambda1, rate, base)
      entries[Int(feature)] = entry
    }
    return probability
  }

  static func increment(
    of entry: Entry, _ gradient: Double, _ settings: Settings
  ) -> (z: Double, squares: Double) {
    let square = gradient * gradient
    let root = (entry.root * entry.root + square).squareRoot()
    return (gradient - (root - entry.root) / settings.alpha * entry.weight, square)
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
