import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedExperiments
import CardFeedVectorFiles
import ChildProcesses
import Foundation
import Testing

/// Answers out, vectors in: `dataset export`, `batch-train`, `import-model`.
@Suite struct BatchCommandTests {
  /// A store with the answers of a generated catalogue; the path of its configuration.
  private func store(_ folder: ScratchFolder) async throws -> String {
    _ = await Call.tool(
      "dataset", "make", "generated-product", "--products", "60", "--viewers", "20", "--days",
      "60", "--out", folder.path)
    let config = try folder.write(
      """
      {"version": 1, "deck": "product", "store": {"use": "sqlite", "path": "\(folder.path)/s.db"},
       "sources": [{"use": "all"}], "filters": [], "hand": {"size": 20, "refillBelow": 20},
       "ranking": {"use": "batch-vectors", "folder": "\(folder.path)/models"}}
      """, to: "feed.json")
    let swiped = await Call.tool(
      "swipe", "--config", config, "--recorded", "--cards",
      folder.path + "/product/cards.jsonl", "--from", folder.path + "/product/swipes.jsonl")
    #expect(swiped.status == .fine, "\(swiped.errors)")
    return config
  }

  /// A model of two numbers for every card and viewer of an export, as a training would write it.
  private func writeModel(
    _ folder: String, for export: String, deck: String = "product", position: Int64? = nil,
    change: (String, [UInt8]) -> [UInt8] = { $1 }
  ) throws {
    let description = try JSONDocument(parsing: try FileSystem.read(export + "/export.json")).root
    var numbers: [Set<Int64>] = [[], []]
    let table = String(decoding: try FileSystem.read(export + "/interactions.csv"), as: UTF8.self)
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",")
      numbers[0].insert(try #require(Int64(fields[1])))
      numbers[1].insert(try #require(Int64(fields[0])))
    }
    var contents: [(String, [UInt8])] = []
    for (prefix, ids) in zip(["", "viewer_"], numbers.map { $0.sorted() }) {
      contents.append((prefix + "ids.npy", NumPyFile.bytes(of: ids)))
      let vectors = ids.flatMap { [Float($0 % 7) + 1, Float($0 % 5) + 1] }
      contents.append((prefix + "vec.npy", NumPyFile.bytes(of: vectors, columns: 2)))
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var checksums = JSONObject()
    for (name, bytes) in contents {
      checksums[name] = JSONValue(SHA256.hexadecimal(bytes))
      try FileSystem.write(change(name, bytes), to: folder + "/" + name)
    }
    let manifest: JSONValue = [
      "format": JSONValue(VectorModelManifest.format), "dimension": 2, "trainer": "by hand",
      "export": [
        "deck": JSONValue(deck),
        "position": JSONValue(position ?? description["position"]?.int64 ?? 0),
        "sha256": description["sha256"] ?? .null,
      ],
      "files": JSONValue(checksums),
    ]
    try FileSystem.write(manifest.bytes(), to: folder + "/manifest.json")
  }

  /// The scores of a hand.
  private func scores(_ dealt: Call) throws -> [Double] {
    (try dealt.json["cards"]?.array ?? []).compactMap { $0["reason"]?["score"]?.double }
  }

  @Test func answersGoOutAndVectorsComeIn() async throws {
    let folder = try ScratchFolder()
    let config = try await store(folder)
    let export = folder.path + "/export"
    let exported = await Call.tool("dataset", "export", "--config", config, "--out", export)
    #expect(exported.status == .fine, "\(exported.errors)")
    let table = try folder.text(of: "export/interactions.csv")
    let swipes = try folder.text(of: "product/swipes.jsonl").split(separator: "\n").count
    #expect(table.split(separator: "\n").count == swipes + 1)
    #expect(table.hasPrefix("viewer,item,answer,meaning,time\n"))
    let description = try JSONDocument(parsing: Array(folder.text(of: "export/export.json").utf8))
      .root
    #expect(description["answers"]?.int64 == Int64(swipes))
    #expect(description["sha256"]?.string == SHA256.hexadecimal(Array(table.utf8)))

    try writeModel(folder.path + "/model", for: export)
    let models = folder.path + "/models"
    for version in 1...2 {
      let call = await Call.tool(
        "import-model", folder.path + "/model", "--into", models, "--config", config)
      #expect(call.status == .fine, "\(call.errors)")
      #expect(call.output.hasPrefix("\(models): model \(version), "))
      #expect(try folder.text(of: "models/current.json") == "{\"model_version\": \(version)}\n")
    }
    let dealt = await Call.tool(
      "deal", "--config", config, "--viewer", "v0001", "--format", "json")
    #expect(dealt.status == .fine, "\(dealt.errors)")
    let scores = try self.scores(dealt)
    #expect(scores.count == 20)
    #expect(scores == scores.sorted(by: >))
    #expect(Set(scores).count > 3)
  }

  @Test func whatIsWrongWithAModelIsSaidAndTheOldOneStays() async throws {
    let folder = try ScratchFolder()
    let config = try await store(folder)
    let (export, models) = (folder.path + "/export", folder.path + "/models")
    _ = await Call.tool("dataset", "export", "--config", config, "--out", export)
    try writeModel(folder.path + "/good", for: export)
    _ = await Call.tool("import-model", folder.path + "/good", "--into", models)

    func refused(_ name: String, _ text: String) async throws {
      let call = await Call.tool(
        "import-model", folder.path + "/" + name, "--into", models, "--config", config)
      #expect(call.status == .failure)
      #expect(call.errors.contains(text), "\(call.errors)")
      #expect(try folder.text(of: "models/current.json") == "{\"model_version\": 1}\n")
    }
    try writeModel(folder.path + "/bit", for: export) { name, bytes in
      name == "vec.npy" ? bytes.dropLast() + [bytes[bytes.count - 1] ^ 1] : bytes
    }
    try await refused("bit", "the checksum is not the manifest's")
    try writeModel(folder.path + "/cut", for: export) { name, bytes in
      name == "viewer_vec.npy" ? Array(bytes.dropLast(4)) : bytes
    }
    try await refused("cut", "a file that was copied whole")
    try writeModel(folder.path + "/deck", for: export, deck: "quiz")
    try await refused("deck", "the model belongs to another deck; found 'quiz'")
    try writeModel(folder.path + "/later", for: export, position: 1_000_000_000)
    try await refused("later", "events that this store does not have")
    try await refused("none", "manifest.json: the file cannot be opened")
  }

  private static let hasParquet =
    (try? ChildProcess.run(["python3", "-c", "import pyarrow.parquet"])) != nil

  @Test(.enabled(if: hasParquet, "skipped: no pyarrow"))
  func theTableIsAlsoParquet() async throws {
    let folder = try ScratchFolder()
    let config = try await store(folder)
    let call = await Call.tool(
      "dataset", "export", "--config", config, "--out", folder.path + "/export", "--format",
      "parquet")
    #expect(call.status == .fine, "\(call.errors)")
    let script =
      "import sys, pyarrow.csv as c, pyarrow.parquet as p; "
      + "sys.exit(0 if p.read_table(sys.argv[1]).equals(c.read_csv(sys.argv[2])) else 1)"
    try ChildProcess.run(
      ["python3", "-c", script]
        + ["parquet", "csv"].map { folder.path + "/export/interactions." + $0 })
  }

  private static let hasSpark =
    (try? ChildProcess.run(["python3", "-c", "import numpy, pyspark"])) != nil
    && (try? ChildProcess.run(["java", "-version"])) != nil

  private static let script: String = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent("Scripts/train-als.py").path
  }()

