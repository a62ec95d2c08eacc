/// The formulas of a memory model over a number type, as a fit needs them.
protocol MemoryKernel<Number>: Sendable {
  associatedtype Number: MemoryNumber
  associatedtype State: Sendable

  /// - Parameter w: The model's parameters.
  init(_ w: [Number])

  /// The state after the first answer.
  func initial(_ rating: Rating) -> State

  /// What recall was before a further answer, and the state after it.
  func answer(_ state: State, days: Double, _ rating: Rating) -> (recall: Number, state: State)
}
