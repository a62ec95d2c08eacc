internal import CardFeed
internal import CardFeedCalendar
public import CardFeedConfiguration

extension Product {
  /// The keys of a record, in the order of the documentation.
  private static let keys = [
    "id", "title", "price", "brand", "category", "tags", "stock", "regions", "repeat",
    "rhythm_days", "added", "vector", "image",
  ]

  /// Reads a record. Keys that are absent or `null` are unknown.
  ///
  /// - Throws: A `CardProblem` for the first thing that is wrong.
  public init(json: JSONValue) throws(CardProblem) {
    let record = try CardRecord(json, keys: Self.keys, of: "a product")
    // Catalogues come from anywhere: an identity may be any text, an empty one too.
    guard let id = try record.text("id", mayBeEmpty: true) else {
      throw record.problem("id", "the key is missing; allowed: a text")
    }
    guard let title = try record.text("title") else {
      throw record.problem("title", "the key is missing; allowed: a text that is not empty")
    }
    self.init(
      id: CardID(id), title: title, price: try record.price("price"),
      brand: try record.text("brand"), category: try record.path("category"),
      tags: try record.texts("tags", mayBeEmpty: true),
      stock: try record.wholeNumber("stock"),
      regions: try record.texts("regions", mayBeEmpty: true),
      repeat: try record.repeatPolicy("repeat"),
      rhythmDays: try record.number(
        "rhythm_days", in: 0.01...36_500, allowed: "a number of days, 0.01 … 36500"),
      added: try record.day("added"), vector: try record.vector("vector"),
      image: try record.text("image"))
  }

  /// The record, without the keys that are unknown.
  public var json: JSONValue {
    func texts(_ values: [String]) -> JSONValue { JSONValue(values.map { JSONValue($0) }) }
    var object = JSONObject()
    object["id"] = JSONValue(id.description)
    object["title"] = JSONValue(title)
    object["price"] = price.map { price in
      [
        "minor_units": JSONValue(price.minorUnits),
        "currency": JSONValue(price.currency.code),
      ]
    }
    object["brand"] = brand.map { JSONValue($0) }
    if !category.isEmpty { object["category"] = texts(category) }
    if !tags.isEmpty { object["tags"] = texts(tags) }
    object["stock"] = stock.map { JSONValue($0) }
    if !regions.isEmpty { object["regions"] = texts(regions) }
    object["repeat"] = `repeat`.map { JSONValue($0.rawValue) }
    object["rhythm_days"] = rhythmDays.map { JSONValue(orNull: $0) }
    object["added"] = added.map { JSONValue($0.description) }
    if !vector.isEmpty {
      object["vector"] = JSONValue(vector.map { JSONValue(orNull: Double($0)) })
    }
    object["image"] = image.map { JSONValue($0) }
    return JSONValue(object)
  }
}

extension CardRecord {
  fileprivate func wholeNumber(_ key: String) throws(CardProblem) -> Int64? {
    let allowed = "a whole number, 0 … 1000000000000000"
    guard let number = try number(key, in: 0...1e15, allowed: allowed) else { return nil }
    guard number == number.rounded() else {
      throw problem(key, "found a fraction; allowed: \(allowed)")
    }
    return Int64(number)
  }

  fileprivate func price(_ key: String) throws(CardProblem) -> Price? {
    let allowed =
      "an object with \"minor_units\", a whole number, 0 … 1000000000000000, and \"currency\", a "
      + "code of ISO 4217 such as \"EUR\""
    guard let value = value(key) else { return nil }
    guard let members = value.object else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    guard members.count == 2, let amount = members["minor_units"], let code = members["currency"]
    else {
      throw problem(key, "the keys are not these two; allowed: \(allowed)")
    }
    guard let number = amount.double, (0...1e15).contains(number), number == number.rounded()
    else {
      throw problem(key, "found another amount; allowed: \(allowed)")
    }
    guard let currency = code.string.flatMap({ Currency($0) }) else {
      throw problem(key, "found a currency that is none; allowed: \(allowed)")
    }
    return Price(minorUnits: Int64(number), currency: currency)
  }

  /// Categories, none of which looks like two.
  fileprivate func path(_ key: String) throws(CardProblem) -> [String] {
    let path = try texts(key, emptyWouldBe: "no category")
    if path.contains(where: { $0.contains(Product.pathSeparator) }) {
      throw problem(
        key,
        "found a name with \"\(Product.pathSeparator)\" in it; allowed: a list of names, from the "
          + "widest category to the narrowest")
    }
    return path
  }

  fileprivate func repeatPolicy(_ key: String) throws(CardProblem) -> Product.Repeat? {
    guard let text = try text(key) else { return nil }
    guard let policy = Product.Repeat(rawValue: text) else {
      throw problem(key, "found another text; allowed: \"durable\", \"consumable\"")
    }
    return policy
  }

  fileprivate func day(_ key: String) throws(CardProblem) -> CalendarDate? {
    guard let text = try text(key) else { return nil }
    guard let day = CalendarDate(text) else {
      throw problem(
        key,
        "found a text that is no day of the calendar; allowed: a day as text, \"YYYY-MM-DD\"")
    }
    return day
  }

  fileprivate func vector(_ key: String) throws(CardProblem) -> [Float] {
    let allowed = "a list of numbers that are finite as 32-bit floats"
    guard let value = value(key) else { return [] }
    guard let elements = value.array else {
      throw problem(key, "found \(value.kind); allowed: \(allowed)")
    }
    var vector: [Float] = []
    for element in elements {
      guard let number = element.double.map({ Float($0) }), number.isFinite else {
        throw problem(key, "found \(element.kind) that is none; allowed: \(allowed)")
      }
      vector.append(number)
    }
    return vector
  }
}
