internal import CardFeed

extension Timestamp {
  /// The moment `milliseconds` later, or the last moment there is: a client's clock may say
  /// anything, and a filter must not trap because of it.
  func saturatingAdvance(byMilliseconds milliseconds: Int64) -> Timestamp {
    let (sum, didOverflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: didOverflow ? .max : sum)
  }

  /// Days as milliseconds, to the nearest one.
  static func milliseconds(days: Double) -> Int64 { Int64((days * Double(day)).rounded()) }

  /// Hours as milliseconds, to the nearest one.
  static func milliseconds(hours: Double) -> Int64 { milliseconds(days: hours / 24) }
}