  /// The whole way, with the engine itself.
  @Test(.enabled(if: hasSpark, "skipped: no pyspark"))
  func sparkTrainsAndTheModelServes() async throws {
    let folder = try ScratchFolder()
    let config = try await store(folder)
    let call = await Call.tool(
      "batch-train", "--config", config, "--into", folder.path + "/models", "--program",
      "python3 \(Self.script) --rank 8 --iterations 5 --master local[1]")
    #expect(call.status == .fine, "\(call.errors)")
    #expect(call.output.contains("model 1, "))
    #expect(call.output.contains("with 8 numbers each"))
    let model = try VectorModel(folder: folder.path + "/models/1")
    #expect(model.manifest.trainer.hasPrefix("pyspark "))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/models/training.unfinished"))
    // What a viewer saved or bought suits them better than what they did not, on average.
    let table =
      try JSONDocument(
        parsing: Array(
          "[\(try folder.text(of: "product/swipes.jsonl").split(separator: "\n").joined(separator: ","))]"
            .utf8)
      ).root.array ?? []
    let liked = Set(
      table.filter { ["save", "buy"].contains($0["answer"]?.string ?? "") }.compactMap {
        $0["viewer"]?.string
      })
    #expect(model.viewers.count == liked.count)
    let dealt = await Call.tool(
      "deal", "--config", config, "--viewer", try #require(liked.sorted().first), "--format",
      "json")
    let scores = try self.scores(dealt)
    #expect(scores.count > 0)
    #expect(scores == scores.sorted(by: >))
  }

  @Test func aProgramThatFailsLeavesNothing() async throws {
    let folder = try ScratchFolder()
    let config = try await store(folder)
    let call = await Call.tool(
      "batch-train", "--config", config, "--into", folder.path + "/models", "--program", "false")
    #expect(call.status == .failure)
    #expect(call.errors.contains("the program did not finish; found status 1"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/models") == [])
  }
}
