internal import CardFeed
internal import CardFeedCalendar

/// The numbers of people by trait, read off the columns of one table at one moment. The age is a
/// trait like any other.
struct TraitTable {
  /// The trait that is computed from the day of birth, or declared.
  static let age = "age"

  /// How many numbers a person has here.
  let count: Int

  private let rows: [NamedNumbers]
  /// For each code of the column the place among the traits; −1 for those not asked for.
  private let places: [Int]
  private let agePlace: Int?
  private let ages: AgeColumns?
  private let today: CalendarDate?

  init(_ table: CardTable<DatingDeck>, traits: [String], now: Timestamp) {
    count = traits.count
    if case .numbers(let rows, let names)? = table.column("traits") {
      self.rows = rows
      var places = Array(repeating: -1, count: names.names.count)
      for (place, trait) in traits.enumerated() where trait != Self.age {
        if let code = names.code(of: trait) { places[Int(code)] = place }
      }
      self.places = places
    } else {
      rows = []
      places = []
    }
    agePlace = traits.firstIndex(of: Self.age)
    ages = AgeColumns(table)
    today = CalendarDate(now)
  }

  /// The traits that somebody of the table has.
  static func names(in table: CardTable<DatingDeck>) -> Set<String> {
    guard case .numbers(_, let names)? = table.column("traits") else { return [Self.age] }
    return Set(names.names).union([Self.age])
  }

  /// A person's numbers, NaN where they are missing. O(traits of the person).
  func values(of row: Row) -> [Double] {
    var values = Array(repeating: Double.nan, count: count)
    if rows.indices.contains(row.index) {
      let numbers = rows[row.index]
      for (code, value) in zip(numbers.codes, numbers.values) where places[Int(code)] >= 0 {
        values[places[Int(code)]] = value
      }
    }
    if let agePlace, let age = ages?.age(of: row, on: today, leapDay: .march1) {
      values[agePlace] = age
    }
    return values
  }
}
