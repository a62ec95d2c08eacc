/// What a session came to.
package struct PlayTally: Hashable, Sendable, CustomStringConvertible {
  /// Swipes that count, those among them that were taken back included.
  package private(set) var swipes = 0
  /// Swipes that were taken back.
  package private(set) var rewinds = 0
  /// Matches that stand.
  package private(set) var matches = 0

  mutating func count(_ report: PlayReport) {
    switch report {
    case .swiped(let isMatch):
      swipes += 1
      if isMatch { matches += 1 }
    case .rewound(_, let endedMatch):
      rewinds += 1
      if endedMatch { matches -= 1 }
    default: break
    }
  }

  /// The numbers in words.
  package var description: String {
    "\(swipes) swiped, \(rewinds) taken back, \(matches) \(matches == 1 ? "match" : "matches")"
  }
}
