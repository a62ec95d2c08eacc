public import CardFeed
internal import CardFeedCalendar

/// Whose clock counts for which learner.
///
/// A learner of this deck is no card, so the host says where one is: from its accounts, or by what
/// the device says. An answer belongs to the day of the zone that is named for its moment, and no
/// answer to a day before that of an earlier one. So a flight makes a day longer or shorter, and
/// leaves none out and has none twice.
///
/// When a host knows only where learners are now it names that zone for every moment. Then answers
/// of before move to the days of the new zone, and after a flight west those of the early morning
/// count to the day before.
public struct LearnerZones: Sendable {
  private let name: (@Sendable (ViewerID, Timestamp) -> String?)?
  private let known = ZoneMemory()

  /// For nobody a zone of their own: the configuration's counts.
  public init() { name = nil }

  /// Zones of learners.
  ///
  /// - Parameter name: "UTC", an offset such as "+02:00", or a name such as "Europe/Berlin", for a
  ///   learner at a moment; nil, or a name that the system does not know, for the configuration's
  ///   zone. Asked for each answer of a learner who comes, and several times in each deal, from any
  ///   task, so it must be quick.
  public init(_ name: @escaping @Sendable (ViewerID, Timestamp) -> String?) { self.name = name }

  /// Which days a learner has at a moment: those given, on the learner's own clock; nil where nobody
  /// has a zone of their own.
  func days(
    of viewer: ViewerID, or days: StudyDays
  ) -> (@Sendable (Timestamp) -> StudyDays)? {
    guard let name else { return nil }
    return { [known] moment in
      guard let zone = name(viewer, moment).flatMap(known.rules) else { return days }
      var own = days
      own.zone = zone
      return own
    }
  }
}
