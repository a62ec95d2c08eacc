/// A measurement that a plugin brings, for `cardfeed bench NAME`.
///
/// The plugin does the work and returns figures; the command line reads the parameters, shows the
/// progress and writes the table, so that every measurement looks alike. Not for comparing
/// strategies: that is what experiments are for.
public struct Benchmark: Sendable {
  /// One figure of a run.
  public struct Figure: Hashable, Sendable {
    /// What was measured.
    public let name: String
    /// How much it was; nil where it could not be measured, which is not zero.
    public let value: Double?
    /// How many decimals people get to see.
    public let decimals: Int
    /// What the value counts; empty for a plain number.
    public let unit: String

    /// One figure of a run.
    public init(_ name: String, _ value: Double?, decimals: Int = 0, unit: String = "") {
      self.name = name
      self.value = value
      self.decimals = decimals
      self.unit = unit
    }
  }

  /// What a run found.
  public struct Report: Hashable, Sendable {
    /// The figures, in the order in which they are shown.
    public var figures: [Figure] = []
    /// What else to know: what could not be measured, and why.
    public var notes: [String] = []

    /// A report without figures.
    public init() {}
  }

  /// Told how far a part of the run has come. May be called from any thread.
  public typealias Progress = @Sendable (_ part: String, _ done: Int, _ total: Int) -> Void

  /// Measures. Throws what went wrong, and leaves nothing behind that it was not told to keep.
  public typealias Run = @Sendable (Parameters, @escaping Progress) async throws -> Report

  /// The word behind `cardfeed bench`.
  public let name: String
  /// What it measures, as a sentence.
  public let summary: String
  /// More about it, for the help.
  public let discussion: String
  /// What it takes. Whole numbers, texts and, as flags that are false when not given, booleans.
  public let parameters: [ParameterDescription]
  /// Measures.
  public let run: Run

  /// A measurement.
  public init(
    name: String, summary: String, discussion: String, parameters: [ParameterDescription],
    run: @escaping Run
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
    self.run = run
  }
}
