/// The rounds of a fit of pairwise factors.
struct PairwiseSteps: Sendable {
  let matrix: InteractionMatrix
  let viewers: SharedMemory<Float>
  let cards: SharedMemory<Float>
  let biases: SharedMemory<Float>
  let factors: Int
  let rate: Float
  let shrink: Float

  /// Eight blocks at most, and never so many that a block of cards holds too few to draw from.
  private var blockCount: Int { max(1, min(8, matrix.columnCount / 64, matrix.rowCount / 8)) }

  /// How often every pair of blocks has its turn in a round: so often that in one turn a viewer or a
  /// card is met about once, as if all were drawn from all.
  private var turnCount: Int {
    let least = max(1, min(matrix.rowCount, matrix.columnCount))
    return max(1, min(64, matrix.entryCount / (blockCount * least)))
  }

  private struct Swipe {
    let viewer: Int32
    let card: Int32
  }

  /// One round: as many drawn pairs as there are swipes.
  func round(_ generator: inout SeededGenerator, threads: Int) {
    let count = blockCount
    let viewerBlocks = RandomBlocks(matrix.rowCount, count, &generator)
    let cardBlocks = RandomBlocks(matrix.columnCount, count, &generator)
    let (swipes, offsets) = cells(viewerBlocks, cardBlocks, count)
    let turns = turnCount
    for turn in 0..<turns * count {
      let seeds = (0..<count).map { _ in generator.next() }
      forEachRow(count, threads: threads) { block in
        let cardBlock = (block + turn) % count
        let cell = offsets[block * count + cardBlock]..<offsets[block * count + cardBlock + 1]
        let (part, whole) = (turn / count, cell.count)
        step(
          (part + 1) * whole / turns - part * whole / turns, swipes[cell],
          others: cardBlocks.members(of: cardBlock), SeededGenerator(seed: seeds[block]))
      }
    }
  }

  /// The swipes sorted by their blocks of viewers and cards.
  private func cells(
    _ viewerBlocks: RandomBlocks, _ cardBlocks: RandomBlocks, _ count: Int
  ) -> (swipes: [Swipe], offsets: [Int]) {
    var offsets = [Int](repeating: 0, count: count * count + 1)
    for row in 0..<matrix.rowCount {
      let first = viewerBlocks.block(of: row) * count
      for place in matrix.row(row) {
        offsets[first + cardBlocks.block(of: Int(matrix.columns[place])) + 1] += 1
      }
    }
    for cell in 0..<count * count { offsets[cell + 1] += offsets[cell] }
    var next = offsets
    let swipes = [Swipe](unsafeUninitializedCapacity: matrix.entryCount) { buffer, filled in
      for row in 0..<matrix.rowCount {
        let first = viewerBlocks.block(of: row) * count
        for place in matrix.row(row) {
          let card = matrix.columns[place]
          let cell = first + cardBlocks.block(of: Int(card))
          buffer.initializeElement(at: next[cell], to: Swipe(viewer: Int32(row), card: card))
          next[cell] += 1
        }
      }
      filled = matrix.entryCount
    }
    return (swipes, offsets)
  }

  /// Steps, each with a drawn swipe of a pair of blocks and a drawn other card.
  private func step(
    _ count: Int, _ swipes: ArraySlice<Swipe>, others: ArraySlice<Int32>,
    _ generator: SeededGenerator
  ) {
    var generator = generator
    for _ in 0..<count {
      let swipe = swipes[swipes.startIndex + generator.index(below: swipes.count)]
      let other = others[others.startIndex + generator.index(below: others.count)]
      if matrix.has(Int(swipe.viewer), other) { continue }
      let u = viewers.base + Int(swipe.viewer) * factors
      let v = cards.base + Int(swipe.card) * factors
      let w = cards.base + Int(other) * factors
      let liked = biases.base + Int(swipe.card)
      let notLiked = biases.base + Int(other)
      let margin =
        liked.pointee - notLiked.pointee + dot(u, v, count: factors) - dot(u, w, count: factors)
      let miss = Float(1 / (1 + exponential(Double(margin))))
      for index in 0..<factors {
        let (a, b, c) = (u[index], v[index], w[index])
        u[index] += rate * (miss * (b - c) - shrink * a)
        v[index] += rate * (miss * a - shrink * b)
        w[index] += rate * (-miss * a - shrink * c)
      }
      liked.pointee += rate * (miss - shrink * liked.pointee)
      notLiked.pointee += rate * (-miss - shrink * notLiked.pointee)
    }
  }
}

/// Numbers that fell at random into blocks.
private struct RandomBlocks: Sendable {
  private let blocks: [UInt8]
  private let sorted: [Int32]
  private let offsets: [Int]

  init(_ count: Int, _ blockCount: Int, _ generator: inout SeededGenerator) {
    var blocks = [UInt8](repeating: 0, count: count)
    var offsets = [Int](repeating: 0, count: blockCount + 1)
    for index in 0..<count {
      let block = blockCount == 1 ? 0 : generator.index(below: blockCount)
      blocks[index] = UInt8(block)
      offsets[block + 1] += 1
    }
    for block in 0..<blockCount { offsets[block + 1] += offsets[block] }
    var next = offsets
    var sorted = [Int32](repeating: 0, count: count)
    for index in 0..<count {
      sorted[next[Int(blocks[index])]] = Int32(index)
      next[Int(blocks[index])] += 1
    }
    self.blocks = blocks
    self.sorted = sorted
    self.offsets = offsets
  }

  func block(of index: Int) -> Int { Int(blocks[index]) }

  func members(of block: Int) -> ArraySlice<Int32> { sorted[offsets[block]..<offsets[block + 1]] }
}
