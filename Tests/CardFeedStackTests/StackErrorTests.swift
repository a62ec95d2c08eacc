import CardFeedStack
import Testing

@Suite("Texts of stack errors")
struct StackErrorTests {
  @Test("every text says what was wrong, what was found, what is allowed and what to do")
  func texts() {
    let stale = StaleDecision(
      topPosition: StackPosition(3), generation: 2, decidedPosition: StackPosition(-1),
      decidedGeneration: 1)
    #expect(
      "\(StackError.staleDecision(stale))"
        == """
        stale decision: it names position -1 of generation 1, but the top is position 3 in \
        generation 2; show the current top and decide again
        """)
    let empty = StaleDecision(
      topPosition: nil, generation: 2, decidedPosition: nil, decidedGeneration: 2)
    #expect(
      "\(StackError.staleDecision(empty))"
        == """
        stale decision: it names a card of generation 2, but the stack is empty in generation 2; \
        show the current top and decide again
        """)
    #expect(
      "\(StackError.nothingToRewind)"
        == "nothing to rewind: no swipe is in the history; check canRewind first")
    #expect(
      "\(StackError.rewindTooOld(historyLimit: 20, evicted: 3))"
        == """
        rewind too old: the history keeps 20 swipes and 3 older ones were dropped; raise the \
        history limit to rewind further
        """)
    #expect(
      "\(StackError.refused(Refusal("answer the question")))"
        == """
        refused: answer the question; meet the condition first, or pass force to override the gate
        """)
  }
}
