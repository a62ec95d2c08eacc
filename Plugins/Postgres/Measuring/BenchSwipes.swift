#if Postgres
  internal import CardFeed

  /// The swipes that are measured: many people answer each other at random, a fourth of the answers
  /// are likes, and two likes make a match. Repeatable by their seed.
  ///
  /// Nobody swipes twice at the same moment, so each of the callers that swipe at once has viewers of
  /// its own. The cards are anybody.
  struct BenchSwipes {
    private struct MutualLike: MatchRule {
      func isMatch(_ circumstances: MatchCircumstances) -> Bool {
        circumstances.meaning == .positive && circumstances.reverse == .positive
      }
    }

    let people: Int
    private let stream: Int
    private let caller: Int
    private let callers: Int
    private var random: SplitMix64
    private var count = 0

    /// - Parameters:
    ///   - people: How many there are, with numbers from 1 on; 2 or more.
    ///   - stream: Which of the sequences; each has its own events.
    ///   - caller: Whose viewers swipe: those whose numbers leave this rest when divided by `callers`.
    ///   - callers: How many swipe at once, `people` at most.
    init(people: Int, stream: Int, caller: Int = 0, of callers: Int = 1) {
      self.people = people
      self.stream = stream
      self.caller = caller
      self.callers = callers
      random = SplitMix64(seed: UInt64(stream))
    }

    mutating func person() -> CardNumber {
      CardNumber(Int64(random.next() % UInt64(people)) + 1)
    }

    /// The next swipe, as it is recorded without a hand.
    mutating func next() -> SwipeCommand {
      let turn = Int64(random.next() % UInt64(people / callers))
      let viewer = CardNumber(turn * Int64(callers) + Int64(caller) + 1)
      var card = person()
      while card == viewer { card = person() }
      return swipe(viewer, card, .recorded)
    }

    /// The next swipe of a viewer, of the top of a hand.
    mutating func next(of viewer: ViewerNumber, at top: Int64) -> SwipeCommand {
      swipe(viewer, person(), .top(generation: 0, position: top))
    }

    private mutating func swipe(
      _ viewer: ViewerNumber, _ card: CardNumber, _ expectation: SwipeCommand.Expectation
    ) -> SwipeCommand {
      count += 1
      let isLike = random.next() % 4 == 0
      return SwipeCommand(
        viewer: viewer, card: card, event: EventID(identifier()),
        answer: isLike ? "like" : "pass", meaning: isLike ? .positive : .negative,
        time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(count)),
        expectation: expectation, deal: nil, compatibility: nil, remaining: 4,
        matchRule: MutualLike(), learned: [])
    }

    /// As long as a client's identifier of 128 bits is in hexadecimal digits.
    private mutating func identifier() -> String {
      func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
      }
      return digits(UInt64(stream) << 40 | UInt64(count)) + digits(random.next())
    }

    /// A deal that makes a viewer's hand.
    static func deal(to viewer: ViewerNumber) -> DealCommand {
      DealCommand(
        viewer: viewer, time: Timestamp(milliseconds: 1_700_000_000_000),
        fingerprint: "0123456789abcdef", exposures: [],
        stack: { _ in
          StoredStack(
            generation: 0, top: 0, imageStart: 0, image: [UInt8](repeating: 1, count: 600))
        })
    }
  }
#endif
