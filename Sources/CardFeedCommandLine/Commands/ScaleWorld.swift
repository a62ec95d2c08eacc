internal import CardFeed
internal import CardFeedConfiguration

/// A world of people who swipe, made up from a seed: who they are and what they answer.
struct ScaleWorld: Sendable {
  /// People in the deck.
  let cards: Int
  /// How many of them swipe, the first ones.
  let viewers: Int
  /// Swipes of all of them together.
  let swipes: Int

  /// Swipes that a viewer makes in one go.
  static var visit: Int { 50 }

  func id(_ person: Int) -> String { "person-\(person)" }

  /// A record with everything that decks of people usually hold.
  func person(_ index: Int) -> JSONValue {
    var generator = SplitMix64(seed: UInt64(index))
    let isWoman = index % 2 == 0
    let age = 20 + generator.index(below: 40)
    var tags: [JSONValue] = []
    for _ in 0..<3 { tags.append(JSONValue("interest \(generator.index(below: 200))")) }
    let year = 2025 - age
    let (month, day) = (1 + generator.index(below: 12), 1 + generator.index(below: 28))
    return [
      "id": JSONValue(id(index)), "name": JSONValue("Name \(generator.index(below: 5_000))"),
      "birth_date": JSONValue("\(year)-\(Self.two(month))-\(Self.two(day))"),
      "gender": JSONValue(isWoman ? "woman" : "man"),
      "seeks": JSONValue([JSONValue(isWoman ? "man" : "woman")]),
      // Wide, because the calendar goes on and the record does not.
      "min_age": JSONValue(orNull: Double(max(18, age - 12))),
      "max_age": JSONValue(orNull: Double(age + 12)),
      "bio": JSONValue("Likes \(tags.count) things and number \(generator.index(below: 100_000))"),
      "place": [
        "latitude": JSONValue(orNull: 47 + generator.unitInterval() * 7),
        "longitude": JSONValue(orNull: 6 + generator.unitInterval() * 9),
      ],
      "tags": JSONValue(tags),
    ]
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// How often each viewer comes; the last time perhaps for fewer swipes.
  var rounds: Int { (swipes + viewers * Self.visit - 1) / (viewers * Self.visit) }

  /// The swipes of one viewer in one round. Some people are shown, and liked, more than others.
  func swipes<Answer: RawRepresentable>(
    of viewer: Int, round: Int, like: Answer, pass: Answer
  ) -> [RecordedSwipe<Answer>] where Answer.RawValue == String {
    let start = (round * viewers + viewer) * Self.visit
    var generator = SplitMix64(seed: UInt64(start) &+ 1 << 40)
    return (start..<max(start, min(start + Self.visit, swipes))).map { number in
      // The product of two draws favours low numbers.
      let place = generator.unitInterval() * generator.unitInterval()
      var card = Int(place * Double(cards))
      if card == viewer { card = (card + 1) % cards }
      let digits = String(number, radix: 16)
      // As long as a client's identifier of 128 bits is in hexadecimal digits.
      let event = String(repeating: "0", count: max(0, 32 - digits.utf8.count)) + digits
      return RecordedSwipe(
        Swipe(
          viewer: ViewerID(id(viewer)), card: CardID(id(card)),
          answer: generator.index(below: 4) == 0 ? like : pass, event: EventID(event)))
    }
  }
}
