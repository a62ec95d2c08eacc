internal import Glibc

/// How far away somebody is, as a viewer may see it: too coarse to find out where they are.
///
/// Rounding alone does not protect: who moves their own place step by step sees where the rounded
/// number changes, and three such circles meet in one point. So both places are first moved to the
/// centres of cells of about a kilometre, then the distance between the centres is rounded to whole
/// units, and 2 kilometres (or 1 mile) is the least. No number of questions tells more than the cell.
///
/// What a filter lets through tells as much as a number would. Where viewers can set their own
/// place freely, give the feed places that are `coarsened` already.
public struct ShownDistance: Hashable, Sendable, CustomStringConvertible {
  /// What is counted.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// 1000 metres.
    case kilometres
    /// 1609.344 metres.
    case miles
  }

  /// Whole units, `least` or more.
  public let value: Int
  /// What is counted.
  public let unit: Unit

  /// The distance of two places as it may be shown; nil when one of them is not known. O(1).
  public init?(between one: Place?, and other: Place?, in unit: Unit = .kilometres) {
    guard let one = one?.coarsened(to: Self.cell), let other = other?.coarsened(to: Self.cell)
    else { return nil }
    let distance = one.distance(to: other)
    let exact = unit == .kilometres ? distance.kilometres : distance.miles
    self.unit = unit
    value = max(Self.least(in: unit), Int(exact.rounded()))
  }

  /// The least value that is shown; it stands for every distance up to it.
  public static func least(in unit: Unit) -> Int { unit == .kilometres ? 2 : 1 }

  /// `7 km`, `at most 2 km`, `4 mi`.
  public var description: String {
    let text = "\(value) \(unit == .kilometres ? "km" : "mi")"
    return value == Self.least(in: unit) ? "at most \(text)" : text
  }

  private static var cell: Distance { .kilometres(1) }
}

extension Place {
  /// The centre of the cell that the place lies in: the earth in bands of latitude, each in equal
  /// parts, about `size` high and wide. Coarsening twice is coarsening once. O(1).
  ///
  /// - Parameter size: How high and wide cells are at least, 1 metre or more.
  public func coarsened(to size: Distance) -> Place {
    precondition(size.metres >= 1, "A cell is 1 metre high or more; got \(size.metres).")
    let height = size.metres / Self.meanEarthRadius * 180 / .pi
    let bands = max(1, (180 / height).rounded(.down))
    let band = min(((latitude + 90) / 180 * bands).rounded(.down), bands - 1)
    let north = (band + 0.5) / bands * 180 - 90
    let around = 2 * .pi * Self.meanEarthRadius * cos(north * .pi / 180)
    let parts = max(1, (around / size.metres).rounded(.down))
    let part = ((longitude + 180) / 360 * parts).rounded(.down)
    // −180 and 180 are one meridian.
    let east = ((part == parts ? 0 : part) + 0.5) / parts * 360 - 180
    return Place(latitude: north, longitude: east) ?? self
  }
}
