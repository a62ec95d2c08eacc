import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedSpacedRepetition
import CardFeedTesting

@testable import CardFeedQuiz

/// One learner's deck, led through the commands of a scenario of `Tests/Golden/anki-queue.txt`, which
/// says what they mean. What a command gives is written as there.
final class AnkiQueueScenario {
  private static let start = Timestamp(milliseconds: 1_767_571_200_000)

  private let names: [CardID]
  private let clock = ManualClock(now: start.advanced(byMilliseconds: 10 * hour))
  private let store = InMemoryStore()
  private let memory: Memory<SM2>
  private let feed: QuizFeed
  private var events = 0

  /// - Parameters:
  ///   - options: The words after `options`.
  ///   - names: The words after `cards`.
  init(options: [String: String], names: [String]) async throws {
    func number(_ key: String, _ value: Int) -> Int { options[key].flatMap { Int($0) } ?? value }
    func steps(_ key: String, _ minutes: String) -> [Double] {
      (options[key] ?? minutes).split(separator: ",").compactMap { Double($0) }
    }
    self.names = names.map { CardID($0) }
    let learning = steps("learningSteps", "1,10")
    let relearning = steps("relearningSteps", "10")
    let leech = options["leech"] ?? "suspend"
    memory = Memory(
      model: SM2(), time: .wholeDays,
      schedule: MemorySchedule(
        study: StudySchedule(
          learningSteps: LearningSteps(seconds: learning.map { $0 * 60 }),
          relearningSteps: LearningSteps(seconds: relearning.map { $0 * 60 }),
          maximumInterval: number("maximumInterval", 1)),
        days: StudyDays(zone: .utc, hour: number("dayStart", 4)), isFuzzed: false,
        leechAfter: number("leechAfter", 8),
        leechAction: leech == "suspend" ? .suspend : .mark))
    let ahead = JSONValue(number("aheadMinutes", 20))
    let model: JSONValue = [
      "use": "sm-2", "learningSteps": JSONValue(learning.map { JSONValue(orNull: $0) }),
      "relearningSteps": JSONValue(relearning.map { JSONValue(orNull: $0) }),
      "maximumInterval": JSONValue(number("maximumInterval", 1)), "fuzz": false,
      "leechAfter": JSONValue(number("leechAfter", 8)), "leech": JSONValue(leech),
      "dayStart": JSONValue(number("dayStart", 4)),
    ]
    let due: JSONValue = ["use": "due", "memory": model]
    let new: JSONValue = ["use": "new", "memory": model]
    let notes = names.map { String($0.prefix { $0 != "." }) }
    feed = try await quizFeed(
      zip(names, notes).map { name, note in
        QuizCard(
          id: CardID(name), prompt: name, answer: name, note: note,
          order: notes.firstIndex(of: note).map { Int64($0) })
      },
      [
        "hand": ["size": 1, "refillBelow": 1],
        "sources": [
          ["use": "relearning", "memory": model, "next": false],
          options["mix"] == "new-first" ? new : due,
          options["mix"] == "new-first" ? due : new,
          ["use": "relearning", "memory": model, "aheadMinutes": ahead],
        ],
        "filters": [["use": "study-schedule", "memory": model, "aheadMinutes": ahead]],
        "matchProbability": model,
        "slate": [
          [
            "use": "study-limits", "memory": model,
            "newPerDay": JSONValue(number("newPerDay", 20)),
            "reviewsPerDay": JSONValue(number("reviewsPerDay", 200)),
            "siblings": JSONValue(options["siblings"] ?? "bury"),
          ]
        ],
      ], clock: clock, store: store)
  }

  /// What a command gives; nil where it gives nothing.
  func run(_ command: String) async throws -> String? {
    let words = command.split(separator: " ").map(String.init)
    switch words.first {
    case "clock":
      let parts = words[2].split(separator: ":").compactMap { Int64($0) }
      clock.set(
        Self.start.advanced(
          byMilliseconds: (Int64(words[1]) ?? 0) * day + parts[0] * hour + parts[1] * minute))
      // A hand stays as it is for whoever holds it; Anki has none.
      _ = try await feed.redeal(for: "v")
      return nil
    case "top": return try await feed.asked().first?.description ?? "none"
    case "all":
      var served: [String] = []
      while served.count < 40, let card = try await answer(words[1]) {
        served.append(card.description)
      }
      return served.isEmpty ? "none" : served.joined(separator: " ")
    case "say": return try await answer(words[1])?.description ?? "none"
    case "suspend", "bury", "resume":
      try await feed.note(
        CardID(words[1]), QuizDeck.Answer(rawValue: words[0]) ?? .resume, event: nextEvent(),
        at: clock.now)
      _ = try await feed.redeal(for: "v")
      return nil
    case "undo":
      _ = try await feed.rewind(for: "v", event: EventID(nextEvent()))
      return nil
    case "cards":
      let known = try await known()
      return try await zip(names, store.numbers(for: names)).map { name, number in
        state(of: name, known[number])
      }.joined(separator: "; ")
    default:
      guard let card = try await answer(command) else { return "none" }
      let number = try await store.numbers(for: [card])[0]
      guard let known = try await known()[number] else { return "\(card) unknown" }
      let days = memory.schedule.days
      let wait = days.day(at: known.due) - days.day(at: known.last)
      let seconds = (known.due.milliseconds - known.last.milliseconds) / 1000
      return "\(card) " + (wait > 0 ? "\(wait)d" : "\(seconds)s") + flags(of: known)
    }
  }

  private func nextEvent() -> String {
    events += 1
    return "e\(events)"
  }

  private func answer(_ word: String) async throws -> CardID? {
    guard let answer = QuizDeck.Answer(rawValue: word) else { return nil }
    let card = try await feed.answer(answer, event: nextEvent())
    if card != nil, answer.rating != nil { clock.advance(byMilliseconds: 10_000) }
    return card
  }

  /// What follows from the answers that stand.
  private func known() async throws -> [CardNumber: CardMemory<SM2.State>] {
    let identity = ViewerIdentity.stored("v", isMutual: false)
    let viewer = try await store.numbers(for: [identity])[0]
    var record = LearnerRecord<SM2>()
    record.update(try await store.answersGiven(by: viewer), by: memory)
    return record.cards
  }

  private func state(of name: CardID, _ card: CardMemory<SM2.State>?) -> String {
    guard let card, card.state != nil else {
      return "\(name) new" + (card.map { flags(of: $0) } ?? "")
    }
    let today = memory.schedule.days.day(at: clock.now)
    let kind =
      switch card.phase {
      case .learning: "learning"
      case .relearning: "relearning"
      case .review: "review \((card.dueDay ?? today) - today)d"
      }
    return "\(name) \(kind) \(card.reviews)/\(card.lapses)" + flags(of: card)
  }

  private func flags(of card: CardMemory<SM2.State>) -> String {
    let isBuried = card.buriedDay == memory.schedule.days.day(at: clock.now)
    return (card.isSuspended ? " suspended" : isBuried ? " buried" : "")
      + (card.isLeech ? " leech" : "")
  }
}
