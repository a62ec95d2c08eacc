internal import CardFeed
internal import CardFeedConfiguration

/// A swipe as it was asked for on the command line or in a file.
struct SwipeRequest: Sendable {
  let viewer: ViewerID
  /// Nil is the top card.
  let card: CardID?
  let answer: String
  /// Nil is an id made of viewer and card.
  let event: EventID?
  /// When the viewer swiped; nil is now. Only for swipes that happened elsewhere.
  let time: Timestamp?
  /// Where it stands, as error texts say it; nil for the command line.
  let place: String?

  private static let keys = ["viewer", "card", "answer", "event", "time"]

  /// Reads one JSON object a line; empty lines are left out. Every problem of the file is in the
  /// error, so that nothing is swiped when one line is wrong.
  static func requests(in bytes: [UInt8], _ path: String) throws(FeedError) -> [SwipeRequest] {
    var requests: [SwipeRequest] = []
    var problems: [String] = []
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
      let place = "\(path), line \(index + 1)"
      do throws(Fault) {
        requests.append(try SwipeRequest(parsing: Array(line), at: place))
      } catch {
        problems.append("\(place): \(error.message)")
      }
    }
    guard problems.isEmpty else {
      // A file of a million broken lines is explained by its first ones.
      let listed = problems.prefix(20).joined(separator: "\n")
      let rest = problems.count > 20 ? "\n… and \(problems.count - 20) more lines" : ""
      throw FeedError(.badInput, listed + rest + "\nnothing was swiped")
    }
    return requests
  }

  /// Whether a byte is JSON's white space.
  private static func isSpace(_ byte: UInt8) -> Bool {
    [0x20, 0x09, 0x0d].contains(byte)
  }

  private struct Fault: Error {
    let message: String
  }

  private init(parsing line: [UInt8], at place: String) throws(Fault) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: line)
    } catch {
      throw Fault(
        message: "column \(error.location.column): \(error.message); found \(error.found), "
          + "allowed: \(error.allowed)")
    }
    guard let object = document.root.object else {
      throw Fault(message: "must be an object; found \(document.root.kind)")
    }
    if let duplicate = document.duplicateKeys.first {
      throw Fault(message: "\(duplicate.path): the key stands twice")
    }
    for member in object.members where !Self.keys.contains(member.key) {
      let allowed = Self.keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let nearest = nearestName(to: member.key, in: Self.keys)
      throw Fault(
        message: "unknown key \"\(member.key)\"; allowed: \(allowed)"
          + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    func text(_ key: String) throws(Fault) -> String? {
      guard let value = object[key] else { return nil }
      guard let text = value.string, !text.isEmpty else {
        throw Fault(
          message: "\"\(key)\" must be a text that is not empty; found "
            + (value.string == nil ? "\(value.kind)" : "an empty text"))
      }
      return text
    }
    guard let viewer = try text("viewer") else { throw Fault(message: "missing key \"viewer\"") }
    guard let answer = try text("answer") else { throw Fault(message: "missing key \"answer\"") }
    self.viewer = ViewerID(viewer)
    card = try text("card").map { CardID($0) }
    self.answer = answer
    event = try text("event").map { EventID($0) }
    time = try object["time"].map { value throws(Fault) in
      guard let time = value.int64, (1...100_000_000_000_000).contains(time) else {
        throw Fault(
          message: "\"time\" must be milliseconds since 1970, a whole number; found "
            + (value.number == nil ? "\(value.kind)" : "another number"))
      }
      return Timestamp(milliseconds: time)
    }
    self.place = place
  }

  /// A swipe of the command line.
  init(viewer: ViewerID, card: CardID?, answer: String, event: EventID?) {
    self.viewer = viewer
    self.card = card
    self.answer = answer
    self.event = event
    time = nil
    place = nil
  }

  /// An error with the place of the swipe it is about.
  func located(_ error: FeedError) -> FeedError {
    guard let place else { return error }
    return FeedError(
      error.code, "\(place): \(error.message)",
      hint: [error.hint, "what was printed is applied, and the file can be given again"]
        .compactMap(\.self).joined(separator: "; "))
  }

  /// An answer that the deck does not know is refused before anything is swiped.
  static func checkAnswers<D: Deck>(
    of requests: [SwipeRequest], in deck: D.Type
  ) throws(FeedError) {
    let allowed = D.Answer.allCases.map(\.rawValue)
    guard let request = requests.first(where: { D.Answer(rawValue: $0.answer) == nil })
    else { return }
    throw FeedError(
      .badInput,
      "the deck '\(D.name)' has no answer '\(request.answer)'; allowed: "
        + allowed.joined(separator: ", ") + "; nothing was swiped",
      hint: nearestName(to: request.answer, in: allowed).map { "did you mean '\($0)'?" })
  }
}
