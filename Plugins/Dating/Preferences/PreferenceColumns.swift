internal import CardFeed

/// What the predicate reads of a table: its columns, and for names of one column the codes of the
/// same names in another one. Made once for a table, whoever looks.
struct PreferenceColumns: Sendable {
  let ages: AgeColumns
  let minimumAges: [Double]
  let maximumAges: [Double]
  let genders: [Int32]
  let seeks: [[Int32]]
  let intents: [[Int32]]
  let places: [Place?]
  /// Metres; NaN is none.
  let maximumDistances: [Double]
  /// 1 is yes, 0 is no, `Int64.min` is unknown.
  let verified: [Int64]
  let wantsVerified: [Int64]
  let attributes: AttributeColumns
  /// For each gender's code the code of the same name in `seeks`; −1 when nobody seeks it.
  let soughtCodes: [Int32]

  /// Nil when the table lacks the columns, as one without cards does. O(names).
  init?(_ table: CardTable<DatingDeck>) {
    guard let ages = AgeColumns(table), let attributes = AttributeColumns(table),
      case .float(let minimumAges)? = table.column("min_age"),
      case .float(let maximumAges)? = table.column("max_age"),
      case .category(let genders, let genderNames)? = table.column("gender"),
      case .tags(let seeks, let soughtNames)? = table.column("seeks"),
      case .tags(let intents, _)? = table.column("intents"),
      case .place(let places)? = table.column("place"),
      case .float(let maximumDistances)? = table.column("max_distance"),
      case .integer(let verified)? = table.column("verified"),
      case .integer(let wantsVerified)? = table.column("wants_verified")
    else { return nil }
    self.ages = ages
    self.attributes = attributes
    self.minimumAges = minimumAges
    self.maximumAges = maximumAges
    self.genders = genders
    self.seeks = seeks
    self.intents = intents
    self.places = places
    self.maximumDistances = maximumDistances
    self.verified = verified
    self.wantsVerified = wantsVerified
    soughtCodes = genderNames.codes(in: soughtNames)
  }
}

/// Attributes and dealbreakers of a table's people, as codes.
struct AttributeColumns: Sendable {
  /// `name=text` of what people are.
  let attributes: [[Int32]]
  /// The names of what people have stated.
  let stated: [[Int32]]
  /// `name=text` of what people do not accept.
  let dealbreakers: [[Int32]]
  /// The names that people do not accept everything of.
  let judged: [[Int32]]
  /// For each code of `dealbreakers` the code of the same in `attributes`; −1 for none.
  let attributeCodes: [Int32]
  /// For each code of `judged` the code of the same name in `stated`; −1 for none.
  let statedCodes: [Int32]

  init?(_ table: CardTable<DatingDeck>) {
    guard case .tags(let attributes, let attributeNames)? = table.column("attributes"),
      case .tags(let stated, let statedNames)? = table.column("attribute_names"),
      case .tags(let dealbreakers, let dealbreakerNames)? = table.column("dealbreakers"),
      case .tags(let judged, let judgedNames)? = table.column("dealbreaker_names")
    else { return nil }
    self.attributes = attributes
    self.stated = stated
    self.dealbreakers = dealbreakers
    self.judged = judged
    attributeCodes = dealbreakerNames.codes(in: attributeNames)
    statedCodes = judgedNames.codes(in: statedNames)
  }

  /// Whether a person is nothing that a judge does not accept. What the judge cares about and the
  /// person has not stated is unknown. O(dealbreakers · attributes), both few.
  func fit(of person: Row, for judge: Row) -> PreferenceFit {
    if judged[judge.index].isEmpty { return .fits }
    for code in dealbreakers[judge.index] {
      let attribute = attributeCodes[Int(code)]
      if attribute >= 0, attributes[person.index].contains(attribute) { return .doesNotFit }
    }
    for code in judged[judge.index] {
      let name = statedCodes[Int(code)]
      if name < 0 || !stated[person.index].contains(name) { return .unknown }
    }
    return .fits
  }
}

extension NameTable {
  /// For each code of this table the code of the same name in another one; −1 where it has none.
  fileprivate func codes(in other: NameTable) -> [Int32] { names.map { other.code(of: $0) ?? -1 } }
}
