internal import CardFeed
internal import CardFeedDiversity

/// The best cards of each viewer as some recommender scored them, what the viewer liked besides,
/// and what kinds of cards there are: what an order of a list is judged by.
public struct RatedLists: Sendable, Equatable {
  /// One viewer's list.
  public struct Viewer: Sendable, Equatable {
    /// Candidates, best first.
    public var cards: [Int]
    /// Their scores.
    public var scores: [Double]
    /// Cards of the test part that the viewer likes.
    public var relevant: Set<Int>
    /// Cards that the viewer is known to like.
    public var known: [Int]

    /// A list.
    public init(cards: [Int], scores: [Double], relevant: Set<Int>, known: [Int] = []) {
      precondition(cards.count == scores.count, "Each candidate has a score.")
      self.cards = cards
      self.scores = scores
      self.relevant = relevant
      self.known = known
    }
  }

  /// Viewers with a card in the test part.
  public let viewers: [Viewer]
  /// The categories of each card that has some.
  public let categories: [Int: [Int]]
  /// SHA-256 of all files.
  public let checksum: String

  /// Lists that are at hand.
  public init(viewers: [Viewer], categories: [Int: [Int]], checksum: String = "") {
    self.viewers = viewers
    self.categories = categories
    self.checksum = checksum
  }

  /// Reads `candidates.csv` (viewer, card, score, of each viewer best first), `test.csv`,
  /// `train.csv` and `valid.csv` (user, item), and a file of categories (card, categories with ;
  /// between).
  ///
  /// - Parameters:
  ///   - folder: The folder of the first four, with a slash at its end.
  ///   - path: The path of the last.
  /// - Throws: ``DataProblems`` with every fault.
  /// - Complexity: O(bytes).
  public init(folder: String, categories path: String) throws(DataProblems) {
    var problems = DataProblems()
    var digests: [String] = []
    let numbers = 0...100_000_000
    var viewers: [Int: Viewer] = [:]
    var kinds: [Int: [Int]] = [:]
    func each(
      _ file: String, _ columns: [String], _ body: (inout CSVFields) -> Void
    ) throws(DataProblem) {
      digests.append(try SpeedDatingLoader.eachRow(file, columns, &problems, body).sha256)
    }
    do throws(DataProblem) {
      try each(folder + "test.csv", ["user", "item"]) { fields in
        let user = fields.integer("user", in: numbers)
        viewers[user, default: Viewer(cards: [], scores: [], relevant: [])].relevant
          .insert(fields.integer("item", in: numbers))
      }
      for part in ["train.csv", "valid.csv"] {
        try each(folder + part, ["user", "item"]) { fields in
          viewers[fields.integer("user", in: numbers)]?.known
            .append(fields.integer("item", in: numbers))
        }
      }
      try each(folder + "candidates.csv", ["viewer", "card", "score"]) { fields in
        let viewer = fields.integer("viewer", in: numbers)
        let card = fields.integer("card", in: numbers)
        let score = fields.number("score") ?? 0
        if let last = viewers[viewer]?.scores.last, score > last {
          fields.note("score", "a list is not in its order", "more", "the best card first")
        }
        viewers[viewer]?.cards.append(card)
        viewers[viewer]?.scores.append(score)
      }
      var names: [String: Int] = [:]
      try each(path, ["card", "categories"]) { fields in
        let card = fields.integer("card", in: numbers)
        kinds[card] = fields.text("categories").split(separator: ";").map { name in
          let number = names[String(name)] ?? names.count
          names[String(name)] = number
          return number
        }
      }
    } catch {
      problems.add(error)
      throw problems
    }
    guard problems.isEmpty else { throw problems }
    self.init(
      viewers: viewers.sorted { $0.key < $1.key }.map(\.value).filter { !$0.cards.isEmpty },
      categories: kinds, checksum: SHA256.hexadecimal(Array(digests.joined().utf8)))
  }

  /// Puts the cards of a viewer in the order of a model.
  ///
  /// - Parameters:
  ///   - count: How many cards the new list has.
  /// - Returns: Places in the viewer's list.
  func order(_ viewer: Viewer, by model: OnlineModel, count: Int) -> [Int] {
    let tags = viewer.cards.map { categories[$0] ?? [] }
    let relevance = MarginalRelevance.relevance(of: viewer.scores)
    switch model {
    case .marginal(let rule, let byScore):
      let chosen = rule.choose(
        count, relevance: relevance, similarity: TagSimilarity(tags: tags))
      return byScore ? chosen.sorted() : chosen
    case .determinantal(let rule, let byScore):
      let chosen = rule.choose(
        count, relevance: relevance, similarity: TagSimilarity(tags: tags))
      return byScore ? chosen.sorted() : chosen
    case .calibrated(let rule, let byScore):
      func kinds(_ cards: [Int]) -> [[Int32]] {
        cards.map { (categories[$0] ?? []).map { Int32($0) } }
      }
      let chosen = rule.choose(
        count, relevance: relevance, categories: kinds(viewer.cards),
        target: CalibratedCategories.shares(of: kinds(viewer.known)))
      return byScore ? chosen.sorted() : chosen
    case .turns:
      let order = CategoryTurns.order(categories: tags.map { $0.first.map { Int32($0) } })
      return Array(order.prefix(count))
    default: return Array(viewer.cards.indices.prefix(count))
    }
  }

  /// A metric of a list that a model makes for a viewer.
  func value(_ metric: MetricName, of viewer: Viewer, by model: OnlineModel) -> Double {
    let count = Int(metric.parameter ?? 10)
    // What a list of ten holds must not depend on what is counted of it.
    let places = Array(order(viewer, by: model, count: max(count, 10)).prefix(count))
    let list = RankedList(items: places.map { viewer.cards[$0] }, relevant: viewer.relevant)
    switch metric.measure {
    case .ndcg: return list.ndcg(at: count) ?? 0
    case .hit: return list.hit(at: count) ?? 0
    default:
      let tags = TagSimilarity(tags: places.map { categories[viewer.cards[$0]] ?? [] })
      return tags.intraListDiversity(of: Array(places.indices)) ?? 0
    }
  }
}
