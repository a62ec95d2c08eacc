public import CardFeed

extension ZoneRules {
  /// The first moment of a day.
  ///
  /// Where the clock is put forward at midnight the day begins later, at 01:00 for instance. A day
  /// that the zone left out begins and ends at once, at the first moment of the day after it. Where
  /// the clock is put back over midnight, so that a day begins twice, the first time counts.
  ///
  /// - Complexity: O(changes of the offset).
  public func start(of day: CalendarDate) -> Timestamp {
    start(ofDay: day.daysSinceEpoch)
  }

  /// The moments from the start of a day to the start of the next one: 23, 24 or 25 hours nearly
  /// always, none for a day that the zone left out.
  ///
  /// - Complexity: O(changes of the offset).
  public func moments(of day: CalendarDate) -> Range<Timestamp> {
    let start = start(of: day)
    return start..<max(start, self.start(ofDay: day.daysSinceEpoch + 1))
  }

  /// The moments of the day that a moment belongs to. These spans follow one another without gap or
  /// overlap, also where the clock is put back over midnight and an hour of yesterday comes again:
  /// it belongs to the day that has begun.
  ///
  /// - Complexity: O(changes of the offset).
  public func momentsOfDay(at moment: Timestamp) -> Range<Timestamp> {
    let second = Self.seconds(moment)
    var day = Self.floorDivide(second + offset(atSecond: second), Self.secondsOfDay)
    var start = start(ofDay: day)
    while moment < start {
      day -= 1
      start = self.start(ofDay: day)
    }
    var end = self.start(ofDay: day + 1)
    while end <= moment {
      day += 1
      (start, end) = (end, self.start(ofDay: day + 1))
    }
    return start..<end
  }

  private func start(ofDay day: Int64) -> Timestamp {
    let midnight = day * Self.secondsOfDay
    let earliest = midnight - Self.farthestOffset
    // The offset jumps; between two jumps local time runs as UTC does. The first stretch that
    // reaches midnight has the moment.
    var stretch = (start: earliest, offset: offset(atSecond: earliest))
    for change in changes(after: earliest, until: midnight + Self.farthestOffset) {
      let moment = max(stretch.start, midnight - stretch.offset)
      if moment < change.time { return Timestamp(milliseconds: moment * 1000) }
      stretch = (change.time, change.offset)
    }
    return Timestamp(milliseconds: max(stretch.start, midnight - stretch.offset) * 1000)
  }

  /// The changes in a span of time, those of the file and those that recur after them.
  private func changes(after start: Int64, until end: Int64) -> [Change] {
    var found = changes.filter { $0.time > start && $0.time <= end }
    guard let recurring else { return found }
    let last = changes.last?.time ?? .min
    found += recurring.changes(around: start, end).filter {
      $0.time > max(start, last) && $0.time <= end
    }
    return found
  }
}
