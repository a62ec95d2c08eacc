import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedExperiments
import Foundation
import Testing

/// `cardfeed dataset` for catalogues and what people had to do with them.
@Suite struct ProductDatasetTests {
  @Test func aCatalogueIsMadeAndDealt() async throws {
    let folder = try ScratchFolder()
    let arguments = [
      "dataset", "make", "generated-product", "--products", "60", "--viewers", "9", "--days",
      "40", "--vector", "4", "--seed", "3", "--out",
    ]
    let made = await Call.tool(arguments + [folder.path])
    #expect(made.status == .fine)
    #expect(made.output.hasPrefix("\(folder.path)/product: 60 products, "))
    let again = try ScratchFolder()
    _ = await Call.tool(arguments + [again.path])
    for name in ["cards.jsonl", "swipes.jsonl"] {
      #expect(try again.text(of: "product/\(name)") == folder.text(of: "product/\(name)"))
    }
    // Every record is a product, every answer one of the deck's; who came before is known.
    let config = try folder.write(
      #"{"version": 1, "deck": "product", "store": {"use": "sqlite", "path": "\#(folder.path)/s.db"}}"#,
      to: "feed.json")
    let cards = folder.path + "/product/cards.jsonl"
    let records =
      try JSONDocument(
        parsing: Array(
          "[\(try folder.text(of: "product/cards.jsonl").split(separator: "\n").joined(separator: ","))]"
            .utf8)
      ).root.array ?? []
    #expect(records.count == 60)
    #expect(records.allSatisfy { $0["vector"]?.array?.count == 4 })
    let swiped = await Call.tool(
      "swipe", "--config", config, "--recorded", "--cards", cards, "--from",
      folder.path + "/product/swipes.jsonl")
    // The deck's vectors have 64 numbers; the demonstration has 4, and says so.
    #expect(swiped.status != .fine)
    #expect(swiped.errors.contains("found 4 numbers; allowed: 64"))
  }

  @Test func aCatalogueWithTheDecksVectorsIsSwipedAndDealt() async throws {
    let folder = try ScratchFolder()
    _ = await Call.tool(
      "dataset", "make", "generated-product", "--products", "80", "--viewers", "9", "--days",
      "40", "--out", folder.path)
    let config = try folder.write(
      #"{"version": 1, "deck": "product", "store": {"use": "sqlite", "path": "\#(folder.path)/s.db"}}"#,
      to: "feed.json")
    let swiped = await Call.tool(
      "swipe", "--config", config, "--recorded", "--cards",
      folder.path + "/product/cards.jsonl", "--from", folder.path + "/product/swipes.jsonl")
    #expect(swiped.status == .fine, "\(swiped.errors)")
    let dealt = await Call.tool(
      "deal", "--config", config, "--viewer", "v0001", "--format", "json")
    #expect(dealt.status == .fine, "\(dealt.errors)")
    #expect((try dealt.json["cards"]?.array ?? []).count > 0)
  }

  @Test func anyTableIsDivided() async throws {
    let folder = try ScratchFolder()
    let rows = (0..<40).map { "u\($0 % 4),i\($0 % 7),\($0)" }.joined(separator: "\n")
    let log = try folder.write("person,thing,at\n\(rows)\n", to: "log.csv")
    let call = await Call.tool(
      "dataset", "import", "interactions", log, "--out", folder.path, "--user", "person",
      "--item", "thing", "--time", "at", "--division", "time", "--name", "shop")
    #expect(call.status == .fine, "\(call.errors)")
    #expect(
      call.output.hasPrefix(
        "\(folder.path)/product/shop: 4 users, 7 items, 28 / 4 / 8 interactions, checksums "))
    #expect(try folder.text(of: "product/shop/users.csv").hasPrefix("number,id\n0,u0\n"))
    #expect(try folder.text(of: "product/shop/test.csv").split(separator: "\n").count == 9)
  }

  @Test func aTableWithoutAUsableRowIsRefused() async throws {
    let folder = try ScratchFolder()
    let log = try folder.write("user,item,time\nann,b,soon\nann,c,later\n", to: "log.csv")
    func imported(_ log: String) async -> Call {
      await Call.tool(
        "dataset", "import", "interactions", log, "--out", folder.path, "--time", "time")
    }
    let call = await imported(log)
    #expect(call.status == .failure)
    #expect(call.output.isEmpty)
    #expect(
      call.errors == """
        error: \(log):2, column 3 "time": no row can be used (2 refused), this one first: the field \
        is no time; found text of 4 bytes; allowed: a number, whole or with decimals, or ISO 8601 \
        such as 2024-01-31, 2024-01-31T10:00:00Z or 2024-01-31T10:00:00+02:00

        """)
    #expect(throws: (any Error).self) { try folder.text(of: "product/own/train.csv") }
    let empty = await imported(try folder.write("user,item,time\n", to: "empty.csv"))
    #expect(empty.status == .failure)
    #expect(empty.errors.contains("the table has no rows"), "\(empty.errors)")
  }

  @Test func rowsThatWereLeftOutAreCounted() async throws {
    let folder = try ScratchFolder()
    let log = try folder.write(
      "user,item,time\na,b,2024-01-31\na,c,never\na,d\na,e,2024-02-01\n", to: "log.csv")
    let call = await Call.tool(
      "dataset", "import", "interactions", log, "--out", folder.path, "--time", "time")
    #expect(call.status == .fine)
    #expect(call.errors.contains("left out: 2 of 4 rows"), "\(call.errors)")
    #expect(call.output.contains("1 users, 2 items, 0 / 1 / 1 interactions"))
  }

  @Test(
    arguments: [
      (["--division", "half"], "there is no division 'half'; allowed: last-out, time, random"),
      (["--name", "a/b"], "a name without '/'"),
      (["--user", "who"], "columns are missing"),
    ] as [([String], String)])
  func whatCannotBeImportedIsSaid(options: [String], expected: String) async throws {
    let folder = try ScratchFolder()
    let log = try folder.write("user,item\na,b\n", to: "log.csv")
    let call = await Call.tool(
      ["dataset", "import", "interactions", log, "--out", folder.path] + options)
    #expect(call.status != .fine)
    #expect(call.errors.contains(expected), "\(call.errors)")
  }

  @Test func everySetIsListed() async throws {
    let call = await Call.tool("dataset", "list", "--format", "json")
    let names = try call.json.array?.compactMap { $0["name"]?.string }
    #expect(
      names == [
        "generated-dating", "speed-dating", "generated-product", "movielens-100k",
        "complete-journey", "open-bandit", "interactions", "assist2009_pid", "statics", "SAT12",
        "fraction", "ecpe", "reviews",
      ])
    let unknown = await Call.tool("dataset", "import", "movielens-1m", "x", "--out", "y")
    #expect(unknown.status == .usage)
    #expect(unknown.errors.contains("allowed: speed-dating, movielens-100k, complete-journey"))
  }
}
