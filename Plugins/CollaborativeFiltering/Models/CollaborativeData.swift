internal import CardFeed
internal import CardFeedRecommenders

/// The positive answers of a training, in an order that depends on identities and times only: equal
/// histories make equal models, whatever numbers a store gave out.
struct CollaborativeData {
  /// The ids of the cards, ascending; rows of a recommender.
  let cards: [[UInt8]]
  let histories: ViewerHistories

  /// Days, the unit of all times here.
  static func days(_ time: Timestamp) -> Double {
    Double(time.milliseconds) / Double(Timestamp.day)
  }

  /// Cards that are gone are left out. Every answer that stands counts, so that what is taken again
  /// is seen.
  ///
  /// - Throws: `RecommenderError` past the limits of a matrix.
  /// - Complexity: O(answers · log answers).
  init<D: Deck>(_ history: TrainingHistory<D>) throws(RecommenderError) {
    let table = history.table
    let positive = history.log.filter { $0.meaning == .positive && table.row(of: $0.card) != nil }
    let ids = Set(positive.compactMap { table.row(of: $0.card).map { table.id(at: $0) } }).sorted()
    let rows = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, Int32($0)) })
    // Those without an identity, as in tests, by number.
    let viewers = Set(positive.map(\.viewer)).sorted { left, right in
      switch (history.viewers[left], history.viewers[right]) {
      case (let left?, let right?): left < right
      case (nil, nil): left.rawValue < right.rawValue
      case (let left, _): left == nil
      }
    }
    let places = Dictionary(uniqueKeysWithValues: viewers.enumerated().map { ($1, Int32($0)) })
    var (who, what, when) = ([Int32](), [Int32](), [Double]())
    for answer in positive {
      guard let viewer = places[answer.viewer], let row = table.row(of: answer.card),
        let card = rows[table.id(at: row)]
      else { continue }
      who.append(viewer)
      what.append(card)
      when.append(Self.days(answer.time))
    }
    cards = ids.map { Array($0.bytes) }
    histories = try ViewerHistories(
      viewerCount: viewers.count, cardCount: ids.count, viewers: who, cards: what, times: when)
  }
}
