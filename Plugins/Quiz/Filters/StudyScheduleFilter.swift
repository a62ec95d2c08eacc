internal import CardFeed

/// Keeps new cards and those that are due; never a suspended or a buried one.
///
/// Hard, whatever the source: a card that is asked too early teaches little and spoils its schedule.
/// The verdict says when a card comes back, so that an empty hand knows when there is more.
struct StudyScheduleFilter: FilterStrategy {
  typealias D = QuizDeck

  let memory: any StudyMemory
  /// How long before it is due a card in short steps may be asked, in milliseconds.
  let ahead: Int64

  /// No: of a card that lies in the hand, or was swiped a moment ago and may be taken back, the
  /// verdict changes by the answers alone. A card that is answered elsewhere leaves the hand anyway.
  var revalidates: Bool { false }

  var needs: ContextNeeds { .answersGiven }

  var reasons: [String] { ["not due yet", "suspended", "buried for the day"] }

  /// O(n).
  func verdicts(for slate: Slate<QuizDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    let moment = memory.moment(of: slate.context)
    let tomorrow = moment.days.beginning(of: moment.today + 1)
    // Nothing of the next day is asked ahead.
    let reach = min(
      slate.context.now.advanced(byMilliseconds: ahead), tomorrow.advanced(byMilliseconds: -1))
    return slate.numbers.map { number in
      guard let card = moment.standing(of: number) else { return .keep }
      if card.isSuspended { return .remove(reason: 1) }
      if card.isBuried { return .remove(reason: 2, due: tomorrow) }
      if card.isNew { return .keep }
      let isDue = card.dueDay.map { $0 <= moment.today } ?? (card.due <= reach)
      return isDue ? .keep : .remove(reason: 0, due: card.due)
    }
  }
}
