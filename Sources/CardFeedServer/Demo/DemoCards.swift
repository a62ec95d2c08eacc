internal import CardFeed
internal import CardFeedConfiguration

/// Made-up cards, the same ones each time.
enum DemoCards {
  // MARK: People

  private static let names = [
    "Robin", "Kim", "Alex", "Sam", "Charlie", "Noa", "Toni", "Jamie", "Luca", "Kai", "Mika",
    "Sasha",
    "Rene", "Andrea", "Jule", "Nico", "Quinn", "Ari", "Dana", "Eli", "Jordan", "Morgan", "Riley",
    "Taylor", "Yuri", "Ziva", "Imani", "Amal", "Ren", "Haru",
  ]

  private static let interests = [
    "climbing", "baking", "jazz", "hiking", "chess", "films", "gardening", "cycling", "pottery",
    "sailing", "reading", "dancing", "swimming", "cooking", "photography", "board games", "running",
    "theatre", "birds", "languages",
  ]

  private static let openings = [
    "Best at breakfast.", "New in town.", "Looking for somebody to get lost with.",
    "I can fix your bicycle.", "Ask me about my last mistake.", "Tea, not coffee.",
    "Weekends are for mountains.", "I will let you win once.", "Always late, never boring.",
    "I talk to plants.", "Two left feet, happy anyway.", "I know a good bench.",
  ]

  static func person(_ number: Int) -> JSONValue {
    var random = SplitMix64(seed: 7001 &+ UInt64(number))
    let name = names[number % names.count]
    let age = 22 + random.index(below: 24)
    var tags: [String] = []
    while tags.count < 3 {
      let tag = interests[random.index(below: interests.count)]
      if !tags.contains(tag) { tags.append(tag) }
    }
    let bio =
      openings[random.index(below: openings.count)] + " I like \(tags[0]) and \(tags[1])."
    let id = personID(number)
    return [
      "id": JSONValue(id), "name": JSONValue(name), "age": JSONValue(age),
      "bio": JSONValue(bio), "image": JSONValue("/playground/images/\(id).svg"),
      "tags": JSONValue(tags.map { JSONValue($0) }),
    ]
  }

  static let people = 150

  static func personID(_ number: Int) -> String {
    "\(names[number % names.count].lowercased())-\(number + 1)"
  }

  /// Whether somebody of the demonstration likes a viewer, before the viewer has said anything.
  static func likes(_ number: Int, viewer: [UInt8]) -> Bool {
    var hash = StableHash()
    hash.combine(viewer)
    hash.combine(number)
    return hash.value % 5 < 2
  }

  static func guest(_ viewer: String) -> JSONValue {
    ["id": JSONValue(viewer), "name": "You", "age": 30]
  }

  // MARK: Questions

  private static let capitals = [
    ("Argentina", "Buenos Aires"), ("Australia", "Canberra"), ("Austria", "Vienna"),
    ("Brazil", "Brasília"), ("Canada", "Ottawa"), ("Chile", "Santiago"), ("Cuba", "Havana"),
    ("Denmark", "Copenhagen"), ("Egypt", "Cairo"), ("Ethiopia", "Addis Ababa"),
    ("Finland", "Helsinki"), ("France", "Paris"), ("Ghana", "Accra"), ("Greece", "Athens"),
    ("Hungary", "Budapest"), ("Iceland", "Reykjavík"), ("India", "New Delhi"),
    ("Indonesia", "Jakarta"), ("Ireland", "Dublin"), ("Italy", "Rome"), ("Japan", "Tokyo"),
    ("Jordan", "Amman"), ("Kenya", "Nairobi"), ("Mexico", "Mexico City"), ("Morocco", "Rabat"),
    ("Nepal", "Kathmandu"), ("New Zealand", "Wellington"), ("Nigeria", "Abuja"),
    ("Norway", "Oslo"), ("Peru", "Lima"), ("Poland", "Warsaw"), ("Portugal", "Lisbon"),
    ("Senegal", "Dakar"), ("South Korea", "Seoul"), ("Spain", "Madrid"),
    ("Switzerland", "Bern"), ("Thailand", "Bangkok"), ("Tunisia", "Tunis"),
    ("Uruguay", "Montevideo"), ("Vietnam", "Hanoi"),
  ]

  static var questions: [JSONValue] {
    let cities = capitals.enumerated().map { index, pair -> JSONValue in
      [
        "id": JSONValue("capital-\(index + 1)"),
        "prompt": JSONValue("What is the capital of \(pair.0)?"), "answer": JSONValue(pair.1),
        "skills": ["capitals"], "order": JSONValue(2 * index),
      ]
    }
    let sums = (0..<40).map { index -> JSONValue in
      var random = SplitMix64(seed: 40 &+ UInt64(index))
      let left = 3 + random.index(below: 17)
      let right = 3 + random.index(below: 10)
      return [
        "id": JSONValue("product-\(index + 1)"),
        "prompt": JSONValue("How much is \(left) × \(right)?"),
        "answer": JSONValue("\(left * right)"), "skills": ["multiplication"],
        "order": JSONValue(2 * index + 1),
      ]
    }
    return cities + sums
  }

  // MARK: Products

  private static let things: [(noun: String, category: [String], cents: Int, isConsumable: Bool)] =
    [
      ("mug", ["Kitchen", "Cups"], 1290, false), ("teapot", ["Kitchen", "Pots"], 3490, false),
      ("notebook", ["Office", "Paper"], 690, false), ("pencil", ["Office", "Pens"], 190, true),
      ("lamp", ["Home", "Light"], 4990, false), ("blanket", ["Home", "Textiles"], 5900, false),
      ("backpack", ["Travel", "Bags"], 7900, false),
      ("bottle", ["Travel", "Bottles"], 1990, false),
      ("soap", ["Bath", "Soap"], 490, true), ("towel", ["Bath", "Textiles"], 2490, false),
      ("coffee", ["Food", "Coffee"], 1150, true), ("chocolate", ["Food", "Sweets"], 390, true),
    ]

  private static let styles = [
    "Blue", "Oak", "Plain", "Striped", "Small", "Large", "Green", "Folding", "Woven", "Travel",
  ]

  static var products: [JSONValue] {
    things.enumerated().flatMap { kind, thing in
      styles.enumerated().map { index, style -> JSONValue in
        let id = "thing-\(kind * styles.count + index + 1)"
        return [
          "id": JSONValue(id), "title": JSONValue("\(style) \(thing.noun)"),
          "price": [
            "minor_units": JSONValue(thing.cents + 150 * index), "currency": "EUR",
          ],
          "brand": JSONValue(["Nordlicht", "Oberon", "Quill", "Tamarind"][(kind + index) % 4]),
          "category": JSONValue(thing.category.map { JSONValue($0) }),
          "stock": JSONValue(3 + (7 * kind + 3 * index) % 40),
          "repeat": thing.isConsumable ? "consumable" : "durable",
          "image": JSONValue("/playground/images/\(id).svg"),
        ]
      }
    }
  }
}
