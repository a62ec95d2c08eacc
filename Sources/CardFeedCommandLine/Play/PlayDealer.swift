internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedTerminal

/// Does what a session asks for, on a feed.
struct PlayDealer<P: DeckPlugin, Store: FeedStore>: Sendable {
  let feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>
  let deck: P
  let viewer: ViewerID
  /// What makes the events of this run differ from those of every other.
  let run: String

  func report(on effect: PlayEffect) async -> PlayReport {
    do {
      switch effect {
      case .hand: return try await hand()
      case .swipe(let card, let answer, let number):
        return try await swipe(card, answer, event: event(number))
      case .rewind(let number): return try await rewind(event: event(number))
      case .seen(let card):
        try await feed.impression(
          of: card, by: viewer, event: EventID(bytes: Array("\(run)-seen-".utf8) + card.bytes))
        return .seen
      case .explain(let card, let title):
        let explanation = try await feed.explain(card, for: viewer)
        return .explained(title: title, [Explanations.text(explanation)])
      case .matches: return try await matches()
      case .suspend, .redraw, .quit: return .seen
      }
    } catch {
      return .failed(effect, "\(error)")
    }
  }

  private func event(_ number: Int) -> EventID { EventID("\(run)-\(number)") }

  private func shown(_ id: CardID, _ card: P.D.Card) -> PlayCard {
    let face = deck.face(of: card, at: SystemClock().now)
    return PlayCard(
      id: id,
      face: PileCard(
        title: face.title, subtitle: face.subtitle, body: face.body, tags: face.tags,
        back: face.back))
  }

  private func hand() async throws -> PlayReport {
    let hand = try await feed.hand(for: viewer)
    return .hand(
      hand.cards.map { shown($0.id, $0.card) },
      reasons: [hand.shortfall.map(Explanations.text)].compactMap { $0 }
        + hand.degradations.map { "left out: " + Explanations.text($0) })
  }

  private func swipe(_ card: CardID, _ answer: String, event: EventID) async throws -> PlayReport {
    guard let answer = P.D.Answer(rawValue: answer) else {
      preconditionFailure("A session knows the answers of its deck only.")
    }
    let outcome = try await feed.swipe(
      Swipe(viewer: viewer, card: card, answer: answer, event: event))
    switch outcome {
    case .applied(let receipt, _), .repeated(let receipt):
      return .swiped(isMatch: receipt.match != nil)
    case .stale: return .refused("the card is not on top of the hand any more", isStale: true)
    case .overQuota(let quota, _):
      return .refused(
        "no '\(answer.rawValue)' left: \(quota.used) of \(quota.limit) used (\(quota.quota))",
        isStale: false)
    }
  }

  private func rewind(event: EventID) async throws -> PlayReport {
    switch try await feed.rewind(for: viewer, event: event) {
    case .applied(let card, let endedMatch):
      return .rewound(card.map { shown($0.id, $0.card) }, endedMatch: endedMatch)
    case .repeated: return .notRewound("it was taken back before")
    case .nothingToRewind: return .notRewound("there is no swipe to take back")
    case .tooOld: return .notRewound("no swipe can be taken back any more")
    }
  }

  private func matches() async throws -> PlayReport {
    let matches = try await feed.matchedCards(of: viewer)
    return .matches(
      matches.reversed().map { match in
        match.card.map { shown(match.id, $0).face.title } ?? "somebody who is away"
      })
  }
}
