public import CardFeed
public import CardFeedConfiguration
internal import CardFeedVectorFiles

/// Brings a ranking over vectors that a batch training made.
public struct BatchModelsPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `batch-models`.
  public var name: String { "batch-models" }

  /// Registers the ranking for every deck.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      ranking: StrategyDescription(
        "batch-vectors", .ranking,
        summary: "Orders cards by the inner product of the viewer's vector and theirs.",
        discussion: "The vectors come from a batch training, such as implicit alternating least "
          + "squares (Hu, Koren, Volinsky 2008), by cardfeed import-model. A viewer or a card without "
          + "a vector is unscored.",
        parameters: [
          ParameterDescription(
            "folder", .text, help: "The folder of models that cardfeed import-model writes into.")
        ])
    ) { parameters, _ in
      BatchVectorRanking(folder: parameters.text("folder"))
    }
  }
}
