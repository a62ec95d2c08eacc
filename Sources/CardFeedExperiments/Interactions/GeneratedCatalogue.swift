public import CardFeed
public import CardFeedConfiguration

/// A seeded catalogue with viewers who look at it, to try the product deck with.
///
/// Each product stands in a category and has a vector near the category's centre; each viewer likes a
/// few categories. On every visit a viewer is shown a few products, the popular ones more often, and
/// opens, saves or buys the more of them the nearer they are to their taste. What is used up is bought
/// again by a rhythm of the viewer's own. The same seed gives the same bytes on every machine.
///
/// When not to use it: to compare recommenders. What it holds is what was put into it.
public struct GeneratedCatalogue: Sendable {
  /// What is generated.
  public struct Parameters: Sendable {
    /// How many products.
    public var products = 400
    /// How many viewers.
    public var viewers = 120
    /// Over how many days viewers come, 365 at most.
    public var days = 120
    /// How many numbers the vector of a product has.
    public var vectorDimension = 64

    /// A small shop.
    public init() {}
  }

  /// The products as records of the product deck.
  public private(set) var cards: [JSONValue] = []
  /// What viewers answered, in the order of time, as swipes to be recorded.
  public private(set) var swipes: [JSONValue] = []

  /// 2026-01-01 00:00 UTC, the first day.
  private static let start: Int64 = 1_767_225_600_000

  private struct Item {
    var id: String
    var category: Int
    var vector: [Double]
    var popularity: Double
    var rhythm: Double?
  }

  private struct Event {
    var time: Int64
    var viewer: String
    var item: String
    var answer: String
  }

  /// Generates a catalogue and its answers.
  ///
  /// - Complexity: O(products + viewers · days).
  public init(_ parameters: Parameters, using generator: inout SplitMix64) {
    let centres = CatalogueShelf.all.map { _ in
      Self.vector(parameters.vectorDimension, using: &generator)
    }
    let items = (0..<parameters.products).map { number in
      let category = generator.drawIndex(below: CatalogueShelf.all.count)
      let own = Self.vector(parameters.vectorDimension, using: &generator)
      let vector = Self.normalised(zip(centres[category], own).map { $0 + 0.6 * $1 })
      let shelf = CatalogueShelf.all[category]
      let rhythm = shelf.rhythm.map { $0 * (0.7 + 0.6 * generator.drawUnit()) }
      let item = Item(
        id: Self.name("p", number), category: category, vector: vector,
        popularity: generator.drawUnit(), rhythm: rhythm.map { ($0 * 10).rounded() / 10 })
      cards.append(
        Self.record(of: item, shelf, number: number, days: parameters.days, using: &generator))
      return item
    }
    guard !items.isEmpty else { return }
    var events: [Event] = []
    for viewer in 0..<parameters.viewers {
      events += Self.answers(
        of: Self.name("v", viewer), to: items, centres: centres, days: parameters.days,
        using: &generator)
    }
    events.sort { ($0.time, $0.viewer, $0.item) < ($1.time, $1.viewer, $1.item) }
    swipes = events.enumerated().map { index, event in
      [
        "viewer": JSONValue(event.viewer), "card": JSONValue(event.item),
        "answer": JSONValue(event.answer), "event": JSONValue("e\(index)"),
        "time": JSONValue(event.time),
      ]
    }
  }

  private static func answers(
    of viewer: String, to items: [Item], centres: [[Double]], days: Int,
    using generator: inout SplitMix64
  ) -> [Event] {
    let likes = (0..<3).map { _ in centres[generator.drawIndex(below: centres.count)] }
    let taste = normalised(
      (0..<centres[0].count).map { axis in
        likes.reduce(0) { $0 + $1[axis] }
      })
    let haste = 0.6 + 0.8 * generator.drawUnit()
    var events: [Event] = []
    var owned = Set<String>()
    var day = 14 * generator.drawUnit()
    while day < Double(days) {
      for look in 0..<6 {
        let item = items[generator.drawIndex(below: items.count)]
        let isSeen = generator.drawUnit() < 0.25 + 0.75 * item.popularity
        guard isSeen, owned.insert(item.id).inserted else { continue }
        let likeness = zip(taste, item.vector).reduce(0) { $0 + $1.0 * $1.1 }
        let answer = answer(likeness: likeness, using: &generator)
        let time = start + Int64(day * 86_400_000) + Int64(look) * 20_000
        events.append(Event(time: time, viewer: viewer, item: item.id, answer: answer))
        guard answer == "buy", let rhythm = item.rhythm else { continue }
        var next = day + rhythm * haste * (0.85 + 0.3 * generator.drawUnit())
        while next < Double(days) {
          events.append(
            Event(
              time: start + Int64(next * 86_400_000), viewer: viewer, item: item.id,
              answer: "buy"))
          next += rhythm * haste * (0.85 + 0.3 * generator.drawUnit())
        }
      }
      day += 2 + 8 * generator.drawUnit()
    }
    return events
  }

