internal import CardFeed
internal import CardFeedConfiguration

extension Slate {
  /// A column of places by name. Throws `FeedError.Code.badInput` when there is none.
  func places(_ column: String, askedBy strategy: String) throws -> [Place?] {
    try table.places(column, askedBy: strategy)
  }
}

extension CardTable {
  /// A column of places by name. Throws `FeedError.Code.badInput` when there is none.
  func places(_ column: String, askedBy strategy: String) throws -> [Place?] {
    guard case .place(let places)? = self.column(column) else {
      throw FeedError(
        .badInput, "\(strategy) found no column of places '\(column)' in the deck",
        hint: "name a column that holds places")
    }
    return places
  }
}

extension Deck {
  /// Refuses, while a strategy is built, what could only fail in every deal.
  func checkPlaces(_ column: String, askedBy strategy: String) throws {
    let columns = columns.filter { $0.kind == .place }.map(\.name)
    guard columns.contains(column) else {
      let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FeedError(
        .badInput,
        "\(strategy) asks for the column \"\(column)\", which is no column of places; allowed: "
          + (columns.isEmpty ? "none, because the deck has no places" : allowed),
        hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
    }
    guard policy.isMutual else {
      throw FeedError(
        .badInput,
        "\(strategy) needs to know where a viewer is; the viewers of the deck '\(Self.name)' are no "
          + "cards and have no place",
        hint: "leave it out of the configuration of this deck")
    }
  }
}
