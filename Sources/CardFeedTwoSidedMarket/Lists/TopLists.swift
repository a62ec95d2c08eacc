/// The best k of each person of one side, gathered one candidate at a time.
///
/// A bounded heap for each person: O(n · k) memory whatever is offered, O(log k) an offer. Which
/// entries remain does not depend on the order of the offers.
struct TopLists {
  /// Somebody of the other side.
  struct Entry: Equatable {
    /// By what it is ranked.
    let score: Double
    /// A number that is carried along: P(match).
    let match: Double
    /// Who it is.
    let member: Int32

    /// The one total order: score, then P(match), then the smaller number.
    func isBetter(than other: Entry) -> Bool {
      if score != other.score { return score > other.score }
      if match != other.match { return match > other.match }
      return member < other.member
    }
  }

  let count: Int
  let length: Int
  private var entries: [Entry]
  private var sizes: [Int]

  /// Empty lists of at most `length` entries for `count` people.
  init(count: Int, length: Int) {
    self.count = count
    self.length = length
    entries = Array(
      repeating: Entry(score: 0, match: 0, member: 0), count: count * length)
    sizes = Array(repeating: 0, count: count)
  }

  /// Offers an entry to a person's list.
  mutating func offer(_ entry: Entry, to person: Int) {
    let start = person * length
    let size = sizes[person]
    entries.withUnsafeMutableBufferPointer { entries in
      // The worst entry is the root.
      if size < length {
        var place = size
        while place > 0 {
          let parent = (place - 1) / 2
          guard entries[start + parent].isBetter(than: entry) else { break }
          entries[start + place] = entries[start + parent]
          place = parent
        }
        entries[start + place] = entry
        return
      }
      guard length > 0, entry.isBetter(than: entries[start]) else { return }
      var place = 0
      while true {
        var child = 2 * place + 1
        guard child < length else { break }
        if child + 1 < length, entries[start + child].isBetter(than: entries[start + child + 1]) {
          child += 1
        }
        guard entry.isBetter(than: entries[start + child]) else { break }
        entries[start + place] = entries[start + child]
        place = child
      }
      entries[start + place] = entry
    }
    if size < length { sizes[person] = size + 1 }
  }

  /// One person's entries in no particular order.
  func entries(of person: Int) -> ArraySlice<Entry> {
    entries[person * length..<person * length + sizes[person]]
  }

  /// All lists, each best first.
  func sorted() -> ScoredLists {
    var starts = [0]
    var all: [Entry] = []
    all.reserveCapacity(sizes.reduce(0, +))
    for person in 0..<count {
      all += entries(of: person).sorted { $0.isBetter(than: $1) }
      starts.append(all.count)
    }
    return ScoredLists(starts: starts, entries: all)
  }
}

/// Lists with the numbers they were ranked by.
struct ScoredLists: Equatable {
  let starts: [Int]
  let entries: [TopLists.Entry]

  var count: Int { starts.count - 1 }

  subscript(person: Int) -> ArraySlice<TopLists.Entry> {
    entries[starts[person]..<starts[person + 1]]
  }

  var ranked: RankedLists { RankedLists(starts: starts, members: entries.map(\.member)) }
}
