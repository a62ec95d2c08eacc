import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// Counts of days against plain dictionaries.
@Suite struct DayCountTests {
  private let owner = CardNumber(1)
  private let counts = DayCounts(first: 0)

  private struct Event {
    let day: Int64
    let increments: [Increment]
  }

  private func increments(_ numbers: LearnedNumbers, _ day: Int64) -> [Increment] {
    numbers.read { counts.increments(of: owner, on: day, $0) }
  }

  private func count(_ numbers: LearnedNumbers, _ day: Int64) -> Int64 {
    numbers.read { counts.count(of: owner, on: day, $0) }
  }

  /// Answers of many people, two at one moment among them, taken back in any order while they are not
  /// older than three days; gaps of up to twenty days.
  @Test(arguments: UInt64(1)...20)
  func countsAreThoseOfTheAnswersThatStand(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    var standing: [Event] = []
    var day: Int64 = 20_000 - Int64(random.next() % 100)
    var wrong = 0
    for _ in 0..<1500 {
      switch random.next() % 7 {
      case 0...3:
        // Each is worked out before any of them counts.
        let atOnce = (0...(random.next() % 4 == 0 ? 1 + random.next() % 2 : 0)).map { _ in
          Event(day: day, increments: increments(numbers, day))
        }
        for event in atOnce { numbers.apply(event.increments) }
        standing += atOnce
      case 4...5:
        let recent = standing.indices.filter { day - standing[$0].day <= 3 }
        guard !recent.isEmpty else { break }
        let event = standing.remove(at: recent[Int(random.next() % UInt64(recent.count))])
        numbers.apply(event.increments, sign: -1)
      default: day += 1 + Int64(random.next() % 20)
      }
      for back in Int64(0)...3 {
        let expected = standing.count { $0.day == day - back }
        if count(numbers, day - back) != Int64(expected) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    for event in standing.shuffled(using: &random) { numbers.apply(event.increments, sign: -1) }
    #expect(numbers.nonzero().isEmpty)
  }

  /// Whatever was taken back, at any age: the sums clear up.
  @Test(arguments: UInt64(1)...20)
  func whatIsLeftOfManyDaysClearsUp(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    var standing: [Event] = []
    for day in Int64(20_500)..<20_900 {
      for _ in 0..<random.next() % 4 {
        let event = Event(day: day, increments: increments(numbers, day))
        numbers.apply(event.increments)
        standing.append(event)
      }
    }
    standing.shuffle(using: &random)
    for event in standing.prefix(standing.count / 2) {
      numbers.apply(event.increments, sign: -1)
    }
    for day in Int64(20_900)..<20_908 { numbers.apply(increments(numbers, day)) }
    for day in Int64(20_908)..<20_930 {
      #expect(count(numbers, day) == 0)
      for _ in 0..<3 { numbers.apply(increments(numbers, day)) }
      #expect(count(numbers, day) == 3)
    }
  }

  @Test(arguments: [2, 3, 9, 40])
  func firstEventsAtOnceAreAllCounted(many: Int) {
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    for day: Int64 in [19_990, 19_991, 20_000, 20_008, 20_050] {
      let atOnce = (0..<many).map { _ in increments(numbers, day) }
      for one in atOnce { numbers.apply(one) }
      #expect(count(numbers, day) == Int64(many))
      numbers.apply(increments(numbers, day))
      #expect(count(numbers, day) == Int64(many) + 1)
    }
  }

  /// The first of fifty viewers takes the answer back after all others have answered.
  @Test func takingTheFirstAnswerOfADayBackLosesNoOther() {
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    for _ in 0..<7 { numbers.apply(increments(numbers, 20_000)) }
    let first = increments(numbers, 20_016)
    numbers.apply(first)
    for _ in 0..<49 { numbers.apply(increments(numbers, 20_016)) }
    numbers.apply(first, sign: -1)
    #expect(count(numbers, 20_016) == 49)
    numbers.apply(increments(numbers, 20_016))
    #expect(count(numbers, 20_016) == 50)
  }

  @Test func eventsOfDaysPastAreCountedOnTheirDay() {
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    for day: Int64 in [20_003, 20_001, 20_000, 20_003, 20_001, 20_003] {
      numbers.apply(increments(numbers, day))
    }
    #expect((20_000...20_003).map { count(numbers, $0) } == [1, 2, 0, 3])
  }

  /// All sums of up to two other days are read exactly, below zero as well, however far away.
  @Test(arguments: UInt64(1)...20)
  func twoOtherDaysAreFound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      func below(_ limit: UInt64) -> Int64 { Int64(random.next() % limit) }
      let today = below(4000) - 2000
      var sums = DaySums()
      let own = below(2000)
      sums.add(own, of: today)
      var expected: [Int64: Int64] = [:]
      for _ in 0..<random.next() % 3 {
        let round = today - 1 - below(random.next() % 2 == 0 ? 3 : 2000)
        expected[round, default: 0] += below(2000) - 1000
      }
      for (round, count) in expected { sums.add(count, of: round) }
      let others = sums.others(than: today)
      #expect(
        others.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.round, $0.count) }) }
          == expected.filter { $0.value != 0 })
      #expect(sums.count(of: today) == own)
    }
  }

  @Test func moreDaysThanCanBeReadAreNoCount() {
    var sums = DaySums()
    for round: Int64 in 1...5 { sums.add(-round, of: -round * round) }
    #expect(sums.count(of: 0) == nil)
  }
}
