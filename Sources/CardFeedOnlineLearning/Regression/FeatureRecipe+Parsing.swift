/// Why a description is no recipe.
public struct FeatureRecipeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, what was found and what is allowed.
  public let description: String
}

extension FeatureRecipe {
  /// A recipe out of short texts, as a configuration has them.
  ///
  /// - Parameters:
  ///   - columns: One text for each column: `"kind"` for a category, `"n: 1 2 5"` for bins between
  ///     edges, `"n ~ 1 2 5"` for knots.
  ///   - features: `"n"` for a column by itself, `"n * kind"` for columns that count together.
  ///     Columns that stand in none of them are an error.
  ///   - bits: The logarithm of the table's size, 1 … 28.
  /// - Throws: ``FeatureRecipeError`` for the first text that cannot be read.
  public init(columns: [String], features: [String], bits: Int) throws(FeatureRecipeError) {
    var parsed: [(name: String, bins: Bins)] = []
    for text in columns {
      let column = try Self.column(text)
      guard !parsed.contains(where: { $0.name == column.name }) else {
        throw FeatureRecipeError(description: "the column \"\(column.name)\" stands twice")
      }
      parsed.append(column)
    }
    let names = parsed.map(\.name)
    var crosses: [[Int]] = []
    var alone = Set<Int>()
    for text in features {
      var cross: [Int] = []
      for part in Self.parts(text, "*") {
        guard let place = names.firstIndex(of: part), !cross.contains(place) else {
          let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
          throw FeatureRecipeError(
            description:
              "the feature \"\(text)\" is not made of different columns; the columns are "
              + (known.isEmpty ? "none" : known))
        }
        cross.append(place)
      }
      if cross.count > 1 { crosses.append(cross) } else { alone.formUnion(cross) }
    }
    let used = alone.union(crosses.joined())
    if let unused = names.indices.first(where: { !used.contains($0) }) {
      throw FeatureRecipeError(
        description: "the column \"\(names[unused])\" stands in no feature; name it among the "
          + "features, by itself or in a cross, or leave it out")
    }
    guard (1...28).contains(bits) else {
      throw FeatureRecipeError(description: "a table has 2^1 … 2^28 places; got 2^\(bits)")
    }
    self.init(
      columns: parsed.enumerated().map { place, column in
        Column(name: column.name, bins: column.bins, isAlone: alone.contains(place))
      }, crosses: crosses, bits: bits)
  }

  private static func column(
    _ text: String
  ) throws(FeatureRecipeError) -> (name: String, bins: Bins) {
    for (mark, isSoft) in [(Character(":"), false), (Character("~"), true)] {
      let halves = parts(text, mark)
      guard halves.count == 2 else { continue }
      let numbers = halves[1].split(separator: " ").map { Double($0) }
      let edges = numbers.compactMap { $0 }
      guard !halves[0].isEmpty, edges.count == numbers.count,
        edges.count >= (isSoft ? 2 : 1), edges.allSatisfy({ $0.isFinite }),
        zip(edges, edges.dropFirst()).allSatisfy({ $0 < $1 })
      else {
        throw FeatureRecipeError(
          description: "the column \"\(text)\" has no ascending numbers behind \"\(mark)\"; write "
            + (isSoft ? "\"n ~ 1 2 5\", two knots or more" : "\"n: 1 2 5\", one edge or more"))
      }
      return (halves[0], isSoft ? .knots(edges) : .edges(edges))
    }
    let name = parts(text, ":")
    guard name.count == 1, !name[0].isEmpty, !name[0].contains("*"), !name[0].contains("~") else {
      throw FeatureRecipeError(
        description: "\"\(text)\" is no column; write \"kind\", \"n: 1 2 5\" or \"n ~ 1 2 5\"")
    }
    return (name[0], .category)
  }

  /// Parts between marks, without blanks at their ends.
  private static func parts(_ text: String, _ mark: Character) -> [String] {
    text.split(separator: mark, omittingEmptySubsequences: false).map { part in
      let characters = part.drop { $0 == " " }
      let end = characters.lastIndex { $0 != " " }
      return end.map { String(characters[...$0]) } ?? ""
    }
  }
}
