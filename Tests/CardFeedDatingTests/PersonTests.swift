import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import Testing

@Suite struct PersonTests {
  private let everything: JSONValue = [
    "id": "Zoë", "name": "Zoë", "birth_date": "1994-02-28", "age": 31.5, "gender": "woman",
    "seeks": ["man", "woman"], "min_age": 25, "max_age": 40, "bio": "", "image": "https://x/y",
    "place": ["latitude": 52.5, "longitude": -13.25], "tags": ["climbing", "jazz", "jazz"],
    "max_distance": ["kilometres": 50], "intents": ["love", "friends"], "verified": true,
    "wants_verified": true, "attributes": ["smoking": "no", "pets": "cats"],
    "dealbreakers": ["smoking": ["yes", "often"]], "zone": "Europe/Berlin",
    "daily_cards": 40, "traits": ["age_wanted": -1, "sports": 7.5],
    "questions": [
      "messy": ["answer": "never", "accepts": ["never", "seldom"], "importance": 50],
      "tea": ["answer": "yes", "importance": 0],
    ],
  ]

  @Test func everyValueIsReadAndWritten() throws {
    let person = try Person(json: everything)
    let place = Place(latitude: 52.5, longitude: -13.25)
    #expect(
      person
        == Person(
          id: "Zoë", name: "Zoë", birthDate: CalendarDate("1994-02-28"), age: 31.5,
          gender: "woman", seeks: ["man", "woman"], minimumAge: 25, maximumAge: 40, bio: "",
          image: "https://x/y", place: place, tags: ["climbing", "jazz", "jazz"],
          maximumDistance: .kilometres(50), intents: ["love", "friends"], verified: true,
          wantsVerified: true, attributes: ["smoking": "no", "pets": "cats"],
          dealbreakers: ["smoking": ["yes", "often"]], zone: "Europe/Berlin",
          dailyCards: 40, traits: ["age_wanted": -1, "sports": 7.5],
          questions: [
            "messy": QuestionAnswer(
              answer: "never", accepts: ["never", "seldom"], importance: .very),
            "tea": QuestionAnswer(answer: "yes"),
          ]))
    #expect(person.json == everything)
    let deck = DatingDeck()
    #expect(try deck.decode(deck.encode(person)) == person)
    #expect(deck.encode(person) == everything.canonicalBytes())
  }

  @Test func whatIsAbsentOrNullIsUnknown() throws {
    #expect(try Person(json: ["id": "a"]) == Person(id: "a"))
    let nulls = everything.object.map { object in
      JSONObject(object.members.map { ($0.key, $0.key == "id" ? "a" : JSONValue.null) })
    }
    #expect(try Person(json: JSONValue(try #require(nulls))) == Person(id: "a"))
    #expect(Person(id: "a").json == ["id": "a"])
  }

  @Test func numbersThatJSONLacksAreUnknown() throws {
    let person = Person(id: "a", age: .nan, minimumAge: .infinity)
    #expect(person.json == ["id": "a"])
  }

  @Test(
    arguments: [
      ([1], "$: found an array; allowed: an object with the keys of a person"),
      ([:], "$.id: the key is missing; allowed: a text that is not empty"),
      (["id": 7], "$.id: found a number; allowed: a text that is not empty"),
      (["id": ""], "$.id: found an empty text; allowed: a text that is not empty"),
      (
        ["id": "a", "birth_date": "28.2.1994"],
        "$.birth_date: found a text that is no day of the calendar; allowed: a day as text, "
          + "\"YYYY-MM-DD\""
      ),
      (
        ["id": "a", "birth_date": 19_940_228],
        "$.birth_date: found a number; allowed: a day as text, \"YYYY-MM-DD\""
      ),
      (["id": "a", "age": "31"], "$.age: found a string; allowed: a number, 0 … 150"),
      (["id": "a", "age": 1994], "$.age: found a number out of range; allowed: a number, 0 … 150"),
      (
        ["id": "a", "min_age": -1],
        "$.min_age: found a number out of range; allowed: a number, 0 … 150"
      ),
      (
        ["id": "a", "min_age": 40, "max_age": 39],
        "$.max_age: it is below min_age; allowed: min_age or more"
      ),
      (
        ["id": "a", "gender": ["man"]],
        "$.gender: found an array; allowed: a text that is not empty"
      ),
      (
        ["id": "a", "seeks": "man"],
        "$.seeks: found a string; allowed: a list of texts that are not empty"
      ),
      (
        ["id": "a", "seeks": []],
        "$.seeks: found an empty list; allowed: a list of texts that are not empty; leave the key out "
          + "for everybody"
      ),
      (
        ["id": "a", "tags": ["x", 1]],
        "$.tags[1]: found a number; allowed: a text that is not empty"
      ),
      (
        ["id": "a", "tags": [""]],
        "$.tags[0]: found an empty text; allowed: a text that is not empty"
      ),
      (
        ["id": "a", "place": [52.5, 13.4]],
        "$.place: found an array; allowed: an object with \"latitude\", -90 … 90, and "
          + "\"longitude\", -180 … 180"
      ),
      (
        ["id": "a", "place": ["latitude": 52.5]],
        "$.place: the keys are not these two; allowed: an object with \"latitude\", -90 … 90, and "
          + "\"longitude\", -180 … 180"
      ),
      (
        ["id": "a", "place": ["latitude": "52.5", "longitude": nil]],
        "$.place: found a string and null; allowed: an object with \"latitude\", -90 … 90, and "
          + "\"longitude\", -180 … 180"
      ),
      (
        ["id": "a", "place": ["latitude": 91.5, "longitude": 13]],
        "$.place: found a number out of range; allowed: an object with \"latitude\", -90 … 90, and "
          + "\"longitude\", -180 … 180"
      ),
      (
        ["id": "a", "max_aeg": 30],
        "$.max_aeg: the key is unknown; allowed: \"id\", \"name\", \"birth_date\", \"age\", "
          + "\"gender\", \"seeks\", \"min_age\", \"max_age\", \"bio\", \"image\", \"place\", "
          + "\"tags\", \"max_distance\", \"intents\", \"verified\", \"wants_verified\", "
          + "\"attributes\", \"dealbreakers\", \"zone\", \"daily_cards\", "
          + "\"traits\", \"questions\"; did you mean \"max_age\"?"
      ),
      (
        ["id": "a", "traits": ["sports"]],
        "$.traits: found an array; allowed: an object of numbers by name"
      ),
      (
        ["id": "a", "traits": ["sports": "much"]],
        "$.traits.sports: found a string; allowed: a finite number under a name that is not empty"
      ),
    ] as [(JSONValue, String)])
  func aBrokenRecordSaysWhatIsWrong(json: JSONValue, message: String) {
    let problem = #expect(throws: CardProblem.self) { try Person(json: json) }
    #expect(problem?.description == message)
  }

  private static let lengths =
    "allowed: an object with either \"kilometres\" or \"miles\", a number above 0, "
    + "at most 40000 kilometres"

  @Test(
    arguments: [
      (["id": "a", "max_distance": 50], "$.max_distance: found a number; \(lengths)"),
      (
        ["id": "a", "max_distance": ["kilometres": 50, "miles": 30]],
        "$.max_distance: the keys are not exactly one of these two; \(lengths)"
      ),
      (
        ["id": "a", "max_distance": ["metres": 50]],
        "$.max_distance: the keys are not exactly one of these two; \(lengths)"
      ),
      (
        ["id": "a", "max_distance": ["miles": "50"]],
        "$.max_distance: found a string; \(lengths)"
      ),
      (
        ["id": "a", "max_distance": ["miles": 0]],
        "$.max_distance: found a number out of range; \(lengths)"
      ),
      (
        ["id": "a", "max_distance": ["miles": 25_000]],
        "$.max_distance: found a number out of range; \(lengths)"
      ),
      (
        ["id": "a", "intents": []],
        "$.intents: found an empty list; allowed: a list of texts that are not empty; leave the key "
          + "out for anything"
      ),
      (["id": "a", "verified": "yes"], "$.verified: found a string; allowed: true or false"),
      (
        ["id": "a", "wants_verified": 1], "$.wants_verified: found a number; allowed: true or false"
      ),
      (
        ["id": "a", "attributes": ["smoking"]],
        "$.attributes: found an array; allowed: an object of texts that are not empty, by name"
      ),
      (
        ["id": "a", "attributes": ["smoking": true]],
        "$.attributes.smoking: found a boolean; allowed: a text that is not empty"
      ),
      (
        ["id": "a", "attributes": ["a=b": "c"]],
        "$.attributes: a name is empty or holds '='; allowed: a name without '='"
      ),
      (
        ["id": "a", "attributes": ["é": "c", "e\u{301}": "d"]],
        "$.attributes: two names differ in their Unicode form only; allowed: each name once"
      ),
      (
        ["id": "a", "dealbreakers": ["smoking": "yes"]],
        "$.dealbreakers.smoking: found a string; allowed: a list of texts that are not empty; leave "
          + "the name out for everything"
      ),
      (
        ["id": "a", "dealbreakers": ["smoking": []]],
        "$.dealbreakers.smoking: found an empty list; allowed: a list of texts that are not empty; "
          + "leave the name out for everything"
      ),
      (
        ["id": "a", "dealbreakers": ["smoking": ["yes", ""]]],
        "$.dealbreakers.smoking[1]: found an empty text; allowed: a text that is not empty"
      ),
      (
        ["id": "a", "daily_cards": 2.5],
        "$.daily_cards: found a number; allowed: a whole number, 1 … 1000000"
      ),
      (
        ["id": "a", "daily_cards": 0],
        "$.daily_cards: found a number out of range; allowed: a whole number, 1 … 1000000"
      ),
      (
        ["id": "a", "zone": "../Berlin"],
        "$.zone: found a text that no time zone can be called; allowed: a name such as "
          + "\"Europe/Berlin\", \"UTC\", or an offset such as \"+02:00\""
      ),
    ] as [(JSONValue, String)])
  func aBrokenPreferenceSaysWhatIsWrong(json: JSONValue, message: String) {
    let problem = #expect(throws: CardProblem.self) { try Person(json: json) }
    #expect(problem?.description == message)
  }

  /// A distance is read back as the very same one, whatever the unit.
  @Test func distancesAreReadBack() throws {
    var generator = SplitMix64(seed: 13)
    for _ in 0..<5000 {
      let number = Double(1 + generator.index(below: 240_000)) / 10
      for distance in [Distance.kilometres(number), .miles(number)] {
        let person = Person(id: "a", maximumDistance: distance)
        #expect(try Person(json: person.json) == person, "\(distance.metres)")
      }
    }
    #expect(Person(id: "a", maximumDistance: .miles(1)).json["max_distance"] != nil)
  }

  /// A person has one text, whatever the order of a dictionary.
  @Test func namesAreWrittenInOrder() throws {
    let names = (0..<20).map { "name \($0)" }
    let person = Person(
      id: "a", attributes: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
    #expect(person.json["attributes"]?.object?.keys == names.sorted())
  }

  /// Any value in the place of any other is a card or a problem, and no problem tells a value.
  @Test func noRecordTraps() throws {
    let values: [JSONValue] = [
      nil, true, 12_345.5, -12_345.5, 1e300, "secret", "", [], [:], ["secret"], [12_345.5],
      ["latitude": "secret", "longitude": 12_345.5], ["latitude": 12_345.5, "longitude": 1],
    ]
    var problems = 0
    for key in try #require(everything.object).keys {
      for value in values {
        var object = try #require(everything.object)
        object[key] = value
        do {
          let person = try Person(json: JSONValue(object))
          #expect(try Person(json: person.json) == person)
        } catch let problem {
          problems += 1
          #expect(!problem.description.contains("secret"))
          #expect(!problem.description.contains("12"))
        }
      }
    }
    #expect(problems > 150)
  }

  @Test func linesOfAFileAreNamed() {
    let file = """
      {"id": "A", "age": 30}
      {"id": "a", "age": 31}
      {"id": "b", "place": {"latitude": 95.25, "longitude": 1}}
      """
    let reading = CardReader(DatingDeckPlugin()).read(Array(file.utf8))
    #expect(reading.cards == [Person(id: "A", age: 30), Person(id: "a", age: 31)])
    #expect(
      reading.problems.map(\.description) == [
        "line 3, column 22, $.place: found a number out of range; allowed: an object with "
          + "\"latitude\", -90 … 90, and \"longitude\", -180 … 180"
      ])
  }
}

