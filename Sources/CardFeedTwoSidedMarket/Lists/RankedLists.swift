/// The ordered lists of one side: for each person, members of the other side, best first.
///
/// A list may be complete or not; it holds nobody twice. Memory is four bytes an entry.
public struct RankedLists: Equatable, Sendable {
  private let starts: [Int]
  private let members: [Int32]

  /// Lists as given.
  ///
  /// - Parameter lists: For each person the members of the other side, counted from 0.
  public init(_ lists: [[Int]]) {
    var starts = [0]
    var members: [Int32] = []
    for list in lists {
      precondition(
        Set(list).count == list.count && list.allSatisfy { $0 >= 0 && $0 <= Int(Int32.max) },
        "A list holds nobody twice, and people are counted from 0.")
      members += list.map { Int32($0) }
      starts.append(members.count)
    }
    self.init(starts: starts, members: members)
  }

  /// Complete lists by score: the greatest first, equal scores by the smaller number.
  ///
  /// - Parameter scores: A row for each person and a column for each of the other side; no NaN.
  /// - Complexity: O(n · m · log m).
  public init(ranking scores: DenseMatrix) {
    self.init(complete: scores.rows, of: scores.columns) { orders in
      for row in 0..<scores.rows { orders.sort(row, by: scores) }
    }
  }

  /// Complete lists, as `body` sorts them.
  init(complete count: Int, of opposite: Int, _ body: (inout RowOrders) -> Void) {
    var orders = RowOrders(rows: count, columns: opposite)
    body(&orders)
    self.init(orders)
  }

  init(_ orders: RowOrders) {
    self.init(starts: (0...orders.rows).map { $0 * orders.columns }, members: orders.members)
  }

  init(starts: [Int], members: [Int32]) {
    self.starts = starts
    self.members = members
  }

  /// How many people hold a list.
  public var count: Int { starts.count - 1 }

  /// How many entries all lists have.
  public var entryCount: Int { members.count }

  /// One person's list, best first. O(1); the numbers are those of the other side.
  public subscript(person: Int) -> ArraySlice<Int32> {
    members[starts[person]..<starts[person + 1]]
  }

  /// At which entry of all a person's list begins; lists follow each other.
  func start(of person: Int) -> Int { starts[person] }

  /// The first places of each list. O(entries).
  public func prefix(_ length: Int) -> RankedLists {
    RankedLists((0..<count).map { self[$0].prefix(length).map(Int.init) })
  }

  /// How likely each person looks at each of the other side, who are `opposite` people. Who is not
  /// listed is not looked at. O(count · opposite).
  public func examination(_ examination: Examination, of opposite: Int) -> DenseMatrix {
    var result = DenseMatrix(rows: count, columns: opposite)
    let weights = examination.weights((0..<count).map { self[$0].count }.max() ?? 0)
    for person in 0..<count {
      for (weight, member) in zip(weights, self[person]) {
        precondition(
          member < opposite, "A list names person \(member) of a side of \(opposite) people.")
        result[person, Int(member)] = weight
      }
    }
    return result
  }
}

/// Complete orders of all rows of a matrix, kept between sorts: orders change little from step to
/// step of an iteration, and a merge sort of what is nearly sorted costs O(m).
struct RowOrders {
  let rows: Int
  let columns: Int
  private(set) var members: [Int32]
  private var scratch: [Entry]

  struct Entry {
    let score: Double
    let member: Int32
  }

  init(rows: Int, columns: Int) {
    precondition(columns <= Int(Int32.max), "A side has at most 2³¹ − 1 people.")
    self.rows = rows
    self.columns = columns
    members = (0..<rows).flatMap { _ in (0..<columns).map { Int32($0) } }
    scratch = []
    scratch.reserveCapacity(columns)
  }

  /// Sorts one row by its scores, the greatest first, equal ones by the smaller number.
  mutating func sort(_ row: Int, by scores: DenseMatrix) {
    scores.values.withUnsafeBufferPointer { values in
      sort(row, by: UnsafeBufferPointer(rebasing: values[row * columns..<(row + 1) * columns]))
    }
  }

  /// The same by `columns` scores of this row.
  mutating func sort(_ row: Int, by scores: UnsafeBufferPointer<Double>) {
    let start = row * columns
    scratch.removeAll(keepingCapacity: true)
    for place in start..<start + columns {
      let member = members[place]
      scratch.append(Entry(score: scores[Int(member)], member: member))
    }
    scratch.sort { left, right in
      left.score > right.score || (left.score == right.score && left.member < right.member)
    }
    for place in 0..<columns { members[start + place] = scratch[place].member }
  }
}
