import CardFeedExperiments

/// The replay of an evening once more, from its definition alone and without a feed: the oracle of
/// the tests.
///
/// In each round everybody, ascending, who has cards left is shown one person not shown before; the
/// true answer counts at once. Budget b is ⌈b · n⌉ cards of the n people of the other side. Equal
/// scores go to the smaller number. A match is found when both have answered yes. Of `queue-aware`
/// this is the order under the constant probability 0.5.
struct DeckSimulator {
  enum Policy: String, CaseIterable {
    case sourceOrder = "source-order"
    case popularity
    case oracle
    case queueAware = "queue-aware"
  }

  private let data: SpeedDatingData
  private let yes: Set<[Int]>

  init(_ data: SpeedDatingData) {
    self.data = data
    yes = Set(data.decisions.filter(\.decision).map { [$0.rater, $0.target] })
  }

  /// The figures by the names of metrics.
  func figures(_ policy: Policy, budget: Double) -> [String: Double] {
    var found = 0
    var matched = 0
    var concentration = 0.0
    for wave in data.waves {
      let evening = evening(wave, policy, budget)
      found += evening.matches.count
      matched += Set(evening.matches.flatMap { $0 }).count
      for side in SpeedDatingData.Gender.allCases {
        let counts = data.persons.filter { $0.wave == wave && $0.gender == side }
          .map { Double(evening.shown[$0.id] ?? 0) }
        concentration += gini(counts) * Double(counts.count)
      }
    }
    let total = data.pairs.count(where: \.match)
    return [
      "matches@\(budget)": Double(found) / Double(total),
      "gini@\(budget)": concentration / Double(data.persons.count),
      "matched-people@\(budget)": Double(matched),
    ]
  }

  private func evening(
    _ wave: Int, _ policy: Policy, _ budget: Double
  ) -> (matches: [[Int]], shown: [Int: Int]) {
    let people = data.persons.filter { $0.wave == wave }.sorted { $0.id < $1.id }
    var seen: Set<[Int]> = []
    var shown: [Int: Int] = [:]
    var liked: [Int: Int] = [:]
    var used: [Int: Int] = [:]
    var matches: [[Int]] = []
    func left(_ person: SpeedDatingData.Person) -> Double {
      let others = people.count { $0.gender != person.gender }
      return (budget * Double(others) - 1e-9).rounded(.up) - Double(used[person.id] ?? 0)
    }
    // By number, since it is asked for each candidate.
    let byID = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
    func share(_ other: Int) -> Double {
      let queue = people.count { fan in
        seen.contains([fan.id, other]) && yes.contains([fan.id, other])
          && !seen.contains([other, fan.id])
      }
      guard let cards = byID[other].map(left), Double(queue) < cards else { return 0 }
      return ((cards - Double(queue)) / cards).squareRoot()
    }
    for _ in people {
      for person in people {
        let others = people.filter { $0.gender != person.gender }.map(\.id)
        guard left(person) > 0 else { continue }
        let candidates = others.filter { !seen.contains([person.id, $0]) }
        func score(_ other: Int) -> Double {
          switch policy {
          case .sourceOrder: 0
          case .popularity: (Double(liked[other] ?? 0) + 0.84) / (Double(shown[other] ?? 0) + 2)
          case .oracle:
            yes.contains([person.id, other]) && yes.contains([other, person.id]) ? 1 : 0
          case .queueAware:
            seen.contains([other, person.id])
              ? yes.contains([other, person.id]) ? 0.5 : 0 : 0.5 * share(other)
          }
        }
        guard let best = candidates.map(score).max(),
          let chosen = candidates.filter({ score($0) == best }).min()
        else { continue }
        seen.insert([person.id, chosen])
        used[person.id, default: 0] += 1
        shown[chosen, default: 0] += 1
        guard yes.contains([person.id, chosen]) else { continue }
        liked[chosen, default: 0] += 1
        if seen.contains([chosen, person.id]), yes.contains([chosen, person.id]) {
          matches.append([person.id, chosen])
        }
      }
    }
    return (matches, shown)
  }

  /// Half the mean absolute difference of two people, over the mean.
  private func gini(_ counts: [Double]) -> Double {
    let total = counts.reduce(0, +)
    guard total > 0 else { return 0 }
    var differences = 0.0
    for one in counts { for other in counts { differences += abs(one - other) } }
    return differences / (2 * Double(counts.count) * total)
  }
}
