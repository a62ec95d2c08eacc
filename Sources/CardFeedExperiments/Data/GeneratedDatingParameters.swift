extension GeneratedDating {
  /// What a generated population is like. The defaults resemble the Columbia evenings: 42 % yes,
  /// 16 % matches, women choosier than men, profiles that say little.
  public struct Parameters: Equatable, Sendable {
    /// Number of evenings.
    public var waves = 12
    /// Women in each evening.
    public var womenPerWave = 14
    /// Men in each evening.
    public var menPerWave = 14
    /// Share of yes among the women's decisions, on average over populations.
    public var womenYesRate = 0.365
    /// Share of yes among the men's decisions, on average over populations.
    public var menYesRate = 0.475
    /// Standard deviation of choosiness between people, in log odds.
    public var choosinessSD = 1.55
    /// Standard deviation of desirability between people, in log odds.
    public var desirabilitySD = 1.45
    /// Correlation of a person's choosiness and desirability, −1…1.
    public var correlation = 0.27
    /// Standard deviation of the liking that belongs to one rater and one target only, in log odds.
    public var relationshipSD = 0.8
    /// Correlation of that liking between the two directions of a pair, −1…1.
    public var reciprocity = 0.4
    /// Log odds gained by likeness of interests, per unit of the product of two standard normal
    /// interest scores.
    public var similarityWeight = 0.2
    /// Log odds lost per five years of age difference.
    public var ageWeight = 0.15
    /// Share of profile values (and ages) that are missing, 0…1.
    public var missingShare = 0.01

    /// The default population; change what should differ.
    public init() {}

    /// What is not allowed, one sentence per parameter; empty when a population can be made.
    public var faults: [String] {
      var faults: [String] = []
      func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) {
        if !range.contains(value) {
          faults.append(
            "\(name) is \(value); allowed: \(range.lowerBound)…\(range.upperBound)")
        }
      }
      func check(_ name: String, _ value: Int) {
        if !(1...SpeedDatingDraft.idRange.upperBound).contains(value) {
          faults.append("\(name) is \(value); allowed: 1…\(SpeedDatingDraft.idRange.upperBound)")
        }
      }
      check("waves", waves)
      check("womenPerWave", womenPerWave)
      check("menPerWave", menPerWave)
      if faults.isEmpty {
        let people = waves * (womenPerWave + menPerWave)
        let most = SpeedDatingDraft.idRange.upperBound
        if people > most {
          faults.append(
            "waves × (womenPerWave + menPerWave) is \(people) people; allowed: at most \(most)")
        }
      }
      check("womenYesRate", womenYesRate, 0.001...0.999)
      check("menYesRate", menYesRate, 0.001...0.999)
      check("choosinessSD", choosinessSD, 0...10)
      check("desirabilitySD", desirabilitySD, 0...10)
      check("correlation", correlation, -1...1)
      check("relationshipSD", relationshipSD, 0...10)
      check("reciprocity", reciprocity, -1...1)
      check("similarityWeight", similarityWeight, -10...10)
      check("ageWeight", ageWeight, -10...10)
      check("missingShare", missingShare, 0...1)
      return faults
    }
  }

  /// Parameters from which no population can be made.
  public struct ParameterError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is not allowed, one sentence per parameter.
    public let faults: [String]
    /// All faults, one per line.
    public var description: String { faults.joined(separator: "\n") }
  }
}
