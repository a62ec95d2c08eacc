/// Reads the purchases of "The Complete Journey" and divides them by weeks.
///
/// `transactions.csv` has a row for each line of a receipt, of whose columns `household_id`,
/// `product_id`, `basket_id`, `quantity` and `week` (1…53) are read; `products.csv` has `product_id`,
/// `department` and `product_category`.
///
/// Kept are products of a category, without fuel, coupons and what is called miscellaneous, that 25
/// households or more bought in the weeks 1–44, and households that bought 10 or more of those then.
/// What is learned from are the weeks 1–44, what settings are chosen by 45–48, what is judged by 49–53.
/// Of a household and a product there is one row a part: the number of baskets and the last week.
///
/// The data are simulated from real ones (84.51°, by the package `completejourney`, MIT), for learning
/// and exploring, not for academic claims.
public enum CompleteJourneyImporter {
  /// Reads `FOLDER/transactions.csv` and `FOLDER/products.csv`.
  ///
  /// - Parameter folder: Where the two tables are.
  /// - Returns: `cj_next` (what is bought next, also what was bought before), `cj_new` (what the
  ///   household had not bought before), and the product of each item.
  /// - Throws: ``DataProblems`` with every row that is none.
  /// - Complexity: O(n · log n).
  public static func folds(
    folder: String
  ) throws(DataProblems) -> (folds: [InteractionFolds], products: [Int]) {
    var problems = DataProblems()
    var isGoods = Set<Int>()
    var lines: [Line] = []
    do throws(DataProblem) {
      _ = try SpeedDatingLoader.eachRow(
        folder + "/products.csv", ["product_id", "department", "product_category"], &problems
      ) { fields in
        let product = fields.integer("product_id", in: 0...Int.max)
        let isOther = ["FUEL", "MISCELLANEOUS", "COUPON"].contains(fields.text("department"))
        if !isOther, !fields.text("product_category").isEmpty { isGoods.insert(product) }
      }
      _ = try SpeedDatingLoader.eachRow(
        folder + "/transactions.csv",
        ["household_id", "product_id", "basket_id", "quantity", "week"], &problems
      ) { fields in
        let line = Line(
          household: fields.integer("household_id", in: 0...Int.max),
          product: fields.integer("product_id", in: 0...Int.max),
          basket: fields.integer("basket_id", in: 0...Int.max),
          week: fields.integer("week", in: 1...53))
        let quantity = fields.integer("quantity", in: 0...Int.max)
        if quantity > 0, isGoods.contains(line.product) { lines.append(line) }
      }
    } catch {
      problems.add(error)
    }
    guard problems.isEmpty else { throw problems }
    return folds(of: lines)
  }

  struct Line {
    var household: Int
    var product: Int
    var basket: Int
    var week: Int
  }

  private static let learned = 1...44
  private static let chosenBy = 45...48
  private static let judgedBy = 49...53

  /// The divisions of the lines of receipts; `households` and `products` are the least that count.
  static func folds(
    of lines: [Line], households least: Int = 25, products leastProducts: Int = 10
  ) -> (folds: [InteractionFolds], products: [Int]) {
    let known = lines.filter { learned.contains($0.week) }
    var buyers: [Int: Set<Int>] = [:]
    for line in known { buyers[line.product, default: []].insert(line.household) }
    let products = buyers.filter { $0.value.count >= least }.keys.sorted()
    let items = Dictionary(uniqueKeysWithValues: products.enumerated().map { ($1, $0) })
    var bought: [Int: Set<Int>] = [:]
    for line in known where items[line.product] != nil {
      bought[line.household, default: []].insert(line.product)
    }
    let households = bought.filter { $0.value.count >= leastProducts }.keys.sorted()
    let users = Dictionary(uniqueKeysWithValues: households.enumerated().map { ($1, $0) })

    func part(_ weeks: ClosedRange<Int>) -> [Interaction] {
      var cells: [Pair: (baskets: Set<Int>, week: Int)] = [:]
      for line in lines where weeks.contains(line.week) {
        guard let user = users[line.household], let item = items[line.product] else { continue }
        let pair = Pair(user: user, item: item)
        var cell = cells[pair] ?? ([], 0)
        cell.baskets.insert(line.basket)
        cell.week = max(cell.week, line.week)
        cells[pair] = cell
      }
      return cells.map { pair, cell in
        Interaction(
          user: pair.user, item: pair.item, rating: cell.baskets.count,
          timestamp: Int64(cell.week))
      }.sorted { ($0.user, $0.item) < ($1.user, $1.item) }
    }
    let next = InteractionFolds(
      name: "cj_next",
      note: "Complete Journey: next-4/5-weeks purchases incl. repeats; rating=#baskets; "
        + "timestamp=last week; items >=25 households in weeks 1-44; users >=10 items",
      users: households.count, items: products.count, train: part(learned),
      valid: part(chosenBy), test: part(judgedBy))
    var new = next
    new.name = "cj_new"
    new.note =
      "as cj_next but valid/test keep only products this household had NOT bought before "
      + "(discovery)"
    var history = Set(next.train.map(Pair.init))
    new.valid.removeAll { history.contains(Pair($0)) }
    history.formUnion(next.valid.map(Pair.init))
    new.test.removeAll { history.contains(Pair($0)) }
    return ([next, new], products)
  }
}

/// A user and an item.
private struct Pair: Hashable {
  var user: Int
  var item: Int

  init(user: Int, item: Int) {
    self.user = user
    self.item = item
  }

  init(_ interaction: Interaction) {
    self.init(user: interaction.user, item: interaction.item)
  }
}
