internal import CardFeedExperiments

/// Figures of this program as a table, beside those of others where there are any.
struct PeerTable {
  let figures: [SpeedFigure]
  let peers: PeerFigures?

  /// The shares of the nearest rows at which graphs are compared.
  private static let recalls = [0.95, 0.99]

  /// Ratios are of times, also where figures are rates: below 1 this program is the faster one.
  var table: TextTable {
    let titles = ["what", "figure", "unit", "recall", "beside"]
    guard let peers else {
      var table = TextTable(titles)
      for figure in figures { table.append(Self.cells(figure)) }
      return table
    }
    var table = TextTable(titles + ["theirs", "ours/theirs in time"])
    for figure in figures {
      let theirs = peers.value(beside: figure)
      table.append(
        Self.cells(figure) + [
          .optional(theirs, decimals: 4),
          .optional(theirs.flatMap { Self.ratio(figure, $0) }, decimals: 3),
        ])
    }
    let graphs = figures.filter { PeerFigures.effort(in: $0.beside) != nil }
    guard !graphs.isEmpty else { return table }
    for recall in Self.recalls {
      table.append(row(atRecall: recall, graphs, peers))
    }
    return table
  }

  /// Our cheapest search that finds so many beside their cheapest one.
  private func row(
    atRecall least: Double, _ graphs: [SpeedFigure], _ peers: PeerFigures
  ) -> [TableCell] {
    let ours = graphs.filter { $0.recall ?? 0 >= least }.min { $0.value < $1.value }
    let theirs = peers.cheapest(recall: least)
    let inOurUnit = theirs.map { $0.microseconds * 1e-3 }
    let name = ours?.task.split(separator: ", ").last.map { ", \($0)" } ?? ""
    let ratio = ours.flatMap { ours in inOurUnit.map { ours.value / $0 } }
    return [
      .text("along the graph with a recall of \(least) or more\(name)"),
      .optional(ours?.value, decimals: 4), .text(SpeedFigure.Unit.milliseconds.rawValue),
      .optional(ours?.recall, decimals: 4),
      .text(theirs.map { "hnswlib ef=\($0.effort), recall \($0.recallText)" } ?? "hnswlib"),
      .optional(inOurUnit, decimals: 4), .optional(ratio, decimals: 3),
    ]
  }

  private static func cells(_ figure: SpeedFigure) -> [TableCell] {
    [
      .text(figure.task), .number(figure.value, decimals: 4), .text(figure.unit.rawValue),
      .optional(figure.recall, decimals: 4), .text(figure.beside.isEmpty ? "-" : figure.beside),
    ]
  }

  /// Our time over theirs; nil for what is no time, and for searches that find different shares.
  private static func ratio(_ figure: SpeedFigure, _ theirs: Double) -> Double? {
    guard PeerFigures.effort(in: figure.beside) == nil else { return nil }
    return switch figure.unit {
    case .seconds, .milliseconds, .microseconds: figure.value / theirs
    case .viewersPerSecond: theirs / figure.value
    case .ndcg, .ratio: nil
    }
  }
}
