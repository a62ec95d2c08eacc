/// P(match) and its parts for every candidate of a slate. NaN inside is nil outside.
public struct MatchEstimates: Sendable {
  private var matches: [Double]
  private var uncalibrated: [Double]
  private var forwards: [Double]
  private var backwards: [Double]
  private var errors: [Double]
  /// What an operator should know of all of them together, such as why they are not calibrated. Free
  /// of private data.
  public var note: String?

  /// `count` candidates, all without an estimate.
  public init(count: Int) {
    matches = Array(repeating: .nan, count: count)
    uncalibrated = []
    forwards = []
    backwards = []
    errors = []
  }

  /// The same P(match) for everybody.
  public init(repeating probability: Probability, count: Int) {
    self.init(count: count)
    matches = Array(repeating: probability.value, count: count)
  }

  /// How many candidates there are.
  public var count: Int { matches.count }

  /// How many have nothing that could order them. O(n).
  var unknownCount: Int {
    matches.indices.count {
      matches[$0].isNaN && (uncalibrated.isEmpty || uncalibrated[$0].isNaN)
    }
  }

  /// Whether some are ordered by a number that is shown to nobody. O(1).
  public var isUncalibrated: Bool { !uncalibrated.isEmpty }

  /// The estimate of one candidate. O(1).
  public subscript(index: Int) -> MatchEstimate {
    get {
      func value(_ column: [Double]) -> Probability? {
        column.isEmpty ? nil : Probability(column[index])
      }
      func finite(_ column: [Double]) -> Double? {
        column.isEmpty || !column[index].isFinite ? nil : column[index]
      }
      return MatchEstimate(
        match: Probability(matches[index]), forward: value(forwards), backward: value(backwards),
        standardError: finite(errors), uncalibrated: finite(uncalibrated))
    }
    set {
      func set(_ column: inout [Double], _ value: Double?) {
        if column.isEmpty {
          guard value != nil else { return }
          column = Array(repeating: .nan, count: matches.count)
        }
        column[index] = value ?? .nan
      }
      matches[index] = newValue.match?.value ?? .nan
      set(&forwards, newValue.forward?.value)
      set(&backwards, newValue.backward?.value)
      set(&errors, newValue.standardError)
      set(&uncalibrated, newValue.uncalibrated)
    }
  }
}

/// How likely one viewer and one card are to match. Nil is "not known", never zero.
public struct MatchEstimate: Hashable, Sendable {
  /// P(match).
  public var match: Probability?
  /// P(the viewer wants the card).
  public var forward: Probability?
  /// P(the card wants the viewer), in a deck with two sides.
  public var backward: Probability?
  /// The standard error of `match`, at most ½; nil where it is not known. What it covers, or why there
  /// is none, the strategy's `uncertainty` says.
  public var standardError: Double?
  /// A number that grows with P(match) without being one, from a strategy that cannot tell more.
  /// Rankings may order by it; it is shown to nobody, and a calibration turns it into `match`.
  public var uncalibrated: Double?

  /// An estimate; what is not given is not known.
  public init(
    match: Probability?, forward: Probability? = nil, backward: Probability? = nil,
    standardError: Double? = nil, uncalibrated: Double? = nil
  ) {
    self.match = match
    self.forward = forward
    self.backward = backward
    self.standardError = standardError
    self.uncalibrated = uncalibrated
  }

  /// What candidates are ordered by: P(match), or the uncalibrated number in its place.
  public var order: Double? { match?.value ?? uncalibrated }
}

/// Estimates P(match) for each candidate, independent of the other candidates.
public protocol MatchProbabilityStrategy<D>: Strategy {
  /// One estimate for each candidate, in order.
  func estimates(for slate: Slate<D>) async throws -> MatchEstimates

  /// What the standard errors of the estimates cover, or why there are none.
  var uncertainty: MatchUncertainty { get }

  /// What the estimates are made of: parts with one value for each candidate, in order. Asked when an
  /// operator wants to know (`Feed.appraise`), never in a deal. None by default.
  func reasons(for slate: Slate<D>) async throws -> [EstimatePart]
}

extension MatchProbabilityStrategy {
  /// Unknown: the strategy does not say.
  public var uncertainty: MatchUncertainty { .unknown(reason: "the strategy does not say") }

  /// None.
  public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] { [] }
}
