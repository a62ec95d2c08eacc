/// What decides how a Social Relations Model is fitted and used.
struct SocialRelationsSettings: Sendable {
  /// The strategy's name.
  var name: String
  /// Whether people have effects of their own.
  var hasPeople = true
  /// Whether probabilities are averages over what is not known; else those of the mode.
  var averages = true
  /// Spreads that are given; nil is chosen by a holdout in each training.
  var actorSpread: Double?
  var partnerSpread: Double?
  var correlation: Double?
  var featureSpread: Double?
  var dyad: Double?
  /// Which traits are compared; empty for none.
  var comparisons = TraitComparisons()
  /// Whether a training keeps bases, weights and spreads of the model it has.
  var refitsPeopleOnly = false

  var hasFeatures: Bool { comparisons != TraitComparisons() }

  /// The name, a version, and everything that decides what a fit does.
  var identity: String {
    func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "holdout" }
    var parts = ["\(name)/1"]
    if hasPeople {
      parts.append("actor=\(text(actorSpread))")
      parts.append("partner=\(text(partnerSpread))")
    }
    if averages {
      parts.append("correlation=\(text(correlation))")
      parts.append("dyad=\(text(dyad))")
    }
    if hasFeatures {
      parts.append("feature=\(text(featureSpread))")
      parts.append(comparisons.identity)
    }
    return parts.joined(separator: " ")
  }
}
