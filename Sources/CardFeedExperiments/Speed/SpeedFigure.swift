/// One figure of a task that other programs are measured on, too.
public struct SpeedFigure: Hashable, Sendable {
  /// What a figure counts.
  public enum Unit: String, Hashable, Sendable {
    /// Seconds.
    case seconds = "s"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Microseconds.
    case microseconds = "µs"
    /// Viewers in each second.
    case viewersPerSecond = "viewers/s"
    /// Normalised discounted cumulative gain of the first twenty places, 0 … 1; no time.
    case ndcg = "NDCG@20"
    /// A ratio of two times.
    case ratio = ""
  }

  /// What was done, as a sentence.
  public let task: String
  /// How much of `unit` it took, or gave.
  public let value: Double
  /// What `value` counts.
  public let unit: Unit
  /// The share of the nearest rows that was found; nil where nothing is searched for.
  public let recall: Double?
  /// What the same figure is called in a table of other programs; empty where nobody measures it.
  public let beside: String

  /// A figure.
  public init(
    task: String, value: Double, unit: Unit, recall: Double? = nil, beside: String = ""
  ) {
    self.task = task
    self.value = value
    self.unit = unit
    self.recall = recall
    self.beside = beside
  }
}
