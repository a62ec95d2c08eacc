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
  ]

  @Test func everyValueIsReadAndWritten() throws {
    let person = try Person(json: everything)
    let place = Place(latitude: 52.5, longitude: -13.25)
    #expect(
      person
        == Person(
          id: "Zoë", name: "Zoë", birthDate: CalendarDate("1994-02-28"), age: 31.5,
          gender: "woman", seeks: ["man", "woman"], minimumAge: 25, maximumAge: 40, bio: "",
          image: "https://x/y", place: place, tags: ["climbing", "jazz", "jazz"]))
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
          + "\"tags\"; did you mean \"max_age\"?"
      ),
    ] as [(JSONValue, String)])
  func aBrokenRecordSaysWhatIsWrong(json: JSONValue, message: String) {
    let problem = #expect(throws: CardProblem.self) { try Person(json: json) }
    #expect(problem?.description == message)
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
    #expect(problems > 80)
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
      tags: ["x"])
    let slate = datingSlate([person, Person(id: "b")], viewer: "a")
    let table = slate.table
    guard case .category(let genders, _)? = table.column("gender"),
      case .tags(let seeks, _)? = table.column("seeks"),
      case .float(let ages)? = table.column("age"),
      case .integer(let birthDays)? = table.column("birth_day"),
      case .float(let minimumAges)? = table.column("min_age"),
      case .float(let maximumAges)? = table.column("max_age"),
      case .place(let places)? = table.column("place"),
      case .tags(let tags, _)? = table.column("tags"), case .text(let bios)? = table.column("bio")
    else {
      Issue.record("a column is missing or of another kind")
      return
    }
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
  }

  @Test func answersMeanWhatTheySay() {
    let deck = DatingDeck()
    #expect(DatingDeck.Answer.allCases.map(\.rawValue) == ["like", "pass", "super-like"])
    #expect(DatingDeck.Answer.allCases.map(deck.meaning) == [.positive, .negative, .positive])
    #expect(deck.policy == DeckPolicy(isMutual: true))
  }
}
