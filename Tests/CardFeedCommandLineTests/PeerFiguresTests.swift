import CardFeedConfiguration
import CardFeedExperiments
import Testing

@testable import CardFeedCommandLine

@Suite("Figures of other programs beside ours")
struct PeerFiguresTests {
  private static let text = """
    { "faiss_flat_top20_ms": 8.0, "implicit_recommend_viewers_per_cpu_s": 20000, "numpy_mmr_us": 50,
      "hnswlib_build_cpu_s": 20, "hnswlib_rows": 500, "popularity_ndcg20": 0.1,
      "hnswlib": [ { "ef": 24, "recall": 0.96, "p50_us": 30 },
        { "ef": 32, "recall": 0.97, "us": 20, "p50_us": 40 },
        { "ef": 50, "recall": 0.985, "p50_us": 50 } ],
      "numpy_read_all_once_ms": 12, "versions": { "numpy": "2" } }
    """

  private func figures(_ text: String = text) throws -> PeerFigures {
    try PeerFigures(parsing: Array(text.utf8), path: "peers.json")
  }

  private static let ours = [
    SpeedFigure(
      task: "nearest", value: 2, unit: .milliseconds, recall: 1, beside: "faiss_flat_top20_ms"),
    SpeedFigure(task: "with a filter", value: 2, unit: .milliseconds, beside: "faiss_other_ms"),
    SpeedFigure(
      task: "lists", value: 40_000, unit: .viewersPerSecond,
      beside: "implicit_recommend_viewers_per_cpu_s"),
    SpeedFigure(task: "MMR", value: 5, unit: .microseconds, beside: "numpy_mmr_us"),
    SpeedFigure(task: "popularity", value: 0.1, unit: .ndcg, beside: "popularity_ndcg20"),
    SpeedFigure(task: "only here", value: 1, unit: .seconds),
    SpeedFigure(
      task: "graph, effort 24", value: 0.01, unit: .milliseconds, recall: 0.94,
      beside: "hnswlib ef=24"),
    SpeedFigure(
      task: "graph, effort 40", value: 0.012, unit: .milliseconds, recall: 0.95,
      beside: "hnswlib ef=40"),
    SpeedFigure(
      task: "graph, effort 64", value: 0.03, unit: .milliseconds, recall: 0.995,
      beside: "hnswlib ef=64"),
  ]

  @Test func timesAndRatesBecomeRatiosOfTimes() throws {
    let table = PeerTable(figures: Self.ours, peers: try figures()).table
    #expect(Array(table.titles.suffix(2)) == ["theirs", "ours/theirs in time"])
    let ends = table.rows.map { $0.suffix(2).map(\.displayText) }
    #expect(
      ends == [
        ["8.0000", "0.250"], ["-", "-"], ["20000.0000", "0.500"], ["50.0000", "0.100"],
        ["0.1000", "-"], ["-", "-"], ["0.0300", "-"], ["-", "-"], ["-", "-"],
        // 12 µs against the cheapest of theirs with .95, 20 µs; nothing of theirs reaches .99.
        ["0.0200", "0.600"], ["-", "-"],
      ])
    #expect(
      table.rows[9].first == "along the graph with a recall of 0.95 or more, effort 40")
    #expect(table.rows[9][4] == "hnswlib ef=32, recall 0.9700")
    #expect(table.rows[10][1].displayText == "0.0300")
  }

  @Test func machinesReadTheSameFigures() throws {
    let table = PeerTable(figures: Self.ours, peers: try figures()).table
    let rows = try #require(table.json().array)
    #expect(rows[0]["theirs"]?.double == 8)
    #expect(rows[0]["ours/theirs in time"]?.double == 0.25)
    #expect(rows[1]["theirs"]?.isNull == true)
    let lines = String(decoding: table.csv(), as: UTF8.self).split(separator: "\r\n")
    #expect(lines[1] == "nearest,2.0,ms,1.0,faiss_flat_top20_ms,8.0,0.25")
  }

  @Test func withoutOthersThereAreNoColumnsForThem() {
    let table = PeerTable(figures: Self.ours, peers: nil).table
    #expect(table.titles == ["what", "figure", "unit", "recall", "beside"])
    #expect(table.rows.count == Self.ours.count)
  }

  @Test(
    arguments: [
      ("{", "is no JSON"), ("[1]", "allowed: an object of figures"),
      ("{}", "has no figure"), (#"{ "faiss_flat_top20_ms": "8" }"#, "allowed: a number above 0"),
      (#"{ "faiss_flat_top20_ms": 0 }"#, "faiss_flat_top20_ms: found"),
      (#"{ "hnswlib": 1 }"#, "allowed: a list of objects"),
      (#"{ "hnswlib": [ { "ef": 24, "recall": 2, "p50_us": 3 } ] }"#, "hnswlib[0]: found"),
      (#"{ "hnswlib": [ { "ef": 24, "recall": 1 } ] }"#, "us or p50_us above 0"),
    ] as [(String, String)])
  func whatIsNoTableOfFiguresIsRefused(text: String, expected: String) {
    let problem = #expect(throws: PeerFigures.Problem.self) { try figures(text) }
    #expect(problem?.description.contains(expected) == true, "\(problem?.description ?? "")")
    #expect(problem?.description.hasPrefix("'peers.json'") == true)
  }

  @Test func graphsOfTwoSizesAreNotCompared() throws {
    try figures().check(graphRows: 500)
    let problem = #expect(throws: PeerFigures.Problem.self) {
      try figures().check(graphRows: 200_000)
    }
    #expect(problem?.description.contains("a graph of 500 vectors") == true)
    try figures(#"{ "faiss_flat_top20_ms": 8 }"#).check(graphRows: 7)
  }

  @Test func figuresOfOthersNeedTheSameFiles() async {
    let call = await Call.tool("bench", "perf", "--peers", "peers.json")
    #expect(call.status == .usage)
    #expect(call.errors.contains("--peers stands without --inputs; allowed: both"))
  }
}