@Suite struct DatingDeckTests {
  @Test func columnsAreReadOffThePerson() throws {
    let person = Person(
      id: "a", birthDate: CalendarDate("1970-01-11"), age: 30.5, gender: "man", seeks: ["woman"],
      minimumAge: 20, maximumAge: 30, bio: "hello", place: Place(latitude: 1, longitude: 2),
      tags: ["x"], maximumDistance: .miles(1), intents: ["love"], verified: false,
      wantsVerified: true, attributes: ["smoking": "no"],
      dealbreakers: ["smoking": ["yes", "often"]], zone: "UTC",
      traits: ["b": 2, "a": 1.5, "c": .infinity])
    let slate = datingSlate([person, Person(id: "b")], viewer: "a")
    let table = slate.table
    guard case .category(let genders, _)? = table.column("gender"),
      case .tags(let seeks, _)? = table.column("seeks"),
      case .float(let ages)? = table.column("age"),
      case .integer(let birthDays)? = table.column("birth_day"),
      case .float(let minimumAges)? = table.column("min_age"),
      case .float(let maximumAges)? = table.column("max_age"),
      case .place(let places)? = table.column("place"),
      case .tags(let tags, _)? = table.column("tags"),
      case .text(let bios)? = table.column("bio"),
      case .numbers(let traits, let traitNames)? = table.column("traits")
    else {
      Issue.record("a column is missing or of another kind")
      return
    }
    #expect(traitNames.names == ["a", "b"], "what is not finite is missing")
    #expect(traits.map(\.codes) == [[0, 1], []])
    #expect(traits.map(\.values) == [[1.5, 2], []])
    #expect(genders == [0, -1])
    #expect(seeks == [[0], []])
    #expect(ages[0] == 30.5 && ages[1].isNaN)
    #expect(birthDays == [10, .min])
    #expect(minimumAges[0] == 20 && minimumAges[1].isNaN)
    #expect(maximumAges[0] == 30 && maximumAges[1].isNaN)
    // A missing place is nil, not a place in the Gulf of Guinea.
    #expect(places == [Place(latitude: 1, longitude: 2), nil])
    #expect(tags == [[0], []])
    #expect(bios == ["hello", nil])
    try columnsOfPreferences(table)
  }

