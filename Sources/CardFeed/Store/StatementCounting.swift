/// A store that can say how many statements it has run, for measurements: what a hand costs is known
/// by counting, not by reading the code.
package protocol StatementCounting: FeedStore {
  /// Counts from now on, on every connection, statements that begin and end transactions included.
  func countStatements() async throws

  /// Statements since then.
  var statementCount: Int { get }
}
