internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

/// The values of a person's record.
typealias PersonRecord = CardRecord

extension PersonRecord {
  /// An age that a person can have or look for, in years.
  func age(_ key: String) throws(CardProblem) -> Double? {
    try number(key, in: 0...150, allowed: "a number, 0 … 150")
  }

  func date(_ key: String) throws(CardProblem) -> CalendarDate? {
    let allowed = "a day as text, \"YYYY-MM-DD\""
    guard let value = value(key) else { return nil }
    guard let text = value.string else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard let date = CalendarDate(text) else {
      throw problem(key, "found a text that is no day of the calendar; allowed: \(allowed)")
    }
    return date
  }

  func place(_ key: String) throws(CardProblem) -> Place? {
    let allowed = "an object with \"latitude\", -90 … 90, and \"longitude\", -180 … 180"
    guard let value = value(key) else { return nil }
    guard let members = value.object else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard members.count == 2, let latitude = members["latitude"],
      let longitude = members["longitude"]
    else {
      throw problem(key, "the keys are not these two; allowed: \(allowed)")
    }
    guard let north = latitude.double, let east = longitude.double else {
      throw problem(
        key, "found \(latitude.kind) and \(longitude.kind); allowed: \(allowed)")
    }
    guard let place = Place(latitude: north, longitude: east) else {
      throw problem(key, "found a number out of range; allowed: \(allowed)")
    }
    return place
  }
}
