internal import CardFeed

/// What a viewer said of products, as a fold over their answers in the order of time.
///
/// An answer that reaches the log late is folded where it belongs, and one that is taken back was never
/// there.
struct ProductHistory {
  /// What was said of one product.
  struct Entry {
    /// The latest answer, whatever it was.
    var latest: (answer: ProductDeck.Answer, time: Timestamp)
    /// The latest of those that decide something: dislike, save, buy.
    var decision: (answer: ProductDeck.Answer, time: Timestamp)?
    /// When it was bought, ascending; of one day the latest only, as two of a basket are one purchase.
    var purchases: [Timestamp] = []
    /// Skipped or opened without a decision since the last one.
    var undecided = 0
  }

  private let entries: [CardNumber: Entry]

  /// The products that were answered, in the order of their numbers.
  var products: [(card: CardNumber, entry: Entry)] {
    entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// What was said of a product; nil if nothing was. O(1).
  subscript(card: CardNumber) -> Entry? { entries[card] }

  /// Folds all answers of a viewer. O(n · log n).
  init(_ answers: [GivenAnswer]) {
    var entries: [CardNumber: Entry] = [:]
    let ordered = answers.sorted { ($0.time, $0.event) < ($1.time, $1.event) }
    for given in ordered {
      guard let answer = ProductDeck.Answer(rawValue: given.answer) else { continue }
      let latest = (answer: answer, time: given.time)
      var entry = entries[given.card] ?? Entry(latest: latest)
      entry.latest = latest
      switch answer {
      case .skip, .open: entry.undecided += 1
      case .dislike, .save, .buy:
        entry.decision = latest
        entry.undecided = 0
      }
      if answer == .buy {
        if let last = entry.purchases.last, last.dayNumber == given.time.dayNumber {
          entry.purchases.removeLast()
        }
        entry.purchases.append(given.time)
      }
      entries[given.card] = entry
    }
    self.entries = entries
  }
}

extension Timestamp {
  /// The day of UTC, rounded down also before 1970.
  fileprivate var dayNumber: Int64 {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: Timestamp.day)
    return rest < 0 ? days - 1 : days
  }

  /// Some days later, or the last or first moment there is: a client's clock may say anything.
  func after(days: Double) -> Timestamp {
    let milliseconds = Double(milliseconds) + days * Double(Timestamp.day)
    if milliseconds >= Double(Int64.max) { return Timestamp(milliseconds: .max) }
    if milliseconds <= Double(Int64.min) { return Timestamp(milliseconds: .min) }
    return Timestamp(milliseconds: Int64(milliseconds))
  }

  /// Days from another moment to this one.
  func days(since earlier: Timestamp) -> Double {
    (Double(milliseconds) - Double(earlier.milliseconds)) / Double(Timestamp.day)
  }
}