  private static func answer(likeness: Double, using generator: inout SplitMix64) -> String {
    let draw = generator.drawUnit() - 0.35 * likeness
    switch draw {
    case ..<0.02: return "buy"
    case ..<0.10: return "save"
    case ..<0.30: return "open"
    case ..<0.92: return "skip"
    default: return "dislike"
    }
  }

  private static func record(
    of item: Item, _ shelf: CatalogueShelf, number: Int, days: Int,
    using generator: inout SplitMix64
  ) -> JSONValue {
    let brand = CatalogueShelf.brands[generator.drawIndex(below: CatalogueShelf.brands.count)]
    let price = Int64(99 + 100 * (shelf.price * generator.drawUnit()).rounded())
    let added = date(generator.drawIndex(below: max(1, days)))
    var record: [(String, JSONValue)] = [
      ("id", JSONValue(item.id)),
      ("title", JSONValue("\(brand) \(shelf.path.last ?? "") \(number)")),
      ("price", ["minor_units": JSONValue(price), "currency": "EUR"]),
      ("brand", JSONValue(brand)), ("category", JSONValue(shelf.path.map { JSONValue($0) })),
      ("stock", JSONValue(generator.drawIndex(below: 40))),
      ("repeat", item.rhythm == nil ? "durable" : "consumable"),
    ]
    if generator.drawUnit() < 0.2 { record.append(("tags", ["sale"])) }
    if generator.drawUnit() < 0.1 { record.append(("regions", ["DE", "AT"])) }
    if let rhythm = item.rhythm { record.append(("rhythm_days", JSONValue(orNull: rhythm))) }
    record.append(("added", JSONValue(added)))
    if !item.vector.isEmpty {
      let rounded = item.vector.map { ($0 * 10_000).rounded() / 10_000 }
      record.append(("vector", JSONValue(rounded.map { JSONValue(orNull: $0) })))
    }
    return JSONValue(JSONObject(record))
  }

  /// A day of 2026, counted from 0.
  private static func date(_ day: Int) -> String {
    var rest = day
    var month = 1
    for length in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
      guard rest >= length else { break }
      rest -= length
      month += 1
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2026-\(two(month))-\(two(rest + 1))"
  }

  private static func vector(_ count: Int, using generator: inout SplitMix64) -> [Double] {
    normalised((0..<count).map { _ in generator.drawNormal() })
  }

  private static func normalised(_ vector: [Double]) -> [Double] {
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 ? vector.map { $0 / length } : vector
  }

  private static func name(_ prefix: String, _ number: Int) -> String {
    let digits = "\(number + 1)"
    return prefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// A category of the generated catalogue: its path, what its products cost at most, and after how many
/// days they are bought again, if they are.
struct CatalogueShelf {
  let path: [String]
  let price: Double
  let rhythm: Double?

  static let brands = ["Alder", "Birch", "Cedar", "Elm", "Hazel", "Juniper", "Larch", "Rowan"]

  static let all = [
    CatalogueShelf(path: ["Food", "Dairy", "Milk"], price: 3, rhythm: 5),
    CatalogueShelf(path: ["Food", "Dairy", "Cheese"], price: 9, rhythm: 12),
    CatalogueShelf(path: ["Food", "Bakery", "Bread"], price: 5, rhythm: 4),
    CatalogueShelf(path: ["Food", "Pantry", "Coffee"], price: 14, rhythm: 21),
    CatalogueShelf(path: ["Drinks", "Juice"], price: 5, rhythm: 8),
    CatalogueShelf(path: ["Drinks", "Spirits"], price: 40, rhythm: 60),
    CatalogueShelf(path: ["Household", "Detergent"], price: 12, rhythm: 30),
    CatalogueShelf(path: ["Household", "Lamps"], price: 90, rhythm: nil),
    CatalogueShelf(path: ["Kitchen", "Pans"], price: 120, rhythm: nil),
    CatalogueShelf(path: ["Kitchen", "Knives"], price: 80, rhythm: nil),
    CatalogueShelf(path: ["Books", "Novels"], price: 25, rhythm: nil),
    CatalogueShelf(path: ["Garden", "Tools"], price: 60, rhythm: nil),
  ]
}
