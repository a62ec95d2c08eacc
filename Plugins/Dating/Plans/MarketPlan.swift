public import CardFeed

/// Lists for everybody, made at once: whom each person is best shown first, given all other lists.
public struct MarketPlan: TrainedModel, Equatable {
  /// Somebody in a list.
  struct Entry: Hashable, Sendable {
    /// Who it is.
    let id: CardID
    /// By what the list is ordered, the greatest first; no two are equal.
    let score: Double
  }

  /// Ascending.
  private let ids: [CardID]
  private let starts: [Int]
  private let members: [Int32]
  private let scores: [Double]
  private let index: [CardID: Int]

  /// A plan.
  ///
  /// - Parameters:
  ///   - ids: The people, ascending.
  ///   - lists: For each of them the others by place in `ids`, best first, with falling scores.
  init(ids: [CardID], lists: [[(member: Int32, score: Double)]]) {
    self.ids = ids
    starts = lists.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    members = lists.flatMap { $0.map(\.member) }
    scores = lists.flatMap { $0.map(\.score) }
    index = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
  }

  /// How many people it has lists for.
  public var peopleCount: Int { ids.count }

  /// Whom a person is best shown, best first; nil if the plan does not know the person.
  func list(of id: CardID) -> [Entry]? {
    index[id].map { person in
      (starts[person]..<starts[person + 1]).map { place in
        Entry(id: ids[Int(members[place])], score: scores[place])
      }
    }
  }

  private func entries(of person: Int) -> [(member: Int32, score: Double)] {
    (starts[person]..<starts[person + 1]).map { (members[$0], scores[$0]) }
  }

  /// The plan without one person, who is in nobody's list either. O(entries).
  public func forgetting(_ id: CardID) -> MarketPlan {
    guard let gone = index[id] else { return self }
    let lists = ids.indices.filter { $0 != gone }.map { person in
      entries(of: person).filter { $0.member != gone }
        .map { (member: $0.member > gone ? $0.member - 1 : $0.member, score: $0.score) }
    }
    return MarketPlan(ids: ids.filter { $0 != id }, lists: lists)
  }

  private static let version: UInt64 = 1

  /// Version 1: the people, then of each their list by places and scores.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.count(ids.count)
    for id in ids { writer.blob(id.bytes) }
    for person in ids.indices {
      let entries = entries(of: person)
      writer.count(entries.count)
      for entry in entries {
        writer.unsigned(UInt64(entry.member))
        writer.double(entry.score)
      }
    }
    return writer.bytes
  }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `FeedError.Code.model` for another version, for damaged bytes, and for lists that no
  ///   fit makes.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8]) throws {
    do {
      var reader = ByteReader(bytes)
      try reader.modelVersion(Self.version, of: "a market plan")
      var ids: [CardID] = []
      for _ in 0..<(try reader.count()) { ids.append(CardID(bytes: try reader.blob())) }
      guard zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw FeedError(.model, "a market plan names its people in a wrong order")
      }
      var lists: [[(member: Int32, score: Double)]] = []
      for person in ids.indices {
        var list: [(member: Int32, score: Double)] = []
        for _ in 0..<(try reader.count()) {
          let member = try reader.unsigned()
          let score = try reader.double()
          guard member < UInt64(ids.count), member != UInt64(person), score.isFinite,
            list.last.map({ $0.score > score }) ?? true
          else {
            throw FeedError(.model, "a market plan holds a list that no training makes")
          }
          list.append((Int32(member), score))
        }
        lists.append(list)
      }
      guard reader.isAtEnd else {
        throw FeedError(.model, "a market plan has bytes after its end")
      }
      self.init(ids: ids, lists: lists)
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "a market plan cannot be read: \(damage)")
    }
  }
}
