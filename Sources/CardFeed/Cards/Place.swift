/// A place on the earth, in degrees. Latitude −90 … 90 (north positive), longitude −180 … 180.
public struct Place: Hashable, Sendable {
  /// Degrees north.
  public let latitude: Double
  /// Degrees east.
  public let longitude: Double

  /// Nil unless both numbers lie in their ranges.
  public init?(latitude: Double, longitude: Double) {
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
