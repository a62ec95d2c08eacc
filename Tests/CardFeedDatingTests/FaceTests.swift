import CardFeed
import CardFeedConfiguration
import CardFeedDating
import Testing

/// What others see of a person.
@Suite struct FaceTests {
  /// 2024-06-15.
  private let now = Timestamp(milliseconds: 1_718_409_600_000)

  private func face(_ json: JSONValue) throws -> CardFace {
    let deck = DatingDeckPlugin()
    return deck.face(of: try deck.card(from: json), at: now)
  }

  @Test func theAgeIsShownAndNotTheDayOfBirth() throws {
    let face = try face([
      "id": "p1", "name": "Ada", "birth_date": "1994-06-16", "gender": "woman", "verified": true,
      "bio": "Hello.", "tags": ["chess"], "intents": ["love"],
      "place": ["latitude": 52.51234, "longitude": 13.41234], "seeks": ["man"], "min_age": 28,
      "attributes": ["smoking": "no"], "dealbreakers": ["smoking": ["yes"]], "traits": ["x": 0.75],
      "questions": [
        "children": ["answer": "some day", "accepts": ["maybe"], "importance": 50]
      ],
    ])
    #expect(
      face
        == CardFace(
          title: "Ada, 29", subtitle: "woman, verified", body: ["Hello."], tags: ["love", "chess"]))
  }

  @Test func whatIsUnknownIsLeftOut() throws {
    #expect(try face(["id": "p1"]) == CardFace(title: "p1"))
    #expect(try face(["id": "p1", "age": 30.5]) == CardFace(title: "p1, 30"))
    #expect(try face(["id": "p1", "name": "Bo", "verified": false]) == CardFace(title: "Bo"))
  }
}
