internal import CardFeedConfiguration
internal import CardFeedExperiments

/// What other programs took for the tasks of `bench perf --inputs`: the JSON object that
/// `Scripts/bench-peers.py` prints. Keys that this program has nothing beside are ignored.
struct PeerFigures {
  /// What is wrong with a file of figures.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// Searches along a graph with one effort.
  struct Search: Equatable {
    let effort: Int
    let recall: Double
    let microseconds: Double

    var recallText: String { TableCell.fixed(recall, decimals: 4) }
  }

  private let path: String
  private let numbers: [String: Double]
  private let searches: [Search]

  init(path: String) throws {
    try self.init(parsing: FileSystem.read(path), path: path)
  }

  init(parsing bytes: [UInt8], path: String) throws {
    self.path = path
    let root: JSONValue
    do { root = try JSONDocument(parsing: bytes).root } catch {
      throw Problem(description: "'\(path)' is no JSON: \(error)")
    }
    guard let object = root.object else {
      throw Problem(
        description: "'\(path)' holds \(root.kind); allowed: an object of figures, as "
          + "Scripts/bench-peers.py prints it")
    }
    var numbers: [String: Double] = [:]
    for member in object.members where Self.scale(of: member.key) != nil {
      guard let number = member.value.double, number.isFinite, number > 0 else {
        throw Problem(
          description: "'\(path)', \(member.key): found \(member.value.kind); allowed: a number "
            + "above 0")
      }
      numbers[member.key] = number
    }
    self.numbers = numbers
    searches = try Self.searches(object["hnswlib"], path)
    guard !numbers.isEmpty || !searches.isEmpty else {
      throw Problem(
        description: "'\(path)' has no figure; allowed: keys such as "
          + "faiss_flat_top20_ms, as Scripts/bench-peers.py prints them")
    }
  }

  private static func searches(_ value: JSONValue?, _ path: String) throws -> [Search] {
    guard let value else { return [] }
    let allowed = "allowed: a list of objects with ef, recall (0 … 1), and us or p50_us above 0"
    guard let list = value.array else {
      throw Problem(description: "'\(path)', hnswlib: found \(value.kind); \(allowed)")
    }
    return try list.enumerated().map { place, one in
      guard let effort = one["ef"]?.int64, (1...1_000_000).contains(effort),
        let recall = one["recall"]?.double, (0...1).contains(recall),
        let time = one[one["us"] == nil ? "p50_us" : "us"]?.double, time.isFinite, time > 0
      else {
        throw Problem(description: "'\(path)', hnswlib[\(place)]: found another form; \(allowed)")
      }
      return Search(effort: Int(effort), recall: recall, microseconds: time)
    }
  }

  /// Refuses figures of a graph of another size than the one that is measured.
  func check(graphRows rows: Int) throws {
    guard let theirs = numbers[Self.graphRowsKey], Int(theirs) != rows else { return }
    throw Problem(
      description: "'\(path)' is about a graph of \(Int(theirs)) vectors, and this one would have "
        + "\(rows); allowed: graphs of one size, see --graph-rows")
  }

  /// Their figure for the task of ours, in the unit of ours; nil where they have none.
  func value(beside figure: SpeedFigure) -> Double? {
    if let effort = Self.effort(in: figure.beside) {
      return searches.first { $0.effort == effort }.map {
        $0.microseconds * 1e-6 / Self.seconds(figure.unit)
      }
    }
    guard let number = numbers[figure.beside], let scale = Self.scale(of: figure.beside) else {
      return nil
    }
    return number * scale / Self.seconds(figure.unit)
  }

  /// Their cheapest search that finds at least such a share; nil where none does.
  func cheapest(recall: Double) -> Search? {
    searches.filter { $0.recall >= recall }.min { $0.microseconds < $1.microseconds }
  }

  /// The effort in the name of a figure of a graph: 24 in "hnswlib ef=24".
  static func effort(in beside: String) -> Int? {
    let beginning = "hnswlib ef="
    return beside.hasPrefix(beginning) ? Int(beside.dropFirst(beginning.count)) : nil
  }

  private static let graphRowsKey = "hnswlib_rows"

  /// How many seconds one of a key's unit has, which its end tells; 1 for what is no time, nil for
  /// a key that nothing here stands beside.
  private static func scale(of key: String) -> Double? {
    let ends = [
      ("_per_cpu_s", 1.0), ("_ms", 1e-3), ("_us", 1e-6), ("_s", 1), ("_ndcg20", 1), ("_rows", 1),
    ]
    return ends.first { key.hasSuffix($0.0) }?.1
  }

  /// How many seconds one of a unit has; 1 for what is no time.
  private static func seconds(_ unit: SpeedFigure.Unit) -> Double {
    switch unit {
    case .milliseconds: 1e-3
    case .microseconds: 1e-6
    case .seconds, .viewersPerSecond, .ndcg, .ratio: 1
    }
  }
}
