import CardFeed
import CardFeedCommandLine
import CardFeedLayout
import CardFeedTerminal
import Testing

/// What keys do, without a terminal, a feed or a clock.
@Suite struct PlaySessionTests {
  private func session(
    isAnimated: Bool = true, isMutual: Bool = true, hand: [String] = ["dan", "eli", "finn"]
  ) -> PlaySession {
    var session = PlaySession(
      PlaySession.Setting(
        deck: "dating", isMutual: isMutual,
        answers: PlayAnswers([
          ("like", .positive), ("pass", .negative), ("super-like", .positive),
        ]), viewer: "ada", layout: .stackOfThree, characters: .unicode, isAnimated: isAnimated),
      size: TerminalSize(columns: 80, rows: 24))
    #expect(session.begin() == [.hand])
    #expect(
      session.take(.hand(cards(hand), reasons: []), at: 0)
        == hand.prefix(1).map { .seen(CardID($0)) })
    return session
  }

  private func cards(_ ids: [String]) -> [PlayCard] {
    ids.map { PlayCard(id: CardID($0), face: PileCard(title: $0)) }
  }

  private func titles(_ session: PlaySession, at time: Double) -> [String] {
    session.scene(at: time).cards.map(\.title)
  }

  @Test func aSwipeIsAskedForAtOnceAndShownUntilItIsDurable() {
    var session = session()
    #expect(session.press(.right, at: 1) == [.swipe(card: "dan", answer: "like", number: 1)])
    #expect(titles(session, at: 1) == ["dan", "eli", "finn"])
    #expect(session.scene(at: 1).displacement == .none)
    #expect(abs(session.scene(at: 1.15).displacement.x - 240) < 1e-6)
    #expect(session.scene(at: 1.15).stamp?.text == "like")
    #expect(session.isMoving(at: 1.15))
    // The flight is over, but nobody knows yet whether the swipe counts.
    #expect(session.advance(at: 2) == [])
    #expect(titles(session, at: 2) == ["dan", "eli", "finn"])
    #expect(session.scene(at: 2).notice == "saving")
    #expect(session.isMoving(at: 2) == false)
    #expect(session.take(.swiped(isMatch: false), at: 2.1) == [.hand, .seen("eli")])
    #expect(titles(session, at: 2.1) == ["eli", "finn"])
    #expect(session.scene(at: 2.1).displacement == .none)
    #expect(session.scene(at: 2.1).stamp == nil)
    #expect(session.tally.swipes == 1)
    #expect(session.take(.hand(cards(["eli", "finn", "gus"]), reasons: []), at: 2.2) == [])
    #expect(titles(session, at: 2.2) == ["eli", "finn", "gus"])
  }

  @Test func whoHasNotSeenTheBackCannotSayThatTheyKnewIt() {
    var session = PlaySession(
      PlaySession.Setting(
        deck: "quiz", isMutual: false,
        answers: PlayAnswers([
          ("again", .negative), ("good", .positive), ("easy", .positive), ("suspend", .neutral),
        ]), viewer: "ada", layout: .stackOfThree, characters: .unicode, isAnimated: false),
      size: TerminalSize(columns: 80, rows: 24))
    _ = session.begin()
    let questions = ["one", "two", "three"].map {
      PlayCard(id: CardID($0), face: PileCard(title: $0, back: ["answer"]))
    }
    _ = session.take(.hand(questions, reasons: []), at: 0)
    for key in [Key.right, .left, .character("e")] {
      #expect(session.press(key, at: 1) == [])
      #expect(session.scene(at: 1).notice == "Show the answer first: space turns the card.")
      #expect(titles(session, at: 1) == ["one", "two", "three"])
    }
    _ = session.press(.character(" "), at: 2)
    #expect(session.press(.right, at: 3) == [.swipe(card: "one", answer: "good", number: 1)])
    _ = session.take(.swiped(isMatch: false), at: 4)
    // The next one is hidden again; putting it aside says nothing of what is known.
    #expect(session.press(.right, at: 5) == [])
    #expect(session.press(.down, at: 6) == [.swipe(card: "two", answer: "suspend", number: 2)])
  }

  @Test func oneCardIsDecidedOnce() {
    var session = session()
    #expect(session.press(.right, at: 1).count == 1)
    #expect(session.press(.right, at: 1.05) == [])
    #expect(session.press(.left, at: 1.29) == [], "the first one is not durable yet")
    #expect(session.take(.swiped(isMatch: false), at: 1.1) == [.hand])
    #expect(session.press(.left, at: 1.14) == [], "the next card is hardly to be seen")
    #expect(
      session.press(.left, at: 1.16) == [.swipe(card: "eli", answer: "pass", number: 2)],
      "a quick thumb need not wait for the end of the flight")
    #expect(titles(session, at: 1.16) == ["eli", "finn"])
  }

  @Test func aHandFromBeforeTheSwipeDoesNotBringTheCardBack() {
    var session = session()
    _ = session.press(.right, at: 1)
    _ = session.take(.hand(cards(["dan", "eli", "finn"]), reasons: []), at: 1.01)
    #expect(titles(session, at: 1.01) == ["dan", "eli", "finn"])
    _ = session.take(.swiped(isMatch: false), at: 1.02)
    _ = session.advance(at: 2)
    #expect(titles(session, at: 2) == ["eli", "finn"])
  }

  @Test func aRefusedSwipeSpringsBack() {
    var session = session()
    _ = session.press(.up, at: 1)
    #expect(session.take(.refused("no more", isStale: false), at: 1.1) == [])
    #expect(titles(session, at: 1.1) == ["dan", "eli", "finn"])
    let there = session.scene(at: 1.1).displacement.y
    #expect(there < -10)
    #expect(session.scene(at: 1.2).displacement.y > there)
    #expect(session.scene(at: 1.46).displacement == .none)
    #expect(session.scene(at: 1.1).notice == "no more")
    #expect(session.scene(at: 1.1).isFailure)
    #expect(session.scene(at: 1.1).stamp == nil)
    #expect(session.tally.swipes == 0)
    #expect(session.press(.left, at: 2) == [.swipe(card: "dan", answer: "pass", number: 2)])
  }

  @Test func aStaleSwipeAsksForTheHand() {
    var session = session()
    _ = session.press(.right, at: 1)
    #expect(session.take(.refused("not on top", isStale: true), at: 1.1) == [.hand])
    #expect(session.take(.hand(cards(["eli"]), reasons: []), at: 1.2) == [.seen("eli")])
    #expect(titles(session, at: 1.2) == ["eli"])
    #expect(session.scene(at: 1.2).displacement == .none)
  }

  @Test func aSwipeThatNobodyKnowsOfIsSentAgainUnderItsNumber() {
    var session = session()
    let swipe = PlayEffect.swipe(card: "dan", answer: "like", number: 1)
    #expect(session.press(.right, at: 1) == [swipe])
    _ = session.take(.failed(swipe, "the store is busy"), at: 2)
    #expect(titles(session, at: 3) == ["dan", "eli", "finn"])
    #expect(session.scene(at: 3).notice == "the store is busy")
    #expect(session.press(.right, at: 3) == [swipe], "the same event again")
    _ = session.take(.failed(swipe, "the store is busy"), at: 4)
    #expect(
      session.press(.left, at: 5) == [.swipe(card: "dan", answer: "pass", number: 2)],
      "another answer is another event")
  }

  @Test func rewindBringsTheCardBackFromWhereItWent() {
    var session = session()
    _ = session.press(.left, at: 1)
    _ = session.take(.swiped(isMatch: false), at: 1.01)
    _ = session.take(.hand(cards(["eli", "finn"]), reasons: []), at: 1.02)
    #expect(session.press(.character("Z"), at: 2) == [.seen("eli"), .rewind(number: 2)])
    #expect(session.press(.right, at: 2.01) == [], "it may be about another card in a moment")
    #expect(session.press(.character("z"), at: 2.01) == [])
    let effects = session.take(.rewound(cards(["dan"])[0], endedMatch: false), at: 2.1)
    #expect(effects == [.hand, .seen("dan")])
    #expect(titles(session, at: 2.1) == ["dan", "eli", "finn"])
    #expect(session.scene(at: 2.1).displacement.x < -400)
    #expect(session.scene(at: 2.5).displacement == .none)
    #expect(session.scene(at: 2.5).notice == "taken back")
    #expect(session.tally.rewinds == 1)
    _ = session.press(.character("z"), at: 3)
    _ = session.take(.notRewound("there is no swipe to take back"), at: 3.1)
    #expect(session.scene(at: 3.1).isFailure)
    #expect(session.press(.right, at: 4) == [.swipe(card: "dan", answer: "like", number: 4)])
  }

  @Test func aRewoundCardThatMayNotBeShownStaysAway() {
    var session = session()
    _ = session.press(.left, at: 1)
    _ = session.take(.swiped(isMatch: true), at: 1.01)
    _ = session.press(.other, at: 2)
    _ = session.press(.backspace, at: 3)
    _ = session.take(.rewound(nil, endedMatch: true), at: 3.1)
    #expect(titles(session, at: 3.1) == ["eli", "finn"])
    #expect(session.tally.matches == 0)
  }

  @Test func aMatchOfTwoPeopleIsAWindow() {
    var session = session()
    _ = session.press(.right, at: 1)
    _ = session.take(.swiped(isMatch: true), at: 1.01)
    #expect(session.scene(at: 1.01).panel?.isFestive == true)
    #expect(session.press(.right, at: 3) == [], "the key closes the window and does nothing else")
    #expect(session.scene(at: 3).panel == nil)
    #expect(session.scene(at: 3).status == "1 swiped · 1 match")
  }

  @Test func aMatchOfAQuizIsALine() {
    var session = session(isMutual: false)
    _ = session.press(.right, at: 1)
    _ = session.take(.swiped(isMatch: true), at: 1.01)
    #expect(session.scene(at: 1.01).panel == nil)
    #expect(session.scene(at: 1.01).notice == "a match: like")
  }

  @Test func withoutAnimationNothingMoves() {
    var session = session(isAnimated: false)
    _ = session.press(.right, at: 1)
    #expect(session.scene(at: 1).displacement == .none)
    #expect(session.scene(at: 1).stamp?.opacity == 1, "the stamp says what was pressed")
    #expect(session.isMoving(at: 1) == false)
    #expect(session.isBusy(at: 1))
    #expect(session.take(.swiped(isMatch: false), at: 1) == [.hand, .seen("eli")])
    #expect(titles(session, at: 1) == ["eli", "finn"])
    #expect(session.isBusy(at: 1) == false)
  }

  @Test func aSlowTerminalStopsTheMovingForAWhile() {
    var session = session()
    session.noteWrite(took: 0.2, at: 1)
    _ = session.press(.right, at: 2)
    #expect(session.isMoving(at: 2) == false)
    #expect(session.take(.swiped(isMatch: false), at: 2.01) == [.hand, .seen("eli")])
    session.noteWrite(took: 0.01, at: 12)
    _ = session.press(.right, at: 12)
    #expect(session.isMoving(at: 12))
  }

  @Test func theEndOfTheCardsHasItsReason() {
    var session = session(hand: ["dan"])
    _ = session.press(.right, at: 1)
    _ = session.take(.swiped(isMatch: false), at: 1.01)
    _ = session.advance(at: 2)
    #expect(session.scene(at: 2).empty?.title == "Dealing")
    _ = session.take(.hand([], reasons: ["exhausted"]), at: 2.1)
    #expect(
      session.scene(at: 2.1).empty
        == PileScene.Panel(
          title: "No more cards", paragraphs: ["exhausted", "Space looks again."]))
    #expect(session.press(.right, at: 3) == [])
    #expect(session.press(.character(" "), at: 3) == [.hand])
    #expect(session.press(.character(" "), at: 3) == [], "it is being asked for")
    _ = session.take(.failed(.hand, "the store is busy"), at: 4)
    #expect(session.scene(at: 4).empty?.paragraphs.first == "the store is busy")
    #expect(session.press(.enter, at: 5) == [.hand])
    #expect(session.take(.hand(cards(["eli"]), reasons: []), at: 6) == [.seen("eli")])
  }

  @Test func whyAndMatchesAreWindows() {
    var session = session()
    #expect(session.press(.character("?"), at: 1) == [.explain("dan", title: "dan")])
    _ = session.take(.explained(title: "dan", (0..<50).map { "line \($0)" }), at: 1.1)
    #expect(session.scene(at: 2).panel?.title == "dan")
    _ = session.press(.down, at: 2)
    _ = session.press(.pageDown, at: 2)
    #expect(session.scene(at: 2).panel?.scroll == 6)
    _ = session.press(.pageUp, at: 2)
    _ = session.press(.pageUp, at: 2)
    #expect(session.scene(at: 2).panel?.scroll == 0)
    #expect(session.press(.escape, at: 2) == [], "closes the window only")
    #expect(session.press(.character("m"), at: 3) == [.matches])
    _ = session.take(.matches(["gus"]), at: 3.1)
    #expect(session.scene(at: 3.1).panel?.title == "1 match")
    #expect(session.press(.interrupt, at: 4) == [.quit], "from anywhere")
  }

  @Test(arguments: [Key.character("q"), .character("Q"), .escape, .interrupt, .endOfInput])
  func itCanBeLeft(_ key: Key) {
    var session = session()
    #expect(session.press(key, at: 1) == [.quit])
    _ = session.press(.right, at: 2)
    #expect(session.press(key, at: 2.01) == [.quit])
  }

  @Test func keysOfTheTerminalAreForTheLoop() {
    var session = session()
    #expect(session.press(.suspend, at: 1) == [.suspend])
    #expect(session.press(.redraw, at: 1) == [.redraw])
    #expect(session.press(.other, at: 1) == [])
    #expect(session.press(.character("ä"), at: 1) == [])
  }
}

