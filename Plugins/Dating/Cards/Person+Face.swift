internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

extension Person {
  /// What others see of a person. What is private, or judges others, is left out: the age is shown and
  /// not the day of birth, and no place.
  func face(at now: Timestamp) -> CardFace {
    let days = now.milliseconds / Timestamp.day
    let today = CalendarDate(daysSinceEpoch: days)
    let years = birthDate.flatMap { born in today.flatMap { born.fullYears(until: $0) } }
    let shownAge = years ?? age.flatMap { Int(exactly: $0.rounded(.down)) }
    return CardFace(
      title: ([name ?? id.description] + [shownAge.map { "\($0)" }].compactMap { $0 })
        .joined(separator: ", "),
      subtitle: ([gender] + [verified == true ? "verified" : nil]).compactMap { $0 }
        .joined(separator: ", "),
      body: [bio].compactMap { $0 }, tags: intents + tags)
  }
}
