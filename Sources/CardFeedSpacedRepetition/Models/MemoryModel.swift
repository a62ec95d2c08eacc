/// A model of how one learner forgets one question, as a state that each answer moves.
///
/// This module holds such models, their fit to a learner's own answers, and the schedule that follows
/// from them. They are pure and deterministic and know neither decks nor feeds. Decks and experiments
/// may call them; the module must never import anything but the C library.
///
/// A model is a value without memory of its own: the state is all it knows of a question. Use it for
/// questions that come back over days; for a test that is taken once see the knowledge models.
public protocol MemoryModel: Sendable {
  /// What is known of one question.
  associatedtype State: Hashable, Sendable

  /// The state after the first answer. O(1).
  func initial(_ rating: Rating) -> State

  /// The state after a further answer. O(1).
  ///
  /// - Parameters:
  ///   - state: The state after the answer before.
  ///   - days: The time between the two answers; a negative one counts as none.
  ///   - rating: The answer.
  func next(_ state: State, after days: Double, _ rating: Rating) -> State

  /// The probability of recall after some days without an answer, within (0, 1]. O(1).
  ///
  /// It falls with the days, and falls ever more slowly: its curve is convex.
  func retrievability(_ state: State, after days: Double) -> Double

  /// The days after which recall has fallen to `retention`, not rounded. O(1).
  func interval(_ state: State, retention: Double) -> Double

  /// The days until recall would be .9, as one number for lists and statistics.
  func stability(_ state: State) -> Double
}
