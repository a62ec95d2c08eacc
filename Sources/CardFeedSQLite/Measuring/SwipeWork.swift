import CardFeed
import Glibc

/// The swipes that are measured: of the top card of a hand, a fourth of them likes, each with what
/// one learner learns from it.
struct SwipeWork: Sendable {
  let viewers: [CardNumber]
  let cards: [CardNumber]

  private struct NoMatch: MatchRule {
    func isMatch(_ circumstances: MatchCircumstances) -> Bool { false }
  }

  /// A deal of five cards, or of none, which still makes the stack.
  func deal(to viewer: CardNumber, from start: Int? = nil) -> DealCommand {
    let dealt = start.map { start in (0..<5).map { cards[(start + $0 * 11) % cards.count] } } ?? []
    return DealCommand(
      viewer: viewer, time: Timestamp(milliseconds: 1), fingerprint: "0123456789abcdef",
      exposures: dealt.enumerated().map { place, card in
        Exposure(
          card: card, position: place, score: 0.123, probability: 0.25, propensity: 0.5)
      }, stack: { _ in Self.stack })
  }

  static var stack: StoredStack {
    StoredStack(
      generation: 0, top: 0, imageStart: 0, image: [UInt8](repeating: 1, count: 600))
  }

  func command(viewer index: Int, swipe: Int) -> SwipeCommand {
    let card = cards[(swipe &* 7 &+ index &* 13) % cards.count]
    let isLike = (swipe + index) % 4 == 0
    return SwipeCommand(
      viewer: viewers[index], card: card, event: EventID(event(index, swipe)),
      answer: isLike ? "like" : "pass", meaning: isLike ? .positive : .negative,
      time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(swipe)),
      expectation: .top(generation: 0, position: Int64(swipe)),
      deal: LogPosition(Int64(index + 1)), compatibility: 0.25, remaining: 3,
      matchRule: NoMatch(), learned: [delta(viewers[index], card, isLike)])
  }

  /// As long as a client's identifier of 128 bits is in hexadecimal digits.
  func event(_ index: Int, _ swipe: Int) -> String {
    let text = "\(index)-\(swipe)-"
    return text + String(repeating: "0", count: max(0, 32 - text.utf8.count))
  }

  private func delta(_ viewer: CardNumber, _ card: CardNumber, _ isLike: Bool) -> LearnerDelta {
    LearnerDelta(
      learner: "reference/1",
      increments: [
        Increment(LearnedKey(owner: viewer, slot: 0), isLike ? 12_345 : -2_345),
        Increment(LearnedKey(owner: viewer, slot: 1), 1),
        Increment(LearnedKey(owner: card, slot: 2), isLike ? -12_345 : 2_345),
        Increment(LearnedKey(owner: card, slot: 3), 1),
      ])
  }

  /// Runs some swipes of each viewer, and measures how long each waited and all took.
  func run(
    _ part: Range<Int>, on store: SQLiteStore
  ) async throws -> (times: [UInt64], nanoseconds: UInt64, processorNanoseconds: UInt64) {
    let clock = SystemClock()
    let processor = Self.processorNanoseconds
    let start = clock.uptimeNanoseconds
    let times = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for index in viewers.indices {
        group.addTask {
          var times: [UInt64] = []
          for swipe in part {
            let command = command(viewer: index, swipe: swipe)
            let begin = clock.uptimeNanoseconds
            let decision = try await store.commit([command]).first
            guard case .applied = decision else {
              preconditionFailure(
                "A measured swipe was answered with \(String(describing: decision))")
            }
            times.append(clock.uptimeNanoseconds - begin)
          }
          return times
        }
      }
      var all: [UInt64] = []
      for try await times in group { all += times }
      return all
    }
    let end = clock.uptimeNanoseconds
    return (times, end - start, Self.processorNanoseconds - processor)
  }

  private static var processorNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
