internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedVectorIndex

/// A column of vectors of one table.
struct VectorColumn {
  let dimension: Int
  let metric: VectorMetric
  private let values: [Float]

  /// - Throws: `FeedError.Code.badInput` when the table has no such column.
  init<D: Deck>(
    _ column: String, _ metric: VectorMetric, of table: CardTable<D>, askedBy strategy: String
  ) throws {
    guard case .vector(let dimension, let values)? = table.column(column) else {
      throw FeedError(
        .badInput, "\(strategy) found no column of vectors '\(column)' in the deck",
        hint: "name a column that holds vectors")
    }
    self.dimension = dimension
    self.metric = metric
    self.values = values
  }

  /// The components of a row, which are NaN when it has no vector.
  func components(at row: Row) -> ArraySlice<Float> {
    values[row.index * dimension..<(row.index + 1) * dimension]
  }

  /// The vector of a row; nil when it has none.
  func vector(at row: Row) -> [Float]? {
    let components = components(at: row)
    return components.allSatisfy(\.isFinite) ? Array(components) : nil
  }

  /// The vector of a row as it counts in a mean: with length 1 where the metric is the cosine.
  func unit(at row: Row) -> [Double]? {
    guard let vector = vector(at: row)?.map(Double.init) else { return nil }
    guard metric == .cosine else { return vector }
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 && length.isFinite ? vector.map { $0 / length } : nil
  }

  /// Adds the vector of a row to an index, or a row without one where there is none that is fit.
  func append(_ row: Row, to index: inout VectorIndex) {
    guard let vector = vector(at: row) else { return index.appendMissing() }
    do { try index.append(vector) } catch { index.appendMissing() }
  }

  /// Writes the vector of a row to an index again.
  func set(_ row: Row, in index: inout VectorIndex) {
    guard let vector = vector(at: row) else { return index.remove(at: row.index) }
    do { try index.set(vector, at: row.index) } catch { index.remove(at: row.index) }
  }
}

extension Deck {
  /// Refuses, while a strategy is built, what could only fail in every deal.
  func checkVectors(_ column: String, to target: VectorTarget, askedBy strategy: String) throws {
    let columns = columns.filter { $0.kind == .vector }.map(\.name)
    guard columns.contains(column) else {
      let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FeedError(
        .badInput,
        "\(strategy) asks for the column \"\(column)\", which is no column of vectors; allowed: "
          + (columns.isEmpty ? "none, because the deck has no vectors" : allowed),
        hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
    }
    guard target != .viewer || policy.isMutual else {
      throw FeedError(
        .badInput,
        "\(strategy) looks for cards near to the viewer; the viewers of the deck '\(Self.name)' are "
          + "no cards and have no vector",
        hint: "write \"to\": \"likes\"")
    }
  }
}
