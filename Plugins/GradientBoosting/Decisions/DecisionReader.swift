#if XGBoost
  internal import CardFeed

  /// Reads features off the cards of one table.
  struct DecisionReader<D: Deck> {
    /// What the features need of one card.
    struct Values {
      fileprivate let traits: [Double]
      /// For each column of names the code; −1 is missing.
      fileprivate let codes: [Int32]
    }

    private let features: [Plan]
    private let traits: NumericTraits<D>
    private let categories: [(codes: [Int32], names: NameTable)?]

    /// A feature with its places.
    private enum Plan {
      case own(Int)
      case other(Int)
      case difference(Int)
      case ownIs(category: Int, code: Int32)
      case otherIs(category: Int, code: Int32)
      case rate(DecisionFeature.Rate)
    }

    /// - Parameters:
    ///   - features: In the order of the columns.
    ///   - column: The column of named numbers.
    init(_ features: [DecisionFeature], table: CardTable<D>, column: String) {
      let names = Set(features.compactMap(\.trait)).sorted()
      let places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
      traits = NumericTraits(table, names: names, column: column)
      let columns = Set(features.compactMap { $0.category?.column }).sorted()
      let categories = columns.map { name -> (codes: [Int32], names: NameTable)? in
        guard case .category(let codes, let names)? = table.column(name) else { return nil }
        return (codes, names)
      }
      self.categories = categories
      func category(_ column: String, _ name: String) -> (Int, Int32) {
        let place = columns.firstIndex(of: column) ?? 0
        // Nobody of this table has the name: no code is −2.
        return (place, categories[place]?.names.code(of: name) ?? -2)
      }
      self.features = features.map { feature in
        switch feature {
        case .own(let trait): return .own(places[trait] ?? 0)
        case .other(let trait): return .other(places[trait] ?? 0)
        case .difference(let trait): return .difference(places[trait] ?? 0)
        case .ownIs(let column, let name):
          let (place, code) = category(column, name)
          return .ownIs(category: place, code: code)
        case .otherIs(let column, let name):
          let (place, code) = category(column, name)
          return .otherIs(category: place, code: code)
        case .rate(let rate): return .rate(rate)
        }
      }
    }

    /// What the features need of a card. O(traits).
    func values(of row: Row) -> Values {
      Values(
        traits: traits.values(of: row),
        codes: categories.map { category in
          guard let category, category.codes.indices.contains(row.index) else { return -1 }
          return category.codes[row.index]
        })
    }

    /// The row of one decision. The counts are without the pair's own answers. O(features).
    func row(
      _ own: Values, _ other: Values, counts: (own: LikeCounts, other: LikeCounts)
    ) -> [Float] {
      features.map { feature in
        switch feature {
        case .own(let place): Float(own.traits[place])
        case .other(let place): Float(other.traits[place])
        case .difference(let place): Float(abs(own.traits[place] - other.traits[place]))
        case .ownIs(let place, let code): Self.equality(own.codes[place], code)
        case .otherIs(let place, let code): Self.equality(other.codes[place], code)
        case .rate(let rate): Float(Self.number(rate, counts))
        }
      }
    }

    private static func equality(_ code: Int32, _ wanted: Int32) -> Float {
      code < 0 ? .nan : code == wanted ? 1 : 0
    }

    private static func number(
      _ rate: DecisionFeature.Rate, _ counts: (own: LikeCounts, other: LikeCounts)
    ) -> Double {
      let (own, other) = counts
      switch rate {
      case .ownGiven: return LikeCounts.rate(own.likesGiven, of: own.given)
      case .ownGivenCount: return Double(own.given)
      case .ownReceived: return LikeCounts.rate(own.likesReceived, of: own.received)
      case .ownReceivedCount: return Double(own.received)
      case .otherGiven: return LikeCounts.rate(other.likesGiven, of: other.given)
      case .otherGivenCount: return Double(other.given)
      case .otherReceived: return LikeCounts.rate(other.likesReceived, of: other.received)
      case .otherReceivedCount: return Double(other.received)
      }
    }
  }

  /// Numbers of cards by name: named numbers of one column, and the deck's columns of numbers.
  struct NumericTraits<D: Deck> {
    private let count: Int
    private let columns: [(place: Int, column: Column)]
    private let rows: [NamedNumbers]
    /// For each code of the named numbers the place among the names; −1 for those not asked for.
    private let places: [Int]

    init(_ table: CardTable<D>, names: [String], column: String) {
      count = names.count
      var columns: [(place: Int, column: Column)] = []
      for (place, name) in names.enumerated() {
        switch table.column(name) {
        case .float(let values)?: columns.append((place, .float(values)))
        case .integer(let values)?: columns.append((place, .integer(values)))
        default: break
        }
      }
      self.columns = columns
      guard case .numbers(let rows, let table)? = table.column(column) else {
        rows = []
        places = []
        return
      }
      self.rows = rows
      let taken = Set(columns.map(\.place))
      var places = Array(repeating: -1, count: table.names.count)
      for (place, name) in names.enumerated() where !taken.contains(place) {
        if let code = table.code(of: name) { places[Int(code)] = place }
      }
      self.places = places
    }

    /// The names that somebody of the table, or every card, may have a number under.
    static func names(in table: CardTable<D>, deck: D, column: String) -> Set<String> {
      var names = Set(
        deck.columns.filter { $0.kind == .float || $0.kind == .integer }.map(\.name))
      if case .numbers(_, let named)? = table.column(column) { names.formUnion(named.names) }
      return names
    }

    /// A card's numbers, NaN where they are missing. O(numbers of the card).
    func values(of row: Row) -> [Double] {
      var values = Array(repeating: Double.nan, count: count)
      if rows.indices.contains(row.index) {
        let numbers = rows[row.index]
        for (code, value) in zip(numbers.codes, numbers.values) where places[Int(code)] >= 0 {
          values[places[Int(code)]] = value
        }
      }
      for (place, column) in columns {
        switch column {
        case .float(let numbers): values[place] = numbers[row.index]
        case .integer(let numbers):
          values[place] = numbers[row.index] == .min ? .nan : Double(numbers[row.index])
        default: break
        }
      }
      return values
    }
  }
#endif
