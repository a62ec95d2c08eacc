/// What is known of each card, and what follows of an own card of a viewer.
struct RepurchaseFacts: Sendable {
  /// How many viewers have each card.
  let viewers: [Double]
  /// The sum of amounts over the viewers.
  let total: [Double]
  /// How many have it from the recent period.
  let recent: [Double]
  /// How many have it twice or more.
  let again: [Double]
  /// Viewers, fading by 0.9 for each unit of time.
  let fading: [Double]
  /// How long amounts have been counted.
  let span: Double

  init(
    viewers: [Double], total: [Double], recent: [Double], again: [Double], fading: [Double],
    span: Double
  ) {
    self.viewers = viewers
    self.total = total
    self.recent = recent
    self.again = again
    self.fading = fading
    self.span = span
  }

  init(_ histories: ViewerHistories, now: Double, period: Double) {
    var sums = Array(
      repeating: [Double](repeating: 0, count: histories.cardCount), count: 5)
    for viewer in 0..<histories.viewerCount {
      for own in OwnCard.all(of: histories[viewer]) {
        let card = Int(own.card)
        let gap = max(0, now - own.last)
        sums[0][card] += 1
        sums[1][card] += own.amount
        if gap < period { sums[2][card] += 1 }
        if own.amount >= 2 { sums[3][card] += 1 }
        sums[4][card] += power(0.9, gap)
      }
    }
    let first = histories.times.min() ?? now
    self.init(
      viewers: sums[0], total: sums[1], recent: sums[2], again: sums[3], fading: sums[4],
      span: max(1, now - first + 1))
  }

  /// What is known of a viewer.
  struct Viewer {
    let cards: Double
    let amount: Double
    let fading: Double
    let shortestGap: Double

    init(_ own: [OwnCard], now: Double) {
      cards = max(1, Double(own.count))
      amount = own.reduce(0) { $0 + $1.amount }
      fading = own.reduce(0) { $0 + power(0.9, max(0, now - $1.last)) }
      shortestGap = own.reduce(99) { min($0, max(0, now - $1.last)) }
    }
  }

  /// The features of an own card. Logarithms, since amounts and times span magnitudes.
  func features(of own: OwnCard, _ viewer: Viewer, now: Double) -> [Double] {
    let card = Int(own.card)
    guard viewers.indices ~= card else { return Array(repeating: 0, count: Self.count) }
    let gap = max(0, now - own.last)
    let amount = logarithm(max(own.amount, 1e-3))
    let time = logOnePlus(gap)
    let interval = span / max(own.amount, 1e-3)
    let wait = logarithm((gap + 1) / interval)
    let count = max(viewers[card], 1)
    let again = logarithm((self.again[card] + 1) / (count + 10))
    let recent = logarithm((self.recent[card] + 1) / (count + 10))
    return [
      amount, amount * amount, time, time * time, gap / 10, time * amount, wait, wait * wait,
      min(gap / interval, 10), logarithm(viewer.cards),
      logarithm(max(viewer.amount, 1e-3) / viewer.cards),
      logarithm((viewer.fading + 1) / (viewer.cards + 10)), viewer.shortestGap, logarithm(count),
      logarithm(max(total[card], 1e-3) / count), recent, again,
      logarithm((fading[card] + 1) / (count + 10)), own.amount == 1 ? 1 : 0, gap < 1 ? 1 : 0,
      gap < 2 ? 1 : 0, gap < 4 ? 1 : 0, gap < 8 ? 1 : 0, amount * again, time * again,
      time * recent,
    ]
  }

  static let count = 26
}
