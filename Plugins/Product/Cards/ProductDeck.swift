public import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

/// Products of a catalogue; a match is a save or a purchase.
///
/// Its columns, by the names that configurations use: `title` (text), `price` (whole number, in minor
/// units), `currency`, `brand`, `department` (the widest category), `category` (the whole path, as
/// `Food > Dairy > Milk`) and `repeat` (categories), `categories` (the path and all above it), `tags`
/// and `regions` (tags), `stock` and `added` (whole numbers, the latter days since 1970), `rhythm`
/// (number, days) and `vector`.
///
/// Three things that look alike are not: a product that was **skipped** is wanted neither now nor
/// never (neutral; it comes back after a time), one that was **disliked** is not wanted (negative; it
/// does not come back), and of one that was **never shown** nothing is known. Products that were dealt
/// and not answered belong to the last.
public struct ProductDeck: Deck {
  /// A product.
  public typealias Card = Product

  /// What a viewer can say to a product.
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// Not now.
    case skip
    /// Looked at it closely, and said nothing.
    case open
    /// Keeps it for later.
    case save
    /// Bought it.
    case buy
    /// Does not want it.
    case dislike
  }

  /// How many numbers the column `vector` has for each product; 0 leaves the column out.
  public let vectorDimension: Int

  /// A deck of products.
  ///
  /// - Parameter vectorDimension: How many numbers the vector of each product has, 0 or more. The
  ///   column takes 4 bytes for each of them, also of products without a vector.
  public init(vectorDimension: Int = 64) {
    precondition(
      vectorDimension >= 0, "A vector has 0 numbers or more; got \(vectorDimension).")
    self.vectorDimension = vectorDimension
  }

  /// `product`.
  public static var name: String { "product" }

  /// The product's identity.
  public func id(of card: Product) -> CardID { card.id }

  /// What strategies see of a product.
  public var columns: [ColumnDeclaration<Product>] {
    let columns: [ColumnDeclaration<Product>] = [
      .text("title") { $0.title },
      .integer(Column.price) { $0.price?.minorUnits },
      .category(Column.currency) { $0.price?.currency.code },
      .category("brand") { $0.brand },
      .category("department") { $0.category.first },
      .category("category") { $0.path },
      .tags("categories") { $0.paths },
      .tags("tags") { $0.tags },
      .integer(Column.stock) { $0.stock },
      .tags(Column.regions) { $0.regions },
      .category("repeat") { $0.repeat?.rawValue },
      .float("rhythm") { $0.rhythmDays },
      .integer(Column.added) { $0.added?.daysSinceEpoch },
    ]
    guard vectorDimension > 0 else { return columns }
    return columns + [.vector("vector", dimension: vectorDimension) { $0.vector }]
  }

  /// The names of columns that strategies of this deck read.
  enum Column {
    static let price = "price"
    static let currency = "currency"
    static let stock = "stock"
    static let regions = "regions"
    static let added = "added"
  }

  /// What was saved or bought is positive, what was disliked negative; to skip and to open say neither.
  public func meaning(of answer: Answer) -> AnswerMeaning {
    switch answer {
    case .save, .buy: .positive
    case .dislike: .negative
    case .skip, .open: .neutral
    }
  }

  /// Products look at nobody. When one comes back is the business of `repeat-policy`; without it, what
  /// was skipped or opened comes back after a week. Rates count what was skipped or opened as a product
  /// that was not wanted this time.
  public var policy: DeckPolicy {
    DeckPolicy(isMutual: false, neutralReturnsAfter: 7 * Timestamp.day, countsNeutral: true)
  }

  /// The product's record as canonical JSON.
  public func encode(_ card: Product) -> [UInt8] { card.json.canonicalBytes() }

  /// The product of a record. Throws a `JSONSyntaxError` or a `CardProblem`.
  public func decode(_ bytes: [UInt8]) throws -> Product {
    try Product(json: JSONDocument(parsing: bytes).root)
  }
}
