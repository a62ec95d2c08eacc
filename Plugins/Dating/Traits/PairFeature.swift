internal import CardFeed

/// One number about two people: how some of their traits compare.
struct PairFeature: Hashable, Sendable {
  /// How traits are compared.
  enum Comparison: String, CaseIterable, Sendable {
    /// The trait of the one who decides.
    case own
    /// The trait of the other.
    case other
    /// How far the two lie apart, |a − b|.
    case difference
    /// The one's deviation from the mean times the other's.
    case product
    /// 1 if the two are equal, else 0.
    case same
    /// Pearson's correlation of the two over several traits.
    case alike
  }

  let comparison: Comparison
  /// One trait; for a product the one's and the other's; for `alike` all of them.
  let traits: [String]

  /// The name in audits, as `difference(age)`.
  var name: String { comparison.rawValue + "(" + traits.joined(separator: ", ") + ")" }
}

/// Which traits are compared how, as a configuration says it.
struct TraitComparisons: Hashable, Sendable {
  var own: [String] = []
  var other: [String] = []
  var difference: [String] = []
  /// `a` for both people's a, `a:b` for the own a and the other's b.
  var product: [String] = []
  var same: [String] = []
  /// `a+b+c`: one feature for each entry.
  var alike: [String] = []

  /// Stands for every trait that is not sensitive.
  static let everything = "*"
  /// Before a name: not this one.
  static let excluding: Character = "-"

  private var lists: [(PairFeature.Comparison, [String])] {
    [
      (.own, own), (.other, other), (.difference, difference), (.product, product), (.same, same),
      (.alike, alike),
    ]
  }

  /// Part of the identity of a strategy.
  var identity: String {
    lists.filter { !$0.1.isEmpty }.map { "\($0.0.rawValue)=\($0.1.joined(separator: ","))" }
      .joined(separator: " ")
  }

  /// The features, `*` resolved among the names that the people of a table have. Names that nobody
  /// has make no feature.
  func features(among names: Set<String>) -> [PairFeature] {
    var features: [PairFeature] = []
    for (comparison, list) in lists {
      switch comparison {
      case .alike:
        for entry in list {
          let traits = entry.split(separator: "+").map(String.init).filter(names.contains)
          if traits.count >= PairComparer.leastAlike {
            features.append(PairFeature(comparison: .alike, traits: traits))
          }
        }
      case .product:
        for entry in Self.resolved(list, among: names, splitting: ":") {
          let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
          let traits = parts.count == 2 ? parts : [entry, entry]
          if traits.allSatisfy(names.contains) {
            features.append(PairFeature(comparison: .product, traits: traits))
          }
        }
      case .own, .other, .difference, .same:
        for trait in Self.resolved(list, among: names) {
          features.append(PairFeature(comparison: comparison, traits: [trait]))
        }
      }
    }
    return features
  }

  private static func resolved(
    _ list: [String], among names: Set<String>, splitting separator: Character? = nil
  ) -> [String] {
    let excluded = Set(list.filter { $0.first == excluding }.map { String($0.dropFirst()) })
    let named = list.filter { $0 != everything && $0.first != excluding }
    var result = named.filter { name in
      names.contains(name) || separator.map { name.contains($0) } ?? false
    }
    if list.contains(everything) {
      result += names.sorted().filter {
        !SensitiveTraits.contains($0) && !excluded.contains($0) && !named.contains($0)
      }
    }
    return result
  }
}
