/// One answer of a student to a question.
public struct KnowledgeAnswer: Hashable, Sendable {
  /// The question's number, 0 and more.
  public var question: Int
  /// The numbers of the skills that the question needs, the leading one first; may be empty.
  public var skills: [Int]
  /// Whether it was right.
  public var isRight: Bool

  /// An answer.
  public init(question: Int, skills: [Int], isRight: Bool) {
    self.question = question
    self.skills = skills
    self.isRight = isRight
  }
}

/// A model of what one student knows, as a state that each answer moves.
///
/// What all students have in common (how hard a question is, how fast a skill is learned) is fitted
/// beforehand and stays as it is; a prediction sees nothing of a student but the student's own
/// earlier answers. The order of answers counts, not the time between them: for questions that come
/// back over days see the models of memory.
public protocol KnowledgeModel: Sendable {
  /// What is known of a student.
  associatedtype State: Hashable, Sendable

  /// What is known of a student who has not answered yet.
  var initial: State { get }

  /// P(right), within (0, 1).
  ///
  /// - Parameters:
  ///   - state: What is known of the student.
  ///   - question: The question's number; one that was not fitted is judged by its skills.
  ///   - skills: The question's skills; those that were not fitted are judged as all others are.
  /// - Complexity: O(skills).
  func probability(_ state: State, question: Int, skills: [Int]) -> Double

  /// Moves the state. O(skills).
  func learn(_ state: inout State, _ answer: KnowledgeAnswer)
}

extension KnowledgeModel {
  /// P(right) of each answer of a student, before it is given. O(answers · skills).
  public func probabilities(of history: [KnowledgeAnswer]) -> [Double] {
    var state = initial
    return history.map { answer in
      let right = probability(state, question: answer.question, skills: answer.skills)
      learn(&state, answer)
      return right
    }
  }
}
