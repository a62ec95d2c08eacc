internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedRecommenders

/// Swipes that are split into a part to learn from, a part to tune on and a part to test on.
public struct SwipeFolds: Sendable {
  /// One row of a part.
  public struct Swipe: Sendable, Equatable {
    /// 0 ..< viewers.
    public let viewer: Int32
    /// 0 ..< cards.
    public let card: Int32
    /// How much, for example how many purchases; above 0.
    public let amount: Float
    /// When, in the unit of the data.
    public let time: Double

    /// A swipe.
    public init(viewer: Int32, card: Int32, amount: Float = 1, time: Double) {
      self.viewer = viewer
      self.card = card
      self.amount = amount
      self.time = time
    }
  }

  /// The name of the set.
  public let name: String
  /// SHA-256 of the parts.
  public let checksum: String
  /// How many viewers.
  public let viewerCount: Int
  /// How many cards.
  public let cardCount: Int
  /// What is learned from while tuning.
  public let train: [Swipe]
  /// What is predicted while tuning.
  public let validation: [Swipe]
  /// What is learned from beside `train` for the test; the validation part, or, where that holds some
  /// of the swipes only, all of its time.
  public let later: [Swipe]
  /// What is predicted in the end.
  public let test: [Swipe]

  /// Parts that are at hand.
  public init(
    name: String, viewerCount: Int, cardCount: Int, train: [Swipe], validation: [Swipe],
    test: [Swipe], later: [Swipe]? = nil, checksum: String = ""
  ) {
    self.name = name
    self.checksum = checksum
    self.viewerCount = viewerCount
    self.cardCount = cardCount
    self.train = train
    self.validation = validation
    self.later = later ?? validation
    self.test = test
  }

  /// Histories of swipes, each viewer's of a card once: amounts added, at the latest time.
  ///
  /// - Throws: ``RecommenderError`` for swipes out of range.
  func histories(_ swipes: [Swipe]) throws(RecommenderError) -> ViewerHistories {
    var places: [Int64: Int] = [:]
    var (viewers, cards) = ([Int32](), [Int32]())
    var (amounts, times) = ([Float](), [Double]())
    for swipe in swipes {
      let key = Int64(swipe.viewer) << 32 | Int64(swipe.card)
      if let place = places[key] {
        amounts[place] += swipe.amount
        times[place] = max(times[place], swipe.time)
        continue
      }
      places[key] = viewers.count
      viewers.append(swipe.viewer)
      cards.append(swipe.card)
      amounts.append(swipe.amount)
      times.append(swipe.time)
    }
    return try ViewerHistories(
      viewerCount: viewerCount, cardCount: cardCount, viewers: viewers, cards: cards, times: times,
      amounts: amounts)
  }

  /// Reads `DIR/product/SET/`: `meta.json` with `n_users` and `n_items`, and `train.csv`, `valid.csv`
  /// and `test.csv`, each perhaps as `.csv.gz`, with the columns user, item, rating and timestamp.
  ///
  /// - Parameters:
  ///   - directory: The folder that holds `product/`.
  ///   - set: The name of the set.
  ///   - known: A set whose validation part is learned from for the test instead of the set's own.
  /// - Throws: ``DataProblems`` with every fault.
  /// - Complexity: O(bytes).
  public init(directory: String, set: String, known: String?) throws(DataProblems) {
    var loader = FoldLoader()
    do throws(DataProblem) {
      let folder = directory + "/product/" + set + "/"
      try loader.readSize(folder + "meta.json")
      let train = try loader.part(folder + "train.csv")
      let validation = try loader.part(folder + "valid.csv")
      let test = try loader.part(folder + "test.csv")
      let later = try known.map { known throws(DataProblem) in
        try loader.part(directory + "/product/" + known + "/valid.csv")
      }
      self.init(
        name: set, viewerCount: loader.viewerCount, cardCount: loader.cardCount, train: train,
        validation: validation, test: test, later: later,
        checksum: SHA256.hexadecimal(Array(loader.digests.joined().utf8)))
    } catch {
      loader.problems.add(error)
      throw loader.problems
    }
    guard loader.problems.isEmpty else { throw loader.problems }
  }
}

/// Reads parts and collects what is wrong with them.
private struct FoldLoader {
  var problems = DataProblems()
  var digests: [String] = []
  var viewerCount = 0
  var cardCount = 0

  private func bytes(_ path: String) throws(DataProblem) -> [UInt8] {
    let file = try ByteFile(path: path)
    var all: [UInt8] = []
    while true {
      let piece = try file.next()
      if piece.isEmpty { return all }
      all += piece
    }
  }

  mutating func readSize(_ path: String) throws(DataProblem) {
    let object = (try? JSONDocument(parsing: try bytes(path)))?.root.object
    guard let users = object?["n_users"]?.int64, let items = object?["n_items"]?.int64,
      1...Int64(Int32.max) ~= users, 1...Int64(Int32.max) ~= items
    else {
      throw DataProblem(
        file: path, reason: "the file does not say how many viewers and cards there are",
        found: "something else", allowed: "an object with n_users and n_items, each 1 or more")
    }
    (viewerCount, cardCount) = (Int(users), Int(items))
  }

  mutating func part(_ path: String) throws(DataProblem) -> [SwipeFolds.Swipe] {
    let packed = try GzipFile.bytes(path: path + ".gz")
    let content: [UInt8]
    if let packed { content = packed } else { content = try bytes(path) }
    digests.append(SHA256.hexadecimal(content))
    var table = try CSVTable(
      CSVReader(bytes: content, file: packed == nil ? path : path + ".gz", encoding: .utf8),
      required: Self.columns)
    var swipes: [SwipeFolds.Swipe] = []
    while let record = try table.next() {
      switch record {
      case .problem(let problem): problems.add(problem)
      case .row(let row):
        var fields = CSVFields(row, table.header)
        swipes.append(swipe(&fields))
        for problem in fields.problems { problems.add(problem) }
      }
    }
    return swipes
  }

  private static let columns = ["user", "item", "rating", "timestamp"]

  private func swipe(_ fields: inout CSVFields) -> SwipeFolds.Swipe {
    let amount = fields.integer("rating", in: 1...1_000_000)
    return SwipeFolds.Swipe(
      viewer: Int32(fields.integer("user", in: 0...viewerCount - 1)),
      card: Int32(fields.integer("item", in: 0...cardCount - 1)), amount: Float(amount),
      time: Double(fields.integer("timestamp", in: Int.min...Int.max)))
  }
}
