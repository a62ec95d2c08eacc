public import CardFeed
internal import CardFeedCalendar

/// A viewer's side of every pair that they are in, in one table at one moment: answers about one
/// card in O(1), without allocating.
public struct PreferenceSide: Sendable {
  private let columns: PreferenceColumns
  private let viewer: Row
  private let bounds: AgeBounds
  /// The viewer's full years; nil is unknown.
  private let age: Double?
  /// The viewer's gender among the names that people seek: −1 if nobody does, nil if unknown.
  private let gender: Int32?
  private let place: Place?
  /// Metres; NaN is none.
  private let maximumDistance: Double
  /// What lies outside is farther away than the viewer accepts.
  private let box: PlaceBox?

  init(
    _ viewer: Row, _ columns: PreferenceColumns, on today: CalendarDate?, leapDay: LeapDayPolicy
  ) {
    self.viewer = viewer
    self.columns = columns
    bounds = AgeBounds(
      minimum: columns.minimumAges[viewer.index], maximum: columns.maximumAges[viewer.index],
      on: today, leapDay: leapDay)
    age = columns.ages.age(of: viewer, on: today, leapDay: leapDay)
    let gender = columns.genders[viewer.index]
    self.gender = gender >= 0 ? columns.soughtCodes[Int(gender)] : nil
    place = columns.places[viewer.index]
    maximumDistance = columns.maximumDistances[viewer.index]
    if let place, maximumDistance >= 0 {
      box = PlaceBox(around: place, within: .metres(maximumDistance))
    } else {
      box = nil
    }
  }

  /// Whether the viewer and a card may meet.
  ///
  /// - Parameters:
  ///   - card: The card's row in the table that this side was made for.
  ///   - waiving: Whose preferences are left out of account.
  /// - Complexity: O(1), and the few names that a person lists.
  public func fit(with card: Row, waiving: PreferenceWaiver = []) -> PreferenceFit {
    if card == viewer { return .doesNotFit }
    var fit = PreferenceFit.fits
    if !waiving.contains(.own) { fit = ownFit(card) }
    if fit == .doesNotFit { return fit }
    if !waiving.contains(.other) { fit = max(fit, otherFit(card)) }
    if fit == .doesNotFit { return fit }
    if waiving != [.own, .other] { fit = max(fit, intentFit(card)) }
    return fit == .doesNotFit ? fit : max(fit, distanceFit(card, waiving))
  }

  /// Whether the card is what the viewer looks for, distance and intents apart.
  private func ownFit(_ card: Row) -> PreferenceFit {
    var fit = genderFit(card)
    if bounds.isBound { fit = max(fit, bounds.fit(of: card, in: columns.ages)) }
    fit = max(fit, verifiedFit(of: card, for: viewer))
    return fit == .doesNotFit ? fit : max(fit, columns.attributes.fit(of: card, for: viewer))
  }

  /// Whether the viewer is what the card looks for, distance and intents apart.
  private func otherFit(_ card: Row) -> PreferenceFit {
    var fit = PreferenceFit.fits
    let sought = columns.seeks[card.index]
    if !sought.isEmpty {
      fit = gender.map { sought.contains($0) ? .fits : .doesNotFit } ?? .unknown
    }
    let minimum = columns.minimumAges[card.index]
    let maximum = columns.maximumAges[card.index]
    if !minimum.isNaN || !maximum.isNaN {
      fit = max(fit, age.map { AgeBounds.fit($0, minimum, maximum) } ?? .unknown)
    }
    fit = max(fit, verifiedFit(of: viewer, for: card))
    return fit == .doesNotFit ? fit : max(fit, columns.attributes.fit(of: viewer, for: card))
  }

  private func genderFit(_ card: Row) -> PreferenceFit {
    let sought = columns.seeks[viewer.index]
    if sought.isEmpty { return .fits }
    let gender = columns.genders[card.index]
    guard gender >= 0 else { return .unknown }
    return sought.contains(columns.soughtCodes[Int(gender)]) ? .fits : .doesNotFit
  }

  private func verifiedFit(of person: Row, for judge: Row) -> PreferenceFit {
    guard columns.wantsVerified[judge.index] == 1 else { return .fits }
    switch columns.verified[person.index] {
    case 1: return .fits
    case 0: return .doesNotFit
    default: return .unknown
    }
  }

  private func intentFit(_ card: Row) -> PreferenceFit {
    let own = columns.intents[viewer.index]
    let other = columns.intents[card.index]
    if own.isEmpty || other.isEmpty { return .fits }
    for intent in own where other.contains(intent) { return .fits }
    return .doesNotFit
  }

  private func distanceFit(_ card: Row, _ waiving: PreferenceWaiver) -> PreferenceFit {
    let own = waiving.contains(.own) ? .nan : maximumDistance
    let other = waiving.contains(.other) ? .nan : columns.maximumDistances[card.index]
    if own.isNaN, other.isNaN { return .fits }
    guard let place, let there = columns.places[card.index] else { return .unknown }
    if !own.isNaN, let box, !box.contains(there) { return .doesNotFit }
    let distance = place.distance(to: there).metres
    // A limit that is NaN is none, and every comparison with NaN is false.
    return distance > own || distance > other ? .doesNotFit : .fits
  }
}
