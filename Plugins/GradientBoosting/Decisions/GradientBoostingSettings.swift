#if XGBoost
  internal import CardFeed

  /// What decides how decisions are turned into rows and trees are fitted to them.
  struct GradientBoostingSettings: Sendable {
    /// Stands for every trait whose name does not say that it is sensitive.
    static let everything = "*"
    /// Before a name: not this one.
    static let excluding: Character = "-"

    var boosting = BoostingSettings()
    /// How many trees there are; nil lets rows that are held out choose.
    var rounds: Int?
    /// Numbers of the one who decides.
    var own = ["*"]
    /// Numbers of the other.
    var other = ["*"]
    /// Numbers whose distance counts.
    var difference = ["*"]
    /// Columns of names, each name of which becomes a number: 1 or 0.
    var categories = ["gender"]
    /// The column of named numbers.
    var column = "traits"
    /// Whether people's like rates count; in a deck with one side, what was answered before.
    var hasRates = true

    /// The strategy's name, a version, and everything that decides what a fit does.
    var identity: String {
      let lists = [
        ("own", own), ("other", other), ("difference", difference), ("categories", categories),
      ].map { "\($0.0)=\($0.1.joined(separator: ","))" }.joined(separator: " ")
      return "gradient-boosting/1 \(boosting.identity) "
        + "rounds=\(rounds.map { "\($0)" } ?? "held-out") \(lists) column=\(column) "
        + "rates=\(hasRates)"
    }

    /// The same of a deck with one side, where nobody has an own side.
    var answerIdentity: String {
      "gradient-boosting/1 one-sided \(boosting.identity) "
        + "rounds=\(rounds.map { "\($0)" } ?? "held-out") other=\(other.joined(separator: ",")) "
        + "categories=\(categories.joined(separator: ",")) column=\(column) rates=\(hasRates)"
    }

    /// The numbers of a list: those that are named, and with `*` all that are not sensitive. Names that
    /// nobody has are left out.
    static func resolved(_ list: [String], among names: Set<String>) -> [String] {
      let excluded = Set(list.filter { $0.first == excluding }.map { String($0.dropFirst()) })
      let named = list.filter {
        $0 != everything && $0.first != excluding && names.contains($0) && !excluded.contains($0)
      }
      guard list.contains(everything) else { return named }
      return named
        + names.sorted().filter {
          !SensitiveTraits.contains($0) && !excluded.contains($0) && !named.contains($0)
        }
    }
  }
#endif
