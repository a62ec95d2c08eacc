internal import CardFeed
internal import CardFeedCalendar
public import CardFeedConfiguration

extension Person {
  /// The keys of a record, in the order of the documentation.
  private static let keys = [
    "id", "name", "birth_date", "age", "gender", "seeks", "min_age", "max_age", "bio", "image",
    "place", "tags", "max_distance", "intents", "verified", "wants_verified", "attributes",
    "dealbreakers", "zone", "daily_cards", "traits", "questions",
  ]

  /// Reads a record. Keys that are absent or `null` are unknown.
  ///
  /// - Throws: A `CardProblem` for the first thing that is wrong. It names kinds of values and
  ///   what is allowed, never a value.
  public init(json: JSONValue) throws(CardProblem) {
    let record = try PersonRecord(json, keys: Self.keys, of: "a person")
    guard let id = try record.text("id") else {
      throw record.problem("id", "the key is missing; allowed: a text that is not empty")
    }
    self.init(
      id: id, name: try record.text("name"), birthDate: try record.date("birth_date"),
      age: try record.age("age"), gender: try record.text("gender"),
      seeks: try record.texts("seeks"), minimumAge: try record.age("min_age"),
      maximumAge: try record.age("max_age"), bio: try record.text("bio", mayBeEmpty: true),
      image: try record.text("image"), place: try record.place("place"),
      tags: try record.texts("tags", mayBeEmpty: true),
      maximumDistance: try record.distance("max_distance"),
      intents: try record.texts("intents", emptyWouldBe: "anything"),
      verified: try record.bool("verified"),
      wantsVerified: try record.bool("wants_verified") ?? false,
      attributes: try record.attributes("attributes"),
      dealbreakers: try record.dealbreakers("dealbreakers"), zone: try record.zone("zone"),
      dailyCards: try record.dailyCards("daily_cards"), traits: try record.numbers("traits"),
      questions: try record.questions("questions"))
    if let minimumAge, let maximumAge, minimumAge > maximumAge {
      throw record.problem("max_age", "it is below min_age; allowed: min_age or more")
    }
  }

  /// The record, without the keys that are unknown.
  public var json: JSONValue {
    var object = JSONObject()
    object["id"] = JSONValue(id.description)
    object["name"] = name.map { JSONValue($0) }
    object["birth_date"] = birthDate.map { JSONValue($0.description) }
    object["age"] = Self.number(age)
    object["gender"] = gender.map { JSONValue($0) }
    if !seeks.isEmpty { object["seeks"] = JSONValue(seeks.map { JSONValue($0) }) }
    object["min_age"] = Self.number(minimumAge)
    object["max_age"] = Self.number(maximumAge)
    object["bio"] = bio.map { JSONValue($0) }
    object["image"] = image.map { JSONValue($0) }
    object["place"] = place.map { place in
      [
        "latitude": JSONValue(orNull: place.latitude),
        "longitude": JSONValue(orNull: place.longitude),
      ]
    }
    if !tags.isEmpty { object["tags"] = JSONValue(tags.map { JSONValue($0) }) }
    object["max_distance"] = maximumDistance.map(Self.json)
    if !intents.isEmpty { object["intents"] = JSONValue(intents.map { JSONValue($0) }) }
    object["verified"] = verified.map { JSONValue($0) }
    if wantsVerified { object["wants_verified"] = true }
    if !attributes.isEmpty {
      object["attributes"] = Self.object(attributes) { JSONValue($0) }
    }
    if !dealbreakers.isEmpty {
      object["dealbreakers"] = Self.object(dealbreakers) { texts in
        JSONValue(texts.map { JSONValue($0) })
      }
    }
    object["zone"] = zone.map { JSONValue($0) }
    object["daily_cards"] = dailyCards.map { JSONValue($0) }
    let traits = traits.filter { $0.value.isFinite }.sorted { $0.key < $1.key }
    if !traits.isEmpty {
      object["traits"] = JSONValue(
        JSONObject(traits.map { ($0.key, JSONValue(orNull: $0.value)) }))
    }
    if !questions.isEmpty { object["questions"] = Self.object(questions) { $0.json } }
    return JSONValue(object)
  }

  /// Members in the order of their names' bytes, so that a person has one text.
  private static func object<Value>(
    _ values: [String: Value], _ json: (Value) -> JSONValue
  ) -> JSONValue {
    let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return JSONValue(JSONObject(names.compactMap { name in values[name].map { (name, json($0)) } }))
  }

  /// In kilometres, unless only miles give back the very same distance.
  private static func json(_ distance: Distance) -> JSONValue {
    let isExact = Distance.kilometres(distance.kilometres) == distance
    if !isExact, Distance.miles(distance.miles) == distance {
      return ["miles": JSONValue(orNull: distance.miles)]
    }
    return ["kilometres": JSONValue(orNull: distance.kilometres)]
  }

  private static func number(_ value: Double?) -> JSONValue? {
    guard let value, value.isFinite else { return nil }
    return JSONValue(orNull: value)
  }
}
