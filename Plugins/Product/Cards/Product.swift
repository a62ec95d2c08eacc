public import CardFeed
public import CardFeedCalendar

/// Something that can be saved or bought.
///
/// What is not given is not known. Nothing of a viewer stands here: what they bought lies in the log.
public struct Product: Hashable, Sendable {
  /// Whether a viewer who has bought it needs it again.
  public enum Repeat: String, Hashable, Sendable, CaseIterable {
    /// It lasts: after a purchase it is not dealt again.
    case durable
    /// It is used up: it is dealt again by the rhythm in which the viewer buys it.
    case consumable
  }

  /// The product's identity.
  public var id: CardID
  /// What it is called.
  public var title: String
  /// What it costs.
  public var price: Price?
  /// Who makes it.
  public var brand: String?
  /// Where it stands among the others, from the widest category to the narrowest.
  public var category: [String]
  /// Anything else to find it by.
  public var tags: [String]
  /// How many there are to be sold; nil where nobody counts.
  public var stock: Int64?
  /// The regions in which it is sold, by whatever names the host uses; none is everywhere.
  public var regions: [String]
  /// Whether it is bought again. A product of which it is not known counts as durable.
  public var `repeat`: Repeat?
  /// After how many days it is bought again, of people in general.
  public var rhythmDays: Double?
  /// The day since which it can be bought.
  public var added: CalendarDate?
  /// What it is like, as numbers of a model; as many as the deck's `vectorDimension`.
  public var vector: [Float]
  /// Where a picture of it is.
  public var image: String?

  /// A product.
  public init(
    id: CardID, title: String, price: Price? = nil, brand: String? = nil,
    category: [String] = [], tags: [String] = [], stock: Int64? = nil, regions: [String] = [],
    repeat: Repeat? = nil, rhythmDays: Double? = nil, added: CalendarDate? = nil,
    vector: [Float] = [], image: String? = nil
  ) {
    self.id = id
    self.title = title
    self.price = price
    self.brand = brand
    self.category = category
    self.tags = tags
    self.stock = stock
    self.regions = regions
    self.repeat = `repeat`
    self.rhythmDays = rhythmDays
    self.added = added
    self.vector = vector
    self.image = image
  }

  /// What stands between the categories of a path where it is one name.
  static let pathSeparator = " > "

  /// The whole path as one name, such as `Food > Dairy > Milk`; nil without a category.
  var path: String? {
    category.isEmpty ? nil : category.joined(separator: Self.pathSeparator)
  }

  /// The path and every path above it, the widest first.
  var paths: [String] {
    category.indices.map { category[...$0].joined(separator: Self.pathSeparator) }
  }
}