/// Which key gives which answer.
@Suite struct PlayAnswersTests {
  private func keys(_ answers: [(String, AnswerMeaning)]) -> [String] {
    PlayAnswers(answers).all.map { answer in
      "\(answer.name) \(answer.hasArrow ? "\(answer.direction)" : "-") "
        + (answer.letter.map { String(Character($0)) } ?? "-")
    }
  }

  @Test func ofPeopleQuestionsAndProducts() {
    #expect(
      keys([("like", .positive), ("pass", .negative), ("super-like", .positive)])
        == ["pass left p", "like right l", "super-like up s"])
    #expect(
      keys([
        ("again", .negative), ("hard", .positive), ("good", .positive), ("easy", .positive),
        ("wrong", .negative), ("right", .positive), ("suspend", .neutral), ("resume", .neutral),
        ("bury", .neutral),
      ]) == [
        "again left a", "good right g", "easy up e", "hard down h", "wrong - w", "right - r",
        "suspend - s", "resume - u", "bury - b",
      ])
    #expect(
      keys([
        ("skip", .neutral), ("open", .neutral), ("save", .positive), ("buy", .positive),
        ("dislike", .negative),
      ]) == ["dislike left d", "save right s", "buy up b", "skip down k", "open - o"])
  }

  @Test func ofADeckThatNobodyKnows() {
    #expect(
      keys([("zzz", .neutral), ("yes", .positive), ("no", .negative), ("qm", .neutral)])
        == ["no left n", "yes right y", "zzz up 1", "qm down 2"])
    #expect(keys([]) == [])
    #expect(keys([("only", .neutral)]) == ["only left o"])
  }

  @Test func lettersCountInEitherCase() {
    let answers = PlayAnswers([("like", .positive)])
    #expect(answers.answer("L")?.name == "like")
    #expect(answers.answer("l")?.name == "like")
    #expect(answers.answer("x") == nil)
    #expect(answers.answer(.right)?.name == "like")
    #expect(answers.answer(.left) == nil)
  }
}
