internal import CardFeedSpacedRepetition

/// P(recall) of a learner's further answers, each fold by what was fitted to the answers before it.
struct ReviewPredictions {
  let reviews: [QuizData.Review]
  /// Whether answers of later days alone are predicted; days are then whole ones for FSRS-6.
  let isOfLaterDays: Bool
  let folds: Set<Int>?

  private func fold(_ review: QuizData.Review) -> Int {
    isOfLaterDays ? review.laterFold : review.everyFold
  }

  private func isAsked(_ review: QuizData.Review) -> Bool {
    fold(review) >= 0 && folds?.contains(fold(review)) ?? true
  }

  /// The places of the reviews that are asked, in the order of `questions`.
  var askedRows: [Int] { reviews.indices.filter { isAsked(reviews[$0]) } }

  /// What was asked, with the bins of the spaced-repetition benchmark: delay, number of the answer
  /// and lapses, each on a logarithmic scale.
  var questions: QuizForecasts.Questions {
    var questions = QuizForecasts.Questions()
    questions.clusterCount = (reviews.map(\.card).max() ?? -1) + 1
    var lapses = Array(repeating: 0, count: questions.clusterCount)
    var numbers: [[Int]: Int] = [:]
    for review in reviews {
      if isAsked(review) {
        let delay =
          isOfLaterDays ? Double(max(review.days, 1)) : max(review.seconds / 86_400, 1e-5)
        let lapsed = lapses[review.card]
        let key = [
          Self.step(delay, 3.62), Self.step(Double(review.number), 1.89),
          lapsed == 0 ? -1 : Self.step(Double(lapsed), 1.73),
        ]
        let bin = numbers[key] ?? numbers.count
        numbers[key] = bin
        questions.bins.append(bin)
        questions.outcomes.append(review.rating.isRecall)
        questions.clusters.append(review.card)
      }
      let counts = isOfLaterDays ? review.days >= 1 : review.number > 1
      if counts && !review.rating.isRecall { lapses[review.card] += 1 }
    }
    return questions
  }

  private static func step(_ value: Double, _ base: Double) -> Int {
    Int((PortableMath.log(value) / PortableMath.log(base)).rounded(.down))
  }

  /// - Parameter checkpoint: Throws to stop.
  func probabilities(_ model: QuizModel, _ checkpoint: () throws -> Void) throws -> [Double] {
    guard case .memory(let memory, let fit, let known) = model else { return mean() }
    switch memory {
    case .sm2: return try predict(days: whole) { _ in SM2() }
    case .fsrs6:
      return try predict(days: isOfLaterDays ? whole : fractions) { before in
        let log = log(before, known: known, days: isOfLaterDays ? whole : fractions)
        switch fit {
        case .defaults: return FSRS6()
        case .map:
          return try FSRS6(parameters: FSRS6.fit(log) { _ in try checkpoint() }.parameters)
        case .heldOut:
          return try FSRS6(parameters: FSRS6.fitHeldOut(log) { _ in try checkpoint() }.parameters)
        }
      }
    case .fsrs7:
      return try predict(days: fractions) { before in
        let log = log(before, known: known, days: fractions)
        switch fit {
        case .defaults: return FSRS7()
        case .map:
          return try FSRS7(parameters: FSRS7.fit(log) { _ in try checkpoint() }.parameters)
        case .heldOut:
          return try FSRS7(parameters: FSRS7.fitHeldOut(log) { _ in try checkpoint() }.parameters)
        }
      }
    }
  }

  private func whole(_ review: QuizData.Review) -> Double { Double(max(review.days, 0)) }

  private func fractions(_ review: QuizData.Review) -> Double { max(review.seconds, 0) / 86_400 }

  /// The share of recalls among the answers before each fold.
  private func mean() -> [Double] {
    var result: [Double] = []
    var (right, all) = (1.0, 2.0)
    var share = 0.5
    var current = Int.min
    for review in reviews {
      let fold = fold(review)
      if isAsked(review) {
        if fold != current { (current, share) = (fold, right / all) }
        result.append(share)
      }
      if fold != -1 {
        all += 1
        if review.rating.isRecall { right += 1 }
      }
    }
    return result
  }

  /// All answers move the state of a card; the model is that of what lies before the fold.
  private func predict<M: MemoryModel>(
    days: (QuizData.Review) -> Double, _ model: (ArraySlice<QuizData.Review>) throws -> M
  ) throws -> [Double] {
    var result: [Double] = []
    let asked = Set(reviews.filter(isAsked).map(fold)).sorted()
    for fold in asked {
      guard let first = reviews.firstIndex(where: { self.fold($0) == fold }),
        let last = reviews.lastIndex(where: { self.fold($0) == fold })
      else { continue }
      let model = try model(reviews[..<first])
      var states: [Int: M.State] = [:]
      for review in reviews[...last] {
        guard let state = states[review.card] else {
          states[review.card] = model.initial(review.rating)
          continue
        }
        if self.fold(review) == fold {
          result.append(model.retrievability(state, after: days(review)))
        }
        states[review.card] = model.next(state, after: days(review), review.rating)
      }
    }
    return result
  }

  /// The answers that may be fitted to, the first `known` of which count.
  private func log(
    _ before: ArraySlice<QuizData.Review>, known: Int?, days: (QuizData.Review) -> Double
  ) -> ReviewLog {
    var histories: [Int: [ReviewLog.Review]] = [:]
    var left = known ?? Int.max
    for review in before {
      let counts = fold(review) != -1 && review.number > 1
      if counts && left == 0 { break }
      if counts { left -= 1 }
      histories[review.card, default: []].append(
        ReviewLog.Review(
          days: days(review), rating: review.rating, weight: counts ? 1 : 0, time: review.time))
    }
    var log = ReviewLog()
    for card in histories.keys.sorted() { log.append(histories[card] ?? []) }
    return log
  }
}
