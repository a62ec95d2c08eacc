public import CardFeed
internal import CardFeedVectorFiles

/// Orders cards by how well their vectors suit the viewer's, both from a batch training.
///
/// Another model that is published in the folder is taken with the next deal, without a reload. What is
/// wrong with a later model leaves the one in use where it is; without a first one every card is
/// unscored. When not to use it: for viewers and cards that came after the last training; they have no
/// vector until the next one, so put a source behind it that brings them.
public struct BatchVectorRanking<D: Deck>: RankingStrategy {
  private let models: VectorModelFolder

  /// A ranking over the models in a folder, which need not hold one yet.
  public init(folder: String) { models = VectorModelFolder(path: folder) }

  /// The inner products; unscored where one of the two has no vector.
  ///
  /// - Complexity: O(n · dimension).
  /// - Throws: `FeedError.Code.model` if the first model cannot be opened.
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let values = try products(slate)
    return SlateScores(
      values: values,
      terms: [SlateScores.Term(name: "batch-vectors", values: values, isPrivate: true)])
  }

  private func products(_ slate: Slate<D>) throws -> [Double] {
    let unscored = Array(repeating: Double.nan, count: slate.count)
    do throws(VectorFileError) {
      guard let (_, model) = try models.current(),
        let row = model.viewers.row(of: slate.context.number.rawValue)
      else { return unscored }
      return model.cards.products(
        of: model.viewers.vector(at: row), with: slate.numbers.map(\.rawValue))
    } catch {
      throw FeedError(
        .model, "\(error)", hint: "import the model again with cardfeed import-model")
    }
  }
}
