/// What makes two vectors near.
public enum VectorMetric: String, Hashable, Sendable, CaseIterable {
  /// The sum of the products of their components.
  case innerProduct = "inner-product"
  /// The cosine of the angle between them. Vectors are kept with length 1.
  case cosine
  /// Their straight distance.
  case euclidean
}

/// A row of an index and how near it is.
public struct Neighbour: Hashable, Sendable {
  /// The row.
  public let row: Int
  /// The inner product, the cosine, or minus the squared distance: the greater, the nearer.
  public let score: Float

  /// A row and its score.
  public init(row: Int, score: Float) {
    self.row = row
    self.score = score
  }
}
