/// Parameters that a memory model cannot have.
public struct MemoryParameterError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Problem: Hashable, Sendable {
    case count(found: Int, allowed: [Int])
    case value(index: Int, found: Double, allowed: ClosedRange<Double>)
  }

  let model: String
  let problem: Problem

  /// What is wrong, where, what was found and what is allowed.
  public var description: String {
    switch problem {
    case .count(let found, let allowed):
      let counts = allowed.map(String.init).joined(separator: " or ")
      return "\(model) has \(counts) parameters; found \(found)"
    case .value(let index, let found, let allowed):
      return "parameter \(index) of \(model) is \(found); "
        + "allowed is \(allowed.lowerBound) … \(allowed.upperBound)"
    }
  }

  static func check(
    _ parameters: [Double], _ bounds: [ClosedRange<Double>], model: String
  ) throws(MemoryParameterError) {
    guard parameters.count == bounds.count else {
      throw MemoryParameterError(
        model: model, problem: .count(found: parameters.count, allowed: [bounds.count]))
    }
    for (index, value) in parameters.enumerated() where !bounds[index].contains(value) {
      throw MemoryParameterError(
        model: model, problem: .value(index: index, found: value, allowed: bounds[index]))
    }
  }
}
