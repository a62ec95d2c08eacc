#if XGBoost
  internal import CardFeed

  /// The decisions of a training: who about whom, yes or no, and what is known of everybody.
  struct DecisionData<D: Deck> {
    struct Decision {
      let own: Row
      let other: Row
      let liked: Bool
      /// Which fifth of the pairs it is in; by the identities, the same for both directions.
      let fold: Int
    }

    static var folds: Int { 5 }

    /// In an order that depends on the identities only.
    let decisions: [Decision]
    private let table: CardTable<D>

    /// Neutral answers, and those of or about cards that are gone, are left out.
    /// O(answers · log answers).
    init(_ history: TrainingHistory<D>) {
      let table = history.table
      var decisions: [(ids: (CardID, CardID), decision: Decision)] = []
      for answer in history.answers where answer.meaning != .neutral {
        guard answer.viewer != answer.card, let own = table.row(of: answer.viewer),
          let other = table.row(of: answer.card)
        else { continue }
        let ids = (table.id(at: own), table.id(at: other))
        decisions.append(
          (
            ids,
            Decision(
              own: own, other: other, liked: answer.meaning == .positive,
              fold: Self.fold(of: ids.0, ids.1))
          ))
      }
      self.decisions = decisions.sorted { $0.ids < $1.ids }.map(\.decision)
      self.table = table
    }

    private static func fold(of one: CardID, _ other: CardID) -> Int {
      var hash = StableHash()
      for id in [min(one, other), max(one, other)] {
        hash.combine(id.bytes.count)
        hash.combine(id.bytes)
      }
      return Int(hash.value % UInt64(folds))
    }

    /// The features that settings name, as far as the table has them.
    func features(_ settings: GradientBoostingSettings, deck: D) -> [DecisionFeature] {
      let names = NumericTraits.names(in: table, deck: deck, column: settings.column)
      func resolved(_ list: [String]) -> [String] {
        GradientBoostingSettings.resolved(list, among: names)
      }
      var features =
        resolved(settings.own).map(DecisionFeature.own)
        + resolved(settings.other).map(DecisionFeature.other)
        + resolved(settings.difference).map(DecisionFeature.difference)
      for column in settings.categories {
        guard case .category(_, let table)? = table.column(column) else { continue }
        for name in table.names.sorted() {
          features.append(.ownIs(column: column, name: name))
          features.append(.otherIs(column: column, name: name))
        }
      }
      if settings.hasRates { features += DecisionFeature.Rate.allCases.map(DecisionFeature.rate) }
      return features
    }

    /// Rows and outcomes of some decisions.
    ///
    /// - Parameters:
    ///   - asked: Which of them.
    ///   - known: Those that counts are made of; a pair's own answers never count for it.
    func rows(
      _ asked: (Decision) -> Bool, known: (Decision) -> Bool, features: [DecisionFeature],
      column: String
    ) -> TreeFit.Rows {
      var counts: [Row: LikeCounts] = [:]
      var answers: [Direction: Bool] = [:]
      for decision in decisions where known(decision) {
        counts[decision.own, default: LikeCounts()].give(decision.liked)
        counts[decision.other, default: LikeCounts()].receive(decision.liked)
        answers[Direction(from: decision.own, to: decision.other)] = decision.liked
      }
      let reader = DecisionReader(features, table: table, column: column)
      let people = Set(decisions.flatMap { [$0.own, $0.other] })
      let values = Dictionary(uniqueKeysWithValues: people.map { ($0, reader.values(of: $0)) })
      let chosen = decisions.filter(asked)
      var matrix = FeatureMatrix(columns: features.count, capacity: chosen.count)
      for decision in chosen {
        guard let own = values[decision.own], let other = values[decision.other] else { continue }
        let without = Self.without(
          own: counts[decision.own] ?? LikeCounts(), other: counts[decision.other] ?? LikeCounts(),
          given: answers[Direction(from: decision.own, to: decision.other)],
          received: answers[Direction(from: decision.other, to: decision.own)])
        matrix.append(reader.row(own, other, counts: without))
      }
      return TreeFit.Rows(matrix: matrix, outcomes: chosen.map(\.liked))
    }

    /// Rows of some folds, each with counts of the others among them. A rate without the row's own
    /// answer only would still tell it: of one person's rows those with a like have the lower rate.
    func rowsOfFolds(
      _ folds: [Int], features: [DecisionFeature], column: String
    ) -> TreeFit.Rows {
      var all = TreeFit.Rows(
        matrix: FeatureMatrix(columns: features.count, capacity: decisions.count), outcomes: [])
      for fold in folds {
        all.append(
          rows(
            { $0.fold == fold }, known: { $0.fold != fold && folds.contains($0.fold) },
            features: features, column: column))
      }
      return all
    }

    /// The counts of two people without what they said of each other.
    static func without(
      own: LikeCounts, other: LikeCounts, given: Bool?, received: Bool?
    ) -> (own: LikeCounts, other: LikeCounts) {
      var (own, other) = (own, other)
      if let given {
        own.give(given, sign: -1)
        other.receive(given, sign: -1)
      }
      if let received {
        other.give(received, sign: -1)
        own.receive(received, sign: -1)
      }
      return (own, other)
    }
  }

  private struct Direction: Hashable {
    let from: Row
    let to: Row
  }
#endif
