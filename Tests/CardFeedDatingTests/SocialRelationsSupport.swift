import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// People with two hidden numbers and a trait or two, and what they answered.
struct SocialWorld {
  let people: [Person]
  let actors: [Double]
  let partners: [Double]
  let table: CardTable<DatingDeck>
  var answers: [TrainingAnswer] = []

  /// Women and men in pools that do not mix; every woman-man pair of a pool answers with a chance.
  init(pools: Int = 4, side: Int = 10, share: Double = 1, tasteFor: Double = 0, seed: UInt64 = 1) {
    var generator = SplitMix64(seed: seed)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + generator.unitInterval() }
    }
    var people: [Person] = []
    var actors: [Double] = []
    var partners: [Double] = []
    for pool in 0..<pools {
      for place in 0..<2 * side {
        let shared = normal()
        actors.append(1.5 * (0.4 * shared + 0.9 * normal()))
        partners.append(1.2 * (-0.4 * shared + 0.9 * normal()))
        people.append(
          Person(
            id: "p\(pool)-\(place)", age: 20 + Double(generator.index(below: 30)),
            gender: place < side ? "woman" : "man",
            traits: ["sports": normal(), "race_code": Double(generator.index(below: 4))]))
      }
    }
    self.people = people
    self.actors = actors
    self.partners = partners
    table = CardTable<DatingDeck>.make(
      people.enumerated().map { (card: $1, number: CardNumber(Int64($0 + 1))) },
      deck: DatingDeck())
    for pool in 0..<pools {
      for a in 0..<2 * side {
        for b in 0..<2 * side where (a < side) != (b < side) {
          let (i, j) = (pool * 2 * side + a, pool * 2 * side + b)
          guard generator.unitInterval() < share else { continue }
          let taste =
            tasteFor * (people[i].traits["sports"] ?? 0) * (people[j].traits["sports"] ?? 0)
          let z = -0.4 + actors[i] + partners[j] + taste
          answers.append(answer(i, j, generator.unitInterval() < logistic(z)))
        }
      }
    }
  }

  func number(_ index: Int) -> CardNumber { CardNumber(Int64(index + 1)) }

  func answer(_ rater: Int, _ target: Int, _ liked: Bool) -> TrainingAnswer {
    TrainingAnswer(
      viewer: number(rater), card: number(target), meaning: liked ? .positive : .negative,
      time: Timestamp(milliseconds: 0), event: LogPosition(Int64(answers.count + 1)))
  }

  func answers(without person: Int) -> [TrainingAnswer] {
    answers.filter { $0.viewer != number(person) && $0.card != number(person) }
  }

  var history: TrainingHistory<DatingDeck> {
    TrainingHistory(
      answers: answers, table: table, deck: DatingDeck(), now: Timestamp(milliseconds: 0))
  }

  /// The slate of a viewer over everybody, with all answers by and about them in the context.
  func slate(_ viewer: Int, candidates: [Int]? = nil) -> Slate<DatingDeck> {
    var seen: [CardID: SeenEntry] = [:]
    var received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = []
    for answer in answers {
      let time = Timestamp(milliseconds: 0)
      if answer.viewer == number(viewer) {
        seen[people[Int(answer.card.rawValue) - 1].id] = SeenEntry(
          answer: .init(
            answer: answer.meaning == .positive ? "like" : "pass", meaning: answer.meaning,
            time: time, event: answer.event))
      }
      if answer.card == number(viewer) {
        received.append((people[Int(answer.viewer.rawValue) - 1].id, answer.meaning, time))
      }
    }
    return StrategyConformance.slate(
      of: people, deck: DatingDeck(), viewer: people[viewer].id, candidates: candidates,
      seen: seen, received: received)
  }
}

func socialRelations(
  _ name: String = "hybrid", states: LearnerStates = LearnerStates(),
  unknown: SocialRelationsProbability.Unknown = .prior,
  knownAnswers: SocialRelationsProbability.KnownAnswers = .ignore,
  _ change: (inout SocialRelationsSettings) -> Void = { _ in }
) -> SocialRelationsProbability {
  var settings = SocialRelationsSettings(name: name)
  (settings.actorSpread, settings.partnerSpread, settings.correlation) = (1.5, 1.2, -0.3)
  (settings.featureSpread, settings.dyad) = (0.3, 0.2)
  change(&settings)
  return SocialRelationsProbability(
    settings, unknown: unknown, knownAnswers: knownAnswers,
    slot: states.slot(for: settings.identity, of: SocialRelationsModel.self))
}

extension SocialRelationsProbability {
  /// Fits and takes the model.
  @discardableResult
  func trained(on world: SocialWorld) async throws -> SocialRelationsModel {
    let model = try await fit(world.history, progress: TrainingProgress())
    slot.replace(with: model)
    return model
  }
}