  private func columnsOfPreferences(_ table: CardTable<DatingDeck>) throws {
    guard case .float(let distances)? = table.column("max_distance"),
      case .tags(let intents, _)? = table.column("intents"),
      case .integer(let verified)? = table.column("verified"),
      case .integer(let wantsVerified)? = table.column("wants_verified"),
      case .tags(let attributes, let attributeNames)? = table.column("attributes"),
      case .tags(_, let stated)? = table.column("attribute_names"),
      case .tags(let dealbreakers, let dealbreakerNames)? = table.column("dealbreakers"),
      case .tags(_, let judged)? = table.column("dealbreaker_names"),
      case .category(let zones, _)? = table.column("zone")
    else {
      Issue.record("a column is missing or of another kind")
      return
    }
    #expect(distances[0] == 1609.344 && distances[1].isNaN)
    #expect(intents == [[0], []])
    #expect(verified == [0, .min])
    #expect(wantsVerified == [1, 0])
    #expect(attributes == [[0], []] && attributeNames.names == ["smoking=no"])
    #expect(dealbreakers == [[0, 1], []])
    #expect(dealbreakerNames.names == ["smoking=yes", "smoking=often"])
    #expect(stated.names == ["smoking"] && judged.names == ["smoking"])
    #expect(zones == [0, -1])
  }

  @Test func answersMeanWhatTheySay() {
    let deck = DatingDeck()
    #expect(DatingDeck.Answer.allCases.map(\.rawValue) == ["like", "pass", "super-like"])
    #expect(DatingDeck.Answer.allCases.map(deck.meaning) == [.positive, .negative, .positive])
    #expect(deck.policy == DeckPolicy(isMutual: true))
  }
}
