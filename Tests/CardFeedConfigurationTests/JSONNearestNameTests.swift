import CardFeedConfiguration
import Testing

/// Suggestions for misspelt names.
struct JSONNearestNameTests {
  static let names = [
    "size", "refillBelow", "rewind", "within-distance", "already-swiped", "kilometres", "limit",
    "use", "elo",
  ]

  @Test(
    arguments: [
      ("kilometers", "kilometres"), ("kilometre", "kilometres"), ("Kilometres", "kilometres"),
      ("KILOMETRES", "kilometres"), ("refill-below", "refillBelow"), ("sieze", "size"),
      ("isze", "size"), ("alredy-swipd", "already-swiped"), ("witin-distnace", "within-distance"),
      ("within", "within-distance"), ("kilo", "kilometres"), ("usee", "use"), ("ole", nil),
      ("size", "size"), ("", nil), ("x", nil), ("colour", nil), ("us", "use"), ("re", nil),
      (String(repeating: "size", count: 100), nil),
    ] as [(String, String?)])
  func suggests(_ name: String, _ expected: String?) {
    #expect(nearestName(to: name, in: Self.names) == expected)
    #expect(nearestName(to: name, in: Self.names.reversed()) == expected)
  }

  @Test func tiesAreDecidedByCaseThenByBytes() {
    #expect(nearestName(to: "cat", in: ["cut", "car", "cap"]) == "cap")
    #expect(nearestName(to: "Size", in: ["size", "sizE", "SiZe"]) == "SiZe")
    #expect(nearestName(to: "abc", in: ["abcdefgh", "abcdxyzw"]) == nil)
    #expect(nearestName(to: "abc", in: []) == nil)
  }
}
