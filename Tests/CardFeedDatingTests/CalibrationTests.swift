import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedDating

@Suite struct CalibrationTests {
  private func feed(
    _ of: JSONValue, _ world: SocialWorld, method: JSONValue = "platt"
  ) async throws -> DatingFeed {
    let feed = try await datingFeed(
      world.people,
      [
        "matchProbability": ["use": "calibrated", "of": of, "method": method, "least": 150],
        "filters": [], "ranking": ["use": "match-probability"],
      ])
    for answer in world.answers {
      try await feed.answer(
        world.people[Int(answer.viewer.rawValue) - 1].id,
        answer.meaning == .positive ? .like : .pass,
        world.people[Int(answer.card.rawValue) - 1].id)
    }
    return feed
  }

  @Test(
    arguments: [
      (["use": "additive", "actorSpread": 1.5, "partnerSpread": 1.2], 2),
      (["use": "elo-two-scale"], 1), (["use": "question-percentage"], 1),
    ] as [(JSONValue, Int)])
  func aFeedTrainsWhatItCalibrates(of: JSONValue, models: Int) async throws {
    var world = SocialWorld(pools: 1, side: 24)
    // Both answers of a pair one after the other, as on a date.
    world.answers.sort { $0.pairKey < $1.pairKey }
    let feed = try await feed(of, world)
    let cards = world.people[24...].map(\.id)
    let before = try await feed.estimates(for: world.people[0].id, cards: cards)
    let report = try await feed.train()
    #expect(report.file.entries.count == models)
    let own = try #require(report.file.entries.last)
    #expect(own.identity.hasPrefix("calibrated/1 method=platt least=150 of={"))
    let model = try CalibrationModel(bytes: own.model)
    let after = try await feed.estimates(for: world.people[0].id, cards: cards)
    if of["use"] == "question-percentage" {
      // Nobody answered a question: nothing was predicted, and nothing is known still.
      #expect(model.shortage == "not enough data: 0 pairs with a known outcome, 150 needed")
      #expect(after.allSatisfy { $0.match == nil })
      return
    }
    let pairs = 24 * 24
    #expect(model.answers == (models == 2 ? pairs : pairs / 3))
    #expect(after.allSatisfy { $0.match != nil && ($0.standardError ?? 0) > 0 })
    #expect(after.map(\.match) != before.map(\.match))
    // The same log gives the same function.
    #expect(try await feed.train().file.bytes == report.file.bytes)
    // The order is that of the estimates below it; a learner's were known before the training.
    guard models == 1 else { return }
    let order = before.indices.sorted {
      (before[$0].order ?? 0, $0) < (before[$1].order ?? 0, $1)
    }
    let values = order.compactMap { after[$0].match?.value }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func aConfigurationThatNamesTheFileFindsTheFunction() async throws {
    func identity(_ members: JSONObject) async throws -> String {
      var of: JSONObject = ["use": "additive"]
      for member in members.members { of[member.key] = member.value }
      let feed = try await datingFeed(
        [], ["matchProbability": ["use": "calibrated", "of": JSONValue(of)]])
      return try #require(try await feed.train().file.entries.last).identity
    }
    let plain = try await identity([:])
    #expect(try await identity(["actorSpread": 2]) != plain)
    #expect(
      plain
        == "calibrated/1 method=isotonic least=1000 of={\"actorSpread\":null,\"knownAnswers\":"
        + "\"ignore\",\"partnerSpread\":null,\"refit\":\"all\",\"unknown\":\"prior\",\"use\":"
        + "\"additive\"}")
  }
}

extension TrainingAnswer {
  fileprivate var pairKey: (Int64, Int64) {
    (min(viewer.rawValue, card.rawValue), max(viewer.rawValue, card.rawValue))
  }
}
