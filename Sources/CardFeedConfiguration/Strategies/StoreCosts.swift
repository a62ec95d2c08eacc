/// What storing costs, measured on one machine in one run.
public struct StoreCosts: Hashable, Sendable {
  /// Viewers that swiped at once, each waiting for its commit.
  public var viewers = 0
  /// Swipes of all of them.
  public var swipes = 0
  /// Swipes that shared a commit, on average.
  public var groupSize = 0.0
  /// Durable swipes a second.
  public var swipesPerSecond = 0.0
  /// The same rows in groups of the same sizes, written by a bare loop over the store's C interface.
  public var referencePerSecond = 0.0
  /// The first over the second: the median of the turns that they took.
  public var ratio = 0.0
  /// From asking to receipt, in nanoseconds: half were quicker, and 99 % were.
  public var medianNanoseconds = 0.0
  /// From asking to receipt, in nanoseconds: 99 % were quicker.
  public var p99Nanoseconds = 0.0
  /// Writing a group of swipes to the log and waiting for the disk, in nanoseconds: the median.
  public var commitNanoseconds = 0.0
  /// Writing a group of swipes to the log and waiting for the disk, in nanoseconds: 99 % were quicker.
  public var commitP99Nanoseconds = 0.0
  /// Deciding and writing the rows of a group before its commit, in nanoseconds: the median.
  public var workNanoseconds = 0.0
  /// One page appended and on the disk, in nanoseconds: the median.
  public var syncNanoseconds = 0.0
  /// One page appended and on the disk, in nanoseconds: 99 % were quicker.
  public var syncP99Nanoseconds = 0.0
  /// Processor time of a swipe, in nanoseconds.
  public var processorNanoseconds = 0.0
  /// Bytes of a swipe, with what a learner learned from it and the indexes.
  public var bytesPerSwipe = 0.0
  /// Bytes of the indexes among them; nil where they cannot be counted.
  public var indexBytesPerSwipe: Double?
  /// Bytes of a viewer who holds a hand.
  public var bytesPerViewer = 0.0
  /// Bytes of a deal of five cards, without its hand.
  public var bytesPerDeal = 0.0
  /// Bytes of an old pass after its folding.
  public var bytesPerFoldedPass = 0.0

  /// The mean wait of as many waiting viewers behind the bare loop, in nanoseconds, by Little's law
  /// (1961): waiting = rate × time. No store over the same interface can wait less on average.
  public var referenceMeanNanoseconds: Double { Double(viewers) / referencePerSecond * 1e9 }

  /// Nothing measured yet.
  public init() {}
}
