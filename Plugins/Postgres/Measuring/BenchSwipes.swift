#if Postgres
  internal import CardFeed

  /// The swipes that are measured: any of many people answers any other, a fourth of the answers are
  /// likes, and two likes make a match. Repeatable by their seed.
  struct BenchSwipes {
    private struct MutualLike: MatchRule {
      func isMatch(_ circumstances: MatchCircumstances) -> Bool {
        circumstances.meaning == .positive && circumstances.reverse == .positive
      }
    }

    let people: Int
    private let stream: Int
    private var random: SplitMix64
    private var count = 0

    /// - Parameters:
    ///   - people: How many there are, with numbers from 1 on; 2 or more.
    ///   - stream: Which of the sequences; each has its own events.
    init(people: Int, stream: Int) {
      self.people = people
      self.stream = stream
      random = SplitMix64(seed: UInt64(stream))
    }

    mutating func person() -> CardNumber {
      CardNumber(Int64(random.next() % UInt64(people)) + 1)
    }

    /// The next swipe, as it is recorded without a hand.
    mutating func next() -> SwipeCommand {
      let viewer = person()
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
