internal import CardFeedConfiguration

/// How far one machine reaches, from costs measured on it and assumptions about people.
///
/// Nothing here is a measurement of a large installation: it is arithmetic, to see what breaks first.
struct CapacityModel {
  /// What is assumed of people and of the machine.
  struct Assumptions {
    /// The share of all viewers that come on a day.
    var dailyActive = 0.15
    /// Swipes of such a viewer on that day.
    var swipesPerDay = 100.0
    /// Deals of such a viewer on that day.
    var dealsPerDay = 20.0
    /// The busiest second over the mean one.
    var peak = 3.0
    /// The share of a day's swipes that are passes, and fold later.
    var passes = 0.75
    /// Days until passes are folded and exposures are pruned.
    var hotDays = 14.0
    /// The share of the measured rate that is planned for.
    var load = 0.6
    /// Memory for the pages of the store, in bytes.
    var cache = 100e9
    /// Disk for the store, in bytes.
    var disk = 4e12
    /// Cards in the memory of the engine: bytes of one, with its columns and learned numbers, as
    /// `bench scale` prints it for people with a biography.
    var bytesPerCard = 850.0
    /// Bytes of a session in the memory of the engine, per card that its viewer has seen: an entry of
    /// 64 bytes in a dictionary that is between three eighths and three quarters full.
    var bytesPerSeenCard = 120.0

    var lines: [String] {
      [
        "assumed of people: \(Int(dailyActive * 100)) % of the viewers come on a day, "
          + "\(Int(swipesPerDay)) swipes and \(Int(dealsPerDay)) deals each, "
          + "\(Int(passes * 100)) % passes, \(Int(peak)) times the mean at the peak",
        "assumed of a machine: \(Int(load * 100)) % of the measured rate at the peak, "
          + "\(Int(cache / 1e9)) GB for pages, \(Int(disk / 1e12)) TB of disk, one writer; "
          + "passes fold and exposures go after \(Int(hotDays)) days",
      ]
    }
  }

  let costs: StoreCosts
  var assumptions = Assumptions()

  /// Swipes a day that one machine takes, by its rate.
  var swipesPerDay: Double {
    costs.swipesPerSecond * assumptions.load / assumptions.peak * 86_400
  }

  /// Viewers that one machine serves, by its rate.
  var viewersByRate: Double {
    swipesPerDay / assumptions.swipesPerDay / assumptions.dailyActive
  }

  /// Bytes of a viewer: hand and identity, and what the hot days bring.
  var hotBytesPerViewer: Double {
    let swipes = assumptions.dailyActive * assumptions.swipesPerDay * assumptions.hotDays
    let deals = assumptions.dailyActive * assumptions.dealsPerDay * assumptions.hotDays
    return costs.bytesPerViewer + swipes * costs.bytesPerSwipe + deals * costs.bytesPerDeal
  }

  /// Bytes that a viewer adds in a year and keeps: likes, and passes in their sets.
  var keptBytesPerYear: Double {
    let swipes = assumptions.dailyActive * assumptions.swipesPerDay * 365
    return swipes
      * ((1 - assumptions.passes) * costs.bytesPerSwipe
        + assumptions.passes * costs.bytesPerFoldedPass)
  }

  /// What every swipe and every deal touches: the indexes and the youngest leaves.
  var indexBytesPerViewer: Double {
    let swipes = assumptions.dailyActive * assumptions.swipesPerDay * assumptions.hotDays
    return swipes * (costs.indexBytesPerSwipe ?? costs.bytesPerSwipe * 0.4)
  }

  struct Row {
    let viewers: Double
    let swipesPerDay: Double
    let peakPerSecond: Double
    let writersByRate: Double
    let hotBytes: Double
    let keptBytesPerYear: Double
    let indexBytes: Double
    let breaksFirst: String
  }

  /// What a number of viewers needs, and what gives way first on one machine.
  func row(viewers: Double) -> Row {
    let swipes = viewers * assumptions.dailyActive * assumptions.swipesPerDay
    let peak = swipes / 86_400 * assumptions.peak
    let hot = viewers * hotBytesPerViewer
    let kept = viewers * keptBytesPerYear
    let index = viewers * indexBytesPerViewer
    // How many times one machine is not enough, for each thing that it has.
    let needs = [
      ("the rate of its one writer", peak / (costs.swipesPerSecond * assumptions.load)),
      ("indexes outgrow memory", index / assumptions.cache),
      ("the disk is full after a year", (hot + kept) / assumptions.disk),
      ("cards and sessions outgrow memory", engineBytes(viewers) / assumptions.cache),
    ]
    let worst = needs.max { $0.1 < $1.1 } ?? ("nothing", 0)
    let factor = (worst.1 * 10).rounded() / 10
    let text = worst.1 <= 1 ? "nothing yet" : "\(worst.0) (\(factor) times)"
    return Row(
      viewers: viewers, swipesPerDay: swipes, peakPerSecond: peak,
      writersByRate: (peak / (costs.swipesPerSecond * assumptions.load)).rounded(.up),
      hotBytes: hot, keptBytesPerYear: kept, indexBytes: index, breaksFirst: text)
  }

  /// Every viewer is a card, and at the peak a tenth of the day's viewers have a session.
  private func engineBytes(_ viewers: Double) -> Double {
    let seen = assumptions.swipesPerDay * assumptions.dailyActive * 365
    return viewers * assumptions.bytesPerCard
      + viewers * assumptions.dailyActive * 0.1 * seen * assumptions.bytesPerSeenCard
  }
}
