#if OpenBLAS
  internal import COpenBLAS

  /// A linear model from a viewer's recent swipes to the next ones, in closed form (the transition part
  /// of SLIST: Choi, Kim, Lee, Shim, Lee 2021).
  ///
  /// At every place of every history, p is the swipes so far, fading by `past` for each further one, and
  /// f the swipes after it, fading by `future`. W minimises Σ |p W − f|² + λ |W|², so W = (Σ p pᵀ +
  /// λI)⁻¹ Σ p fᵀ. Where co-occurrence counts what follows a card, this asks what a card adds to what the
  /// other recent ones say. Needs cards² numbers of memory.
  public struct LinearTransitions: Hashable, Sendable {
    /// How many swipes back and forth are looked at.
    public var window: Int
    /// What each further swipe back multiplies, 0 … 1.
    public var past: Double
    /// What each further swipe forth multiplies, 0 … 1.
    public var future: Double
    /// λ, above 0: how strongly weights are held back.
    public var regularisation: Double
    /// The exponent with which popular cards are held back.
    public var beta: Double
    /// How much a swipe of the history still counts.
    public var decay: HistoryDecay

    /// A model to be fitted.
    public init(
      window: Int = 20, past: Double = 0.8, future: Double = 0.8, regularisation: Double = 200,
      beta: Double = 0, decay: HistoryDecay = .perSwipe(0.8)
    ) {
      self.window = window
      self.past = past
      self.future = future
      self.regularisation = regularisation
      self.beta = beta
      self.decay = decay
    }

    /// Solves for the weights.
    ///
    /// - Throws: ``RecommenderError`` `tooLarge` past 46,340 cards, `diverged` where the matrix has no
    ///   inverse or a weight is not finite.
    /// - Complexity: O(swipes · window² + cards³); one thread for the cube.
    public func fit(
      _ histories: ViewerHistories, threads: Int = 1
    ) throws(RecommenderError) -> DenseItemWeights {
      let count = histories.cardCount
      guard count > 0, count <= 46_340 else {
        throw RecommenderError(
          .tooLarge,
          "linear transitions of \(count) cards are not possible; allowed: 1…46340 cards. Use "
            + "co-occurrence")
      }
      guard window > 0, regularisation > 0, regularisation.isFinite else {
        throw RecommenderError(
          .badInput,
          "linear transitions need a window and a regularisation above 0; found: \(window) and "
            + "\(regularisation)")
      }
      useOneThreadOfOpenBLAS()
      let inverse = Square(count)
      let next = Square(count)
      addUp(histories, into: inverse, next)
      for card in 0..<count { inverse.base[card * count + card] += Float(regularisation) }
      var (size, info) = (Int32(count), Int32(0))
      spotrf_("L", &size, inverse.base, &size, &info)
      if info == 0 { spotri_("L", &size, inverse.base, &size, &info) }
      guard info == 0 else {
        throw RecommenderError(
          .diverged,
          "the matrix of recent swipes has no inverse at the regularisation \(regularisation); "
            + "allowed: one that makes it positive definite. Use a greater one")
      }
      let scale = histories.popularity().map { Float(power(Double(max($0, 1)), -beta)) }
      let weights = Numbers<Float>(count: count * count) { weights in
        weights.initialize(repeating: 0)
        guard let result = weights.baseAddress else { return }
        // Fortran's lower half is the upper half of rows; symmetric, so one side is enough.
        cblas_ssymm(
          CblasRowMajor, CblasLeft, CblasUpper, size, size, 1, inverse.base, size, next.base, size,
          0, result, size)
        for row in 0..<count {
          for column in 0..<count { result[row * count + column] *= scale[column] }
          result[row * count + row] = 0
        }
      }
      guard weights.allSatisfy(\.isFinite) else {
        throw RecommenderError(
          .diverged,
          "weights of linear transitions are not finite at the regularisation \(regularisation); "
            + "allowed: finite weights. Use a greater one")
      }
      return DenseItemWeights(cardCount: count, weights: weights, decay: decay)
    }

    /// Σ p pᵀ and Σ p fᵀ over the places that something follows.
    private func addUp(_ histories: ViewerHistories, into own: Square, _ next: Square) {
      let count = histories.cardCount
      let back = (0..<window).map { Float(power(past, Double($0))) }
      let forth = (0..<window).map { Float(power(future, Double($0))) }
      for viewer in 0..<histories.viewerCount {
        let (start, end) = (histories.offsets[viewer], histories.offsets[viewer + 1])
        for place in start..<max(start, end - 1) {
          let reach = min(window, place - start + 1)
          let ahead = min(window, end - 1 - place)
          for step in 0..<reach {
            let row = Int(histories.cards[place - step]) * count
            for other in 0..<reach {
              own.base[row + Int(histories.cards[place - other])] += back[step] * back[other]
            }
            for other in 0..<ahead {
              next.base[row + Int(histories.cards[place + 1 + other])] += back[step] * forth[other]
            }
          }
        }
      }
    }
  }

  /// Memory of size² zeros.
  private final class Square {
    let base: UnsafeMutablePointer<Float>
    private let count: Int

    init(_ size: Int) {
      count = size * size
      base = .allocate(capacity: count)
      base.initialize(repeating: 0, count: count)
    }

    deinit { base.deallocate() }
  }
#endif
