internal import CardFeedBandits
internal import CardFeedBaselines
internal import CardFeedBatchModels
internal import CardFeedCollaborativeFiltering
public import CardFeedConfiguration
internal import CardFeedDating
internal import CardFeedProduct
internal import CardFeedQuiz
internal import CardFeedReranking
internal import CardFeedVectorSearch

#if XGBoost
  internal import CardFeedGradientBoosting
#endif
#if Postgres
  internal import CardFeedPostgres
#endif

/// The plugins this package ships, as one list.
///
/// The only module of `Sources/` that knows plugins. Programs call it; no library of this package
/// may import it, so that everything works with another list just as well.
extension PluginSet {
  /// The plugins this package ships. A program of your own passes this, or its own list, to
  /// whatever reads configurations; there is no global registry.
  public static let standard = PluginSet(
    [
      BaselinesPlugin(), RerankingPlugin(), BanditsPlugin(), CollaborativeFilteringPlugin(),
      VectorSearchPlugin(), BatchModelsPlugin(), DatingPlugin(), QuizPlugin(), ProductPlugin(),
      SQLitePlugin(),
    ] + behindTraits)

  /// Those that stand on a library which not every machine has.
  private static var behindTraits: [any Plugin] { postgres + boostedTrees }

  private static var postgres: [any Plugin] {
    #if Postgres
      [PostgresPlugin()]
    #else
      []
    #endif
  }

  private static var boostedTrees: [any Plugin] {
    #if XGBoost
      [GradientBoostingPlugin()]
    #else
      []
    #endif
  }
}
