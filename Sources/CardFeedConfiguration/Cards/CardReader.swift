public import CardFeed

/// The cards of a file, and why other records are none.
public struct CardReading<Card: Sendable>: Sendable {
  /// The cards, in the order of the file; each identity once.
  public var cards: [Card] = []
  /// The records that were skipped, in the order of the file.
  public var problems: [CardProblem] = []
}

/// Reads files of cards of one deck: a JSON array of records, or JSON Lines with one record in
/// each line.
///
/// A file that begins with `[` is an array, any other is JSON Lines; empty lines are skipped. A
/// broken record is skipped and reported, and the others are read. An array that is not JSON
/// throughout has no records at all, because nobody can say where its next record begins.
///
/// Of records with the same identity the first one counts. Error texts name places, never values.
public struct CardReader<P: DeckPlugin>: Sendable {
  private let plugin: P

  /// A reader of the cards of a deck.
  public init(_ plugin: P) { self.plugin = plugin }

  /// Reads a file that lies in memory.
  ///
  /// - Parameter bytes: The text in UTF-8, below 4 GiB.
  /// - Complexity: O(bytes).
  public func read(_ bytes: [UInt8]) -> CardReading<P.D.Card> {
    var run = Run(plugin: plugin)
    bytes.withUnsafeBufferPointer { bytes in
      if bytes.first(where: { !Self.isSpace($0) }) == UInt8(ascii: "[") {
        run.readArray(bytes)
      } else {
        run.readLines(bytes)
      }
    }
    return run.reading
  }

  /// Reads some whole lines of JSON Lines, whatever the first of them begins with.
  ///
  /// - Parameters:
  ///   - bytes: The lines in UTF-8, below 4 GiB.
  ///   - line: The number of the first of them, for problems.
  /// - Complexity: O(bytes).
  public func readLines(_ bytes: [UInt8], firstLine line: Int = 1) -> CardReading<P.D.Card> {
    var run = Run(plugin: plugin)
    bytes.withUnsafeBufferPointer { run.readLines($0, firstLine: line) }
    return run.reading
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private struct Run {
    let plugin: P
    var reading = CardReading<P.D.Card>()
    var lines: [CardID: Int] = [:]

    mutating func readArray(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let document = parse(bytes, startingAt: .start) else { return }
      var duplicates: [Int: JSONDuplicateKey] = [:]
      for duplicate in document.duplicateKeys {
        guard case .index(let index)? = duplicate.path.components.first else { continue }
        duplicates[index] = duplicates[index] ?? duplicate
      }
      for (index, record) in (document.root.array ?? []).enumerated() {
        if let duplicate = duplicates[index] {
          report(duplicate, inside: JSONPath(Array(duplicate.path.components.dropFirst())))
        } else {
          take(record)
        }
      }
    }

    mutating func readLines(_ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1) {
      var start = 0
      var number = firstLine
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if !line.allSatisfy(isSpace) {
          let place = JSONLocation(line: number, column: 1, byteOffset: start)
          if let document = parse(line, startingAt: place) {
            if let duplicate = document.duplicateKeys.first {
              report(duplicate, inside: duplicate.path)
            } else {
              take(document.root)
            }
          }
        }
        start = end + 1
        number += 1
      }
    }

    private mutating func parse(
      _ bytes: UnsafeBufferPointer<UInt8>, startingAt start: JSONLocation
    ) -> JSONDocument? {
      do {
        return try JSONDocument(parsing: bytes, startingAt: start)
      } catch {
        let advice = error.hint.map { "; \($0)" } ?? ""
        reading.problems.append(
          CardProblem(
            path: error.path, location: error.location,
            message: "\(error.message); found \(error.found), allowed: \(error.allowed)\(advice)"))
        return nil
      }
    }

    private mutating func report(_ duplicate: JSONDuplicateKey, inside path: JSONPath) {
      reading.problems.append(
        CardProblem(
          path: path, location: duplicate.duplicate,
          message: "the key stands twice, first at \(duplicate.first); allowed: each key once"))
    }

    private mutating func take(_ record: JSONValue) {
      do {
        let card = try plugin.card(from: record)
        let line = record.location?.line ?? 1
        let id = plugin.deck.id(of: card)
        if let first = lines[id] {
          reading.problems.append(
            CardProblem(
              path: .root, location: record.location,
              message: "a record in line \(first) has the same identity; allowed: each identity "
                + "once, compared byte by byte"))
          return
        }
        lines[id] = line
        reading.cards.append(card)
      } catch let problem as CardProblem {
        let place = problem.location ?? record[problem.path]?.location ?? record.location
        reading.problems.append(
          CardProblem(path: problem.path, location: place, message: problem.message))
      } catch {
        // The error of a deck that does not explain itself may hold the record; it is not shown.
        reading.problems.append(
          CardProblem(
            path: .root, location: record.location,
            message: "the deck '\(P.D.name)' does not take this record"))
      }
    }

    private func isSpace(_ byte: UInt8) -> Bool { CardReader.isSpace(byte) }
  }
}
