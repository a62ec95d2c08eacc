/// How alike cards are, 0 … 1, symmetric, 1 for a card and itself.
///
/// Asked once for each card that was chosen, for all others at once.
public protocol CardSimilarity: Sendable {
  /// How many cards there are.
  var count: Int { get }

  /// How alike each card is to one of them.
  ///
  /// - Parameters:
  ///   - row: One place for each card; every one is written.
  ///   - card: The card, 0 ..< `count`.
  func fill(_ row: UnsafeMutableBufferPointer<Double>, alikeTo card: Int)
}

/// The Jaccard index of tags: those in common, as a share of those that either has.
///
/// Two cards without tags have nothing in common: 0. As a matrix the index is positive
/// semi-definite (Bouchard, Jousselme, Doré 2013), which a determinantal process needs.
public struct TagSimilarity: CardSimilarity {
  /// How many cards there are.
  public let count: Int
  /// Words of 64 tags of each card.
  private let words: Int
  private let bits: [UInt64]
  private let sizes: [Int]

  /// Tags by their numbers.
  ///
  /// - Parameter tags: For each card its tags, 0 or more each; how they are numbered does not
  ///   matter.
  /// - Complexity: O(tags).
  public init(tags: [[Int]]) {
    var numbers: [Int: Int] = [:]
    for tag in tags.joined() where numbers[tag] == nil { numbers[tag] = numbers.count }
    let words = max(1, (numbers.count + 63) / 64)
    var bits = Array(repeating: UInt64(0), count: tags.count * words)
    for (card, tags) in tags.enumerated() {
      for tag in tags {
        let number = numbers[tag] ?? 0
        bits[card * words + number / 64] |= 1 << UInt64(number % 64)
      }
    }
    self.words = words
    self.bits = bits
    count = tags.count
    sizes = tags.indices.map { card in
      bits[card * words..<(card + 1) * words].reduce(0) { $0 + $1.nonzeroBitCount }
    }
  }

  /// O(cards · tags / 64).
  public func fill(_ row: UnsafeMutableBufferPointer<Double>, alikeTo card: Int) {
    bits.withUnsafeBufferPointer { bits in
      sizes.withUnsafeBufferPointer { sizes in
        for other in 0..<count {
          var common = 0
          for word in 0..<words {
            common += (bits[card * words + word] & bits[other * words + word]).nonzeroBitCount
          }
          let either = sizes[card] + sizes[other] - common
          row[other] = either > 0 ? Double(common) / Double(either) : 0
        }
      }
    }
    row[card] = 1
  }
}

/// The cosine of two vectors; what points away from each other is not alike: 0.
///
/// A vector that is missing or zero is like nothing else.
public struct VectorSimilarity: CardSimilarity {
  /// How many cards there are.
  public let count: Int
  private let dimension: Int
  private let unit: [Float]

  /// Vectors of one length.
  ///
  /// - Parameter vectors: One for each card; nil, or one of another length than the first, is
  ///   missing.
  /// - Complexity: O(cards · dimension).
  public init(vectors: [[Float]?]) {
    let dimension = vectors.lazy.compactMap { $0 }.first?.count ?? 0
    var unit: [Float] = []
    unit.reserveCapacity(vectors.count * dimension)
    for vector in vectors {
      let vector = vector?.count == dimension ? vector ?? [] : []
      let length = vector.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
      if length > 0, length.isFinite {
        for number in vector { unit.append(number / length) }
      } else {
        unit.append(contentsOf: repeatElement(0, count: dimension))
      }
    }
    self.dimension = dimension
    self.unit = unit
    count = vectors.count
  }

  /// O(cards · dimension).
  public func fill(_ row: UnsafeMutableBufferPointer<Double>, alikeTo card: Int) {
    unit.withUnsafeBufferPointer { unit in
      for other in 0..<count {
        var sum = Float(0)
        for index in 0..<dimension {
          sum += unit[card * dimension + index] * unit[other * dimension + index]
        }
        row[other] = Double(min(max(sum, 0), 1))
      }
    }
    row[card] = 1
  }
}

/// A matrix that is at hand.
public struct MatrixSimilarity: CardSimilarity {
  /// How many cards there are.
  public let count: Int
  private let values: [Double]

  /// Row after row, of as many rows as columns.
  public init(rows: [[Double]]) {
    precondition(
      rows.allSatisfy { $0.count == rows.count }, "A matrix of likeness has equal sides.")
    count = rows.count
    values = Array(rows.joined())
  }

  /// O(cards).
  public func fill(_ row: UnsafeMutableBufferPointer<Double>, alikeTo card: Int) {
    for other in 0..<count { row[other] = values[card * count + other] }
  }
}

extension CardSimilarity {
  /// The mean of 1 − likeness over all pairs of a list: how different its cards are (the intra-list
  /// diversity of Smyth and McClave, 2001); nil for fewer than two cards. O(n²).
  public func intraListDiversity(of cards: [Int]) -> Double? {
    guard cards.count > 1 else { return nil }
    var sum = 0.0
    withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { row in
      row.initialize(repeating: 0)
      for card in cards {
        fill(row, alikeTo: card)
        for other in cards where other != card { sum += 1 - row[other] }
      }
    }
    return sum / Double(cards.count * (cards.count - 1))
  }
}
