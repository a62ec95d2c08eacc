extension BestResponse {
  /// Lists of the first `length` places only, for markets too large for a matrix.
  ///
  /// Begins with the lists of the equilibrium. In a turn a person chooses among those of the other
  /// side who list them, with the place they have there, and the `length` likeliest matches of all,
  /// who count as if they looked one place behind the end of their lists. That is the best response
  /// to lists that end after `length` places, found without looking at anybody else: whoever is not
  /// listed gains in proportion to P(match), so no more than the likeliest `length` can come in.
  ///
  /// - Parameters:
  ///   - pairs: The probabilities, read row by row.
  ///   - utility: The equilibrium's settings.
  ///   - length: How many places each list has, k.
  ///   - examination: How places are looked at.
  /// - Complexity: O(n · m) a sweep of the equilibrium, O((n + m) · k · log k) a turn,
  ///   O((n + m) · k) memory.
  public func topLists(
    streaming pairs: some PairProbabilities, from utility: TransferableUtility = .init(),
    length: Int, _ examination: Examination = .reciprocal
  ) -> Lists {
    let equilibrium = utility.equilibrium(streaming: pairs)
    let gathered = utility.gather(equilibrium, of: pairs, length: length)
    var left = gathered.byMass.left
    let weights = examination.weights(length)
    let beyond = examination(length + 1)
    var best = -1.0
    for turn in 1...maximumTurns {
      let right = Self.responses(
        to: left, likeliest: gathered.byMatch.right, length, weights, beyond)
      left = Self.responses(to: right, likeliest: gathered.byMatch.left, length, weights, beyond)
      let objective = Self.objective(left, weights)
      if objective <= best + 1e-12 || turn == maximumTurns {
        return Lists(
          left: left.ranked, right: right.ranked,
          expectedMatches: Self.expectedMatches(left, right, weights), turns: turn)
      }
      best = objective
    }
    preconditionFailure("The last turn of the method returns.")
  }

  /// The best lists of one side, given the other side's and everybody's likeliest matches.
  private static func responses(
    to others: ScoredLists, likeliest: ScoredLists, _ length: Int, _ weights: [Double],
    _ beyond: Double
  ) -> ScoredLists {
    var result = TopLists(count: likeliest.count, length: length)
    // Who lists whom: the last person that was offered each entry, so that nobody is offered twice.
    let listeners = others.inverted(people: likeliest.count)
    var listedBy = Array(repeating: -1, count: others.count)
    for person in 0..<likeliest.count {
      for listener in listeners[person] {
        listedBy[Int(listener.member)] = person
        result.offer(
          TopLists.Entry(
            score: listener.match * weights[listener.place], match: listener.match,
            member: listener.member), to: person)
      }
      for entry in likeliest[person] where listedBy[Int(entry.member)] != person {
        result.offer(
          TopLists.Entry(
            score: entry.match * beyond, match: entry.match, member: entry.member), to: person)
      }
    }
    return result.sorted()
  }

  /// Σ gain × weight: what the left side's last turn made great.
  private static func objective(_ lists: ScoredLists, _ weights: [Double]) -> Double {
    var sum = 0.0
    for person in 0..<lists.count {
      for (entry, weight) in zip(lists[person], weights) { sum += entry.score * weight }
    }
    return sum
  }

  /// Σ P(match) · x · z over pairs that hold each other in their lists.
  private static func expectedMatches(
    _ left: ScoredLists, _ right: ScoredLists, _ weights: [Double]
  ) -> Double {
    let listeners = right.inverted(people: left.count)
    var place = Array(repeating: -1, count: right.count)
    var sum = 0.0
    for person in 0..<left.count {
      for (index, entry) in left[person].enumerated() { place[Int(entry.member)] = index }
      for listener in listeners[person] where place[Int(listener.member)] >= 0 {
        sum += listener.match * weights[place[Int(listener.member)]] * weights[listener.place]
      }
      for entry in left[person] { place[Int(entry.member)] = -1 }
    }
    return sum
  }
}

extension TransferableUtility {
  /// The first `length` places of everybody's list by the masses of the equilibrium.
  ///
  /// - Complexity: O(n · m · log k) time, O((n + m) · k) memory.
  public func topLists(
    _ equilibrium: Equilibrium, streaming pairs: some PairProbabilities, length: Int
  ) -> (left: RankedLists, right: RankedLists) {
    let gathered = gather(equilibrium, of: pairs, length: length)
    return (gathered.byMass.left.ranked, gathered.byMass.right.ranked)
  }

  /// Both sides' best by mass and by P(match), in one pass over the rows.
  func gather(
    _ equilibrium: Equilibrium, of pairs: some PairProbabilities, length: Int
  ) -> (
    byMass: (left: ScoredLists, right: ScoredLists),
    byMatch: (left: ScoredLists, right: ScoredLists)
  ) {
    precondition(length >= 1, "A list has at least one place; got \(length).")
    let (rows, columns) = (pairs.leftCount, pairs.rightCount)
    var massLeft = TopLists(count: rows, length: min(length, columns))
    var massRight = TopLists(count: columns, length: min(length, rows))
    var matchLeft = massLeft
    var matchRight = massRight
    var row = KernelRows(pairs: pairs, utility: self)
    for left in 0..<rows {
      row.read(left)
      for right in 0..<columns {
        let match = row.match[right]
        let mass = row.kernel[right] * equilibrium.left[left] * equilibrium.right[right]
        let forLeft = TopLists.Entry(score: mass, match: match, member: Int32(right))
        let forRight = TopLists.Entry(score: mass, match: match, member: Int32(left))
        massLeft.offer(forLeft, to: left)
        massRight.offer(forRight, to: right)
        matchLeft.offer(forLeft.ranked(by: match), to: left)
        matchRight.offer(forRight.ranked(by: match), to: right)
      }
    }
    return (
      (massLeft.sorted(), massRight.sorted()), (matchLeft.sorted(), matchRight.sorted())
    )
  }
}

extension TopLists.Entry {
  fileprivate func ranked(by score: Double) -> TopLists.Entry {
    TopLists.Entry(score: score, match: match, member: member)
  }
}

/// Somebody who lists a person, and at which place, counted from 0.
private struct Listener {
  let member: Int32
  let place: Int
  let match: Double
}

/// For each of `people`, those whose lists they stand in.
private struct Listeners {
  let starts: [Int]
  let all: [Listener]

  subscript(person: Int) -> ArraySlice<Listener> { all[starts[person]..<starts[person + 1]] }
}

extension ScoredLists {
  /// The lists the other way round. O(entries).
  fileprivate func inverted(people: Int) -> Listeners {
    var starts = Array(repeating: 0, count: people + 1)
    for entry in entries { starts[Int(entry.member) + 1] += 1 }
    for person in 0..<people { starts[person + 1] += starts[person] }
    var next = starts
    var all = Array(repeating: Listener(member: 0, place: 0, match: 0), count: entries.count)
    for owner in 0..<count {
      for (place, entry) in self[owner].enumerated() {
        let person = Int(entry.member)
        all[next[person]] = Listener(member: Int32(owner), place: place, match: entry.match)
        next[person] += 1
      }
    }
    return Listeners(starts: starts, all: all)
  }
}
