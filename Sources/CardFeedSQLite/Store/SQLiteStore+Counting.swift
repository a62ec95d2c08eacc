internal import CardFeed

extension SQLiteStore: StatementCounting {
  package func countStatements() async throws {
    let counter = statementCounter
    try await writer.outsideTransaction { try $0.count(with: counter) }
    try await readers.prepareEach { try $0.count(with: counter) }
  }

  package var statementCount: Int { statementCounter.count }
}
