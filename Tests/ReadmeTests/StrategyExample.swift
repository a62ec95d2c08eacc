// README begin
import CardFeed
import CardFeedConfiguration

/// Removes cards that share no tag with the viewer. Works on every deck with a column of tags.
struct SharedTagFilter<D: Deck>: FilterStrategy {
  let column: String

  var kind: FilterKind { .soft }
  var relaxations: Int { 1 }
  var reasons: [String] { ["no shared tag"] }

  func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    guard relaxation == 0, let viewer = slate.context.row,
      case .tags(let tags, _) = slate.table.column(column)
    else { return slate.rows.map { _ in .keep } }
    let mine = Set(tags[viewer.index])
    return slate.rows.map { row in
      mine.isDisjoint(with: tags[row.index]) ? .remove() : .keep
    }
  }
}

struct TagsPlugin: Plugin {
  let name = "tags"

  func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      filter: StrategyDescription(
        "shared-tag", .filter, summary: "Prefers cards that share a tag with the viewer.",
        parameters: [
          ParameterDescription("column", .text, default: "tags", help: "The column of tags.")
        ])
    ) { parameters, _ in SharedTagFilter<D>(column: parameters.text("column")) }
  }
}
// README end
