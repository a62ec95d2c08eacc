/// The known name that was most likely meant by a misspelt one, or `nil` when none is close.
///
/// Close means: upper and lower case of ASCII letters aside, at most one third of the longer name
/// has to change, by inserting, deleting or replacing a character or by swapping two neighbours
/// (Damerau–Levenshtein distance in its restricted form, also called optimal string alignment).
/// Failing that, the only name that begins with at least three given characters. Of names
/// equally close the one that also agrees in case wins, then the first by bytes, so that the
/// answer does not depend on the order of the names.
///
/// - Parameters:
///   - name: The name that was found.
///   - names: The names that are allowed.
/// - Complexity: The product of the lengths, for each name. Names beyond 100 characters are
///   never close.
public func nearestName(to name: String, in names: some Sequence<String>) -> String? {
  let limit = 100
  let given = Array(name.unicodeScalars.prefix(limit + 1))
  guard !given.isEmpty, given.count <= limit else { return nil }
  let foldedGiven = given.map(foldingASCIICase)
  var best: (distance: Int, exactDistance: Int, name: String)?
  var completions: [String] = []
  for candidate in names {
    let known = Array(candidate.unicodeScalars.prefix(limit + 1))
    guard !known.isEmpty, known.count <= limit else { continue }
    let foldedKnown = known.map(foldingASCIICase)
    if given.count >= 3, foldedKnown.starts(with: foldedGiven) { completions.append(candidate) }
    let longer = max(given.count, known.count)
    let allowed = max(1, longer / 3)
    guard abs(given.count - known.count) <= allowed else { continue }
    let distance = alignmentDistance(foldedGiven, foldedKnown)
    guard distance <= allowed, distance < longer else { continue }
    let exactDistance = alignmentDistance(given, known)
    let isBetter =
      best.map { best in
        (distance, exactDistance) != (best.distance, best.exactDistance)
          ? (distance, exactDistance) < (best.distance, best.exactDistance)
          : candidate.precedesByBytes(best.name)
      } ?? true
    if isBetter { best = (distance, exactDistance, candidate) }
  }
  if let best { return best.name }
  return completions.count == 1 ? completions.first : nil
}

private func foldingASCIICase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  let isUpper = ("A"..."Z").contains(scalar)
  return isUpper ? Unicode.Scalar(UInt8(ascii: scalar) | 0x20) : scalar
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two names,
/// no part of a name being edited twice.
private func alignmentDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for row in 1...first.count {
    var current = [row]
    for column in 1...second.count {
      let isSame = first[row - 1] == second[column - 1]
      var cost = min(
        previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
      if row > 1, column > 1, first[row - 1] == second[column - 2],
        first[row - 2] == second[column - 1]
      {
        cost = min(cost, beforePrevious[column - 2] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
