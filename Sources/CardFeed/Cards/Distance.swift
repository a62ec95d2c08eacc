internal import Glibc

/// A length on the earth's surface, kept in metres; never a bare number whose unit is a guess.
///
/// A distance that is not known is nil, never 0.
public struct Distance: Hashable, Comparable, Sendable {
  /// Metres, finite, 0 or more.
  public let metres: Double

  /// Metres in an international mile, exactly.
  public static let metresOfMile = 1609.344

  private init(_ metres: Double) {
    precondition(
      metres >= 0 && metres.isFinite, "A distance is finite and 0 or more; got \(metres) metres.")
    self.metres = metres
  }

  /// A distance in metres, finite and 0 or more.
  public static func metres(_ metres: Double) -> Distance { Distance(metres) }

  /// A distance in kilometres, finite and 0 or more.
  public static func kilometres(_ kilometres: Double) -> Distance { Distance(kilometres * 1000) }

  /// A distance in international miles of 1.609344 kilometres, finite and 0 or more.
  public static func miles(_ miles: Double) -> Distance { Distance(miles * metresOfMile) }

  /// In kilometres.
  public var kilometres: Double { metres / 1000 }

  /// In international miles.
  public var miles: Double { metres / Self.metresOfMile }

  /// Shorter before longer.
  public static func < (left: Distance, right: Distance) -> Bool { left.metres < right.metres }

  /// The distance of two places; nil when one of them is not known.
  public static func between(_ one: Place?, _ other: Place?) -> Distance? {
    guard let one, let other else { return nil }
    return one.distance(to: other)
  }
}

extension Place {
  /// The mean radius of the earth in metres, R₁ = (2a + b) / 3 of GRS 80 (Moritz 2000, "Geodetic
  /// Reference System 1980").
  static let meanEarthRadius = 6_371_008.8

  /// The great-circle distance on a sphere of the mean earth radius; off the ellipsoid's by half a
  /// per cent at most. 0 for equal places, half the circumference for opposite ones, the same in
  /// both directions to the last bit, and never NaN. O(1).
  ///
  /// The haversine formula (Sinnott 1984, "Virtues of the Haversine"), which keeps its digits for
  /// near places; what rounding makes greater than 1 for opposite ones counts as 1.
  public func distance(to other: Place) -> Distance {
    let latitudes = (other.latitude - latitude) * .pi / 360
    // Over the antimeridian the short way is meant, and −180 and 180 are one meridian.
    let longitudes = (other.longitude - longitude).remainder(dividingBy: 360) * .pi / 360
    let northward = sin(latitudes)
    let eastward = sin(longitudes)
    let parallels = cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180)
    let haversine = northward * northward + parallels * eastward * eastward
    return .metres(2 * Self.meanEarthRadius * asin(min(1, haversine.squareRoot())))
  }
}
