internal import CardFeed

/// Proposes the cards that wait for whole days and are due today, and after all of them the one that
/// is due next: the filter `study-schedule` holds it back, and an empty hand can say when there is
/// more.
struct DueSource: CandidateSource {
  typealias D = QuizDeck

  let memory: any StudyMemory
  let order: DueOrder

  var needs: ContextNeeds { .answersGiven }

  /// O(cards of the viewer · log limit).
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<QuizDeck>,
    context: DealContext<QuizDeck>
  ) async throws -> SourcePage {
    let moment = memory.moment(of: context)
    var due = moment.dueToday(by: order, limit: cursor.rawValue + limit)
    if due.count < cursor.rawValue + limit, let next = moment.dueNext() { due.append(next) }
    return SourcePage(due, from: cursor, limit: limit, table: table)
  }
}

/// Proposes cards in short steps, as soon as they are due or some time ahead, and after all of them
/// the one that is due next, as the source of due cards does. Of cards that are asked ahead the one
/// that was answered last waits for another.
struct RelearningSource: CandidateSource {
  typealias D = QuizDeck

  let memory: any StudyMemory
  /// How long before it is due a card may be asked, in milliseconds.
  let ahead: Int64
  /// Whether the card that is due next is proposed. No where a filter that looks further ahead would
  /// keep it, and it would come before what other sources propose.
  let proposesNext: Bool

  var needs: ContextNeeds { .answersGiven }

  /// O(cards of the viewer · log limit).
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<QuizDeck>,
    context: DealContext<QuizDeck>
  ) async throws -> SourcePage {
    let moment = memory.moment(of: context)
    let wanted = cursor.rawValue + limit
    var due = moment.inSteps(
      until: context.now.advanced(byMilliseconds: ahead), limit: max(2, wanted))
    if due.count > 1, due[0] == context.answersGiven.last?.card,
      let standing = moment.standing(of: due[0]), standing.due > context.now
    {
      due.swapAt(0, 1)
    }
    due = Array(due.prefix(wanted))
    if proposesNext, due.count < wanted {
      let next = moment.inSteps(until: Timestamp(milliseconds: .max), limit: due.count + 1)
      due = next.count > due.count ? next : due
    }
    return SourcePage(due, from: cursor, limit: limit, table: table)
  }
}

/// Proposes cards that the viewer has never answered: by the column `order`, then in the order in
/// which they came.
struct NewSource: CandidateSource {
  typealias D = QuizDeck

  let memory: any StudyMemory

  var needs: ContextNeeds { .answersGiven }

  /// O(cards · log limit).
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<QuizDeck>,
    context: DealContext<QuizDeck>
  ) async throws -> SourcePage {
    let moment = memory.moment(of: context)
    var orders: [Int64] = []
    if case .integer(let values)? = table.column("order") { orders = values }
    var best = SmallestValues(limit: cursor.rawValue + limit)
    for index in 0..<table.count {
      let number = table.number(at: Row(index))
      let standing = moment.standing(of: number)
      guard standing?.isNew ?? true, !(standing?.isSuspended ?? false) else { continue }
      let order = orders.isEmpty || orders[index] == .min ? Int64.max : orders[index]
      best.insert(CardNumber(Int64(index)), Double(order))
    }
    let rows = best.sorted.dropFirst(cursor.rawValue).map { Row(Int($0.rawValue)) }
    return SourcePage(
      rows: rows, next: rows.count == limit ? SourceCursor(cursor.rawValue + limit) : nil)
  }
}

extension SourcePage {
  /// The cards behind a cursor that counts them.
  fileprivate init(
    _ cards: [CardNumber], from cursor: SourceCursor, limit: Int, table: CardTable<QuizDeck>
  ) {
    let page = cards.dropFirst(cursor.rawValue)
    self.init(
      rows: page.compactMap { table.row(of: $0) },
      next: page.count == limit ? SourceCursor(cursor.rawValue + limit) : nil)
  }
}
