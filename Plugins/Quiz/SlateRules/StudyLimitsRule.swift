internal import CardFeed

/// Limits the new cards and the reviews of a day, and asks one card of a note a day.
///
/// Counted are the answers of the learner's day and the cards that lie in the hand. A card in short
/// steps is never kept back: it was begun.
struct StudyLimitsRule: SlateRule {
  typealias D = QuizDeck

  let memory: any StudyMemory
  /// Cards answered for the first time.
  let newPerDay: Int
  /// Answers to cards that were due.
  let reviewsPerDay: Int
  /// Whether the siblings of a card that was answered today, or lies in the hand, wait.
  let buriesSiblings: Bool

  var needs: ContextNeeds { .answersGiven }

  /// O(n + answers of the day).
  func adjustment(for ranked: RankedSlate<QuizDeck>) async throws -> SlateAdjustment {
    let context = ranked.slate.context
    let moment = memory.moment(of: context)
    var new = moment.introduced
    var reviews = moment.reviewed
    var notes: [Int32: CardNumber] = [:]
    let codes = noteCodes(ranked.slate.table)

    func kind(_ number: CardNumber) -> StudyKind {
      guard let card = moment.standing(of: number), !card.isNew else { return .new }
      return card.dueDay == nil ? .inSteps : .review
    }
    func count(_ number: CardNumber) {
      switch kind(number) {
      case .new: new += 1
      case .review: reviews += 1
      case .inSteps: break
      }
    }
    func note(_ number: CardNumber) -> Int32? {
      guard let row = ranked.slate.table.row(of: number), row.index < codes.count else {
        return nil
      }
      return codes[row.index] >= 0 ? codes[row.index] : nil
    }

    let beginning = moment.days.beginning(of: moment.today)
    for answer in context.answersGiven.reversed() {
      if answer.time < beginning { break }
      // Who suspends or buries a card was not asked what its siblings ask.
      let isReview = QuizDeck.Answer(rawValue: answer.answer)?.rating != nil
      if isReview, let note = note(answer.card) { notes[note] = answer.card }
    }
    for number in ranked.held.sorted() {
      count(number)
      if let note = note(number) { notes[note] = number }
    }

    var adjustment = SlateAdjustment()
    for (place, number) in ranked.slate.numbers.enumerated() {
      let kind = kind(number)
      let note = note(number)
      if kind != .inSteps, buriesSiblings, let note, let sibling = notes[note], sibling != number {
        adjustment.withheld[place] = "a card of the same note today"
      } else if kind == .new && new >= newPerDay {
        adjustment.withheld[place] = "\(newPerDay) new cards a day"
      } else if kind == .review && reviews >= reviewsPerDay {
        adjustment.withheld[place] = "\(reviewsPerDay) reviews a day"
      } else {
        count(number)
        if let note { notes[note] = number }
      }
    }
    return adjustment
  }

  private enum StudyKind { case new, review, inSteps }

  private func noteCodes(_ table: CardTable<QuizDeck>) -> [Int32] {
    guard buriesSiblings, case .category(let codes, _)? = table.column("note") else { return [] }
    return codes
  }
}
