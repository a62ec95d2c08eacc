internal import CardFeed
internal import CardFeedCalendar

/// The days of a learner, which begin at an hour of the night and not at midnight.
///
/// Day 0 is the one that begins on 1970-01-01 in the zone. Days follow one another without gap or
/// overlap, also where the clock is changed: a day then has 23 or 25 hours.
struct StudyDays: Hashable, Sendable {
  private static let millisecondsOfDay: Int64 = 86_400_000

  var zone: ZoneRules
  /// When a day begins, in milliseconds of the clock on the wall after midnight.
  let start: Int64

  /// - Parameters:
  ///   - zone: Whose clock counts.
  ///   - hour: The hour at which a day begins, 0 … 23.
  init(zone: ZoneRules, hour: Int) {
    self.zone = zone
    start = Int64(hour) * 3_600_000
  }

  /// The day that a moment belongs to. O(log changes of the zone).
  func day(at moment: Timestamp) -> Int64 {
    let local = moment.milliseconds + zone.offset(at: moment) * 1000 - start
    var day = local / Self.millisecondsOfDay
    if local < day * Self.millisecondsOfDay { day -= 1 }
    // Where the clock is put back over the beginning of a day, the day has begun all the same.
    return moment < beginning(of: day) ? day - 1 : moment >= beginning(of: day + 1) ? day + 1 : day
  }

  /// The first moment of a day. O(log changes of the zone).
  func beginning(of day: Int64) -> Timestamp {
    let local = day * Self.millisecondsOfDay + start
    func offset(_ moment: Int64) -> Int64 {
      zone.offset(at: Timestamp(milliseconds: moment)) * 1000
    }
    // By the offset before a change first: where the clock goes back the first time counts.
    let early = local - offset(local - Self.millisecondsOfDay / 2)
    let late = local - offset(early)
    if early == late || local - offset(late) == late { return Timestamp(milliseconds: late) }
    // The clock skips the beginning: the day begins at the change.
    var (before, after) = (late, early)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if offset(middle) == offset(before) { before = middle } else { after = middle }
    }
    return Timestamp(milliseconds: after)
  }
}
