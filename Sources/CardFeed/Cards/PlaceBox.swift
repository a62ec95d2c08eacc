internal import Glibc

/// The least latitudes and longitudes that hold everything within a distance of a place: what a
/// query compares before it computes distances.
///
/// Everything within the distance lies in the box, also across the antimeridian, where the box has
/// two ranges of longitudes, and at a pole, which has all of them. In its corners the box holds
/// places that are farther away.
public struct PlaceBox: Hashable, Sendable {
  /// Degrees north.
  public let latitudes: ClosedRange<Double>
  /// Degrees east: one range, or two where the box crosses the antimeridian.
  public let longitudes: [ClosedRange<Double>]

  /// Rounding moves a computed distance by less than this angle, in radians: a bit more than a
  /// metre.
  private static let margin = 2e-7

  /// The box around a place. O(1).
  ///
  /// The meridians touch the circle where sin Δλ = sin r / cos φ (Bronstein et al., "Handbook of
  /// Mathematics", spherical trigonometry).
  public init(around place: Place, within distance: Distance) {
    let angle = distance.metres / Place.meanEarthRadius + Self.margin
    let degrees = angle * 180 / .pi
    let south = place.latitude - degrees
    let north = place.latitude + degrees
    latitudes = max(south, -90)...min(north, 90)
    guard south > -90, north < 90 else {
      longitudes = [-180...180]
      return
    }
    let ratio = sin(angle) / cos(place.latitude * .pi / 180)
    let halfWidth = asin(min(1, ratio)) * 180 / .pi
    let west = place.longitude - halfWidth
    let east = place.longitude + halfWidth
    var ranges = [max(west, -180)...min(east, 180)]
    if west <= -180 { ranges.append((west + 360)...180) }
    if east >= 180 { ranges.append(-180...(east - 360)) }
    longitudes = ranges
  }

  /// Whether a place lies in the box. O(1).
  public func contains(_ place: Place) -> Bool {
    latitudes.contains(place.latitude) && longitudes.contains { $0.contains(place.longitude) }
  }
}
