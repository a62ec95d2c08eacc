/// What all strategies have in common.
public protocol Strategy<D>: Sendable {
  /// The deck it works on; generic strategies work on every deck by column name.
  associatedtype D: Deck

  /// What it needs in the context. Nothing by default.
  var needs: ContextNeeds { get }

  /// The learners inside it. None by default.
  var learners: [any Learner<D>] { get }

  /// The trainable strategies inside it. None by default.
  var trainables: [any TrainableStrategy<D>] { get }

  /// What of cards and viewers it scores beside their answers, by name, for audits. Nothing by
  /// default; what the models of its trainable strategies score need not be repeated.
  var scored: [String] { get }
}

extension Strategy {
  /// Nothing.
  public var needs: ContextNeeds { [] }

  /// None.
  public var learners: [any Learner<D>] { [] }

  /// None.
  public var trainables: [any TrainableStrategy<D>] { [] }

  /// Nothing.
  public var scored: [String] { [] }
}
