internal import CardFeed

/// The zones that were asked for, so that no file is read for a swipe or a deal. No more than the system
/// has, and a bounded number of names that are none.
package final class ZoneMemory: Sendable {
  private static let most = 4096
  private let known = Lock<[String: ZoneRules?]>([:])

  /// No zone yet.
  package init() {}

  /// The rules of a zone; nil for a name that the system does not know.
  package func rules(named name: String) -> ZoneRules? {
    if let found = known.withLock({ $0[name] }) { return found }
    let rules = try? ZoneDatabase().rules(named: name)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[name] = .some(rules)
    }
    return rules
  }
}
