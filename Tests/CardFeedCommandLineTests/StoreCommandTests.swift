import CardFeed
import CardFeedCommandLine
import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation
import Testing

/// `cardfeed store` over an SQLite file.
@Suite struct StoreCommandTests {
  private let folder: ScratchFolder
  private let configuration: String
  private let cards: String

  init() async throws {
    folder = try ScratchFolder()
    (configuration, cards) = try folder.makeFeed()
    for (viewer, answer) in [("ada", "like"), ("dan", "like"), ("bea", "pass"), ("dan", "pass")] {
      let call = await Call.tool(
        "swipe", "--config", configuration, "--cards", cards, "--viewer", viewer, "--answer",
        answer)
      try #require(call.status == .fine, "\(call)")
    }
  }

  private func store(_ arguments: String...) async -> Call {
    await Call.tool(["store", arguments[0], "--config", configuration] + arguments.dropFirst())
  }

  private var isSound: Bool {
    get async { await store("check").status == .fine }
  }

  @Test func checkMakesNothing() async throws {
    let empty = try ScratchFolder()
    let (other, _) = try empty.makeFeed()
    let call = await Call.tool("store", "check", "--config", other)
    #expect(call.status == .failure)
    #expect(call.errors.contains("cannot open database"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: empty.path).sorted()
        == ["cards.jsonl", "feed.json"])
    #expect(await isSound)
  }

  @Test func backupIsAStoreOfItsOwn() async throws {
    let copy = folder.file("copy.db")
    #expect(await store("backup", "--to", copy).status == .fine)
    #expect(FileManager.default.fileExists(atPath: copy))
    let again = await store("backup", "--to", copy)
    #expect(again.status == .failure)
    #expect(again.errors.contains("a backup never replaces one"))
    let text = try folder.text(of: "feed.json").replacing("d.db", with: "copy.db")
    let other = try folder.write(text, to: "copy.json")
    #expect(
      await Call.tool("store", "check", "--config", other).output == store("check").output)
  }

  @Test func migrateSaysThatThereIsNothingToDo() async {
    #expect(
      await store("migrate")
        == Call(status: .fine, output: "schema version 6, nothing to do\n", errors: ""))
  }

  @Test func exportShowsWhatIsKeptWithIdentifiers() async throws {
    let json = try await store("export", "--viewer", "ada").json
    #expect(json["viewer"]?.string == "ada")
    #expect(json["card"]?["name"]?.string == "ada")
    #expect(json["matches"]?.array?.first?["with"]?.string == "dan")
    #expect(json["answersReceived"]?["positive"] == 1)
    let kinds = json["events"]?.array?.compactMap { $0["kind"]?.string }
    #expect(kinds == ["deal", "swipe"])
    #expect(json["events"]?.array?.last?["card"]?.string == "dan")
  }

  @Test func eraseAsksFirst() async throws {
    let refused = await store("erase", "--viewer", "ada")
    #expect(refused.status == .usage)
    #expect(refused.errors.contains("erasing cannot be undone"))
    #expect(try await store("export", "--viewer", "ada").json["card"]?["name"]?.string == "ada")
    let erased = await store("erase", "--viewer", "ada", "--yes")
    #expect(erased.status == .fine)
    #expect(erased.output.hasSuffix("exposures removed\n"))
    let after = try await store("export", "--viewer", "ada").json
    #expect(after["card"] == .null)
    #expect(after["events"] == [])
    let other = try await store("export", "--viewer", "dan").json
    #expect(other["matches"] == [])
    #expect(await isSound)
  }

  @Test func pruneAndAgeOutTakeDays() async throws {
    let none = await store("age-out")
    #expect(none.status == .usage)
    #expect(none.errors.contains("give --passes, --likes or both"))
    let young = await store("age-out", "--passes", "1", "--likes", "1")
    #expect(young.output.hasPrefix("0 passes and 0 likes of 0 viewers"))
    #expect(await store("prune", "--days", "1").output == "0 exposures removed\n")
    // A day of no length: everything up to this moment.
    try await Task.sleep(for: .milliseconds(5))
    let old = await store("age-out", "--passes", "0", "--likes", "0")
    #expect(old.output.hasPrefix("2 passes and 0 likes of 2 viewers"), "\(old)")
    #expect(await store("prune", "--days", "0").output != "0 exposures removed\n")
    #expect(await isSound)
  }

  @Test func aStoreWithoutFilesCannotBeLookedAfter() async throws {
    let path = try folder.write(#"{"version":1,"deck":"dating"}"#, to: "memory.json")
    let call = await Call.tool("store", "migrate", "--config", path)
    #expect(call.status == .failure)
    #expect(call.errors.contains("the store 'memory' has nothing that could be looked after"))
  }
}
