import CardFeed
import CardFeedConfiguration
import CardFeedSQLite
import ChildProcesses
import Foundation
import Testing

/// The program itself: it serves, is told to stop, and has lost nothing.
@Suite struct ServeProgramTests {
  /// The program beside the test binary; nil if only the tests were built.
  private static let executable: String? = {
    let link = "/proc/self/exe"
    guard let binary = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return nil
    }
    let path = URL(fileURLWithPath: binary).deletingLastPathComponent()
      .appendingPathComponent("cardfeed").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// A port that was free a moment ago.
  private func freePort() throws -> Int {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(file, address, length) == 0 ? getsockname(file, address, &length) : -1
      }
    }
    try #require(status == 0)
    return Int(in_port_t(bigEndian: address.sin_port))
  }

  private func ask(
    _ port: Int, _ method: String, _ path: String, _ body: String? = nil,
    type: String = "application/json"
  ) async throws -> String {
    var text = "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    text += "idempotency-key: the-swipe\r\n"
    if let body { text += "content-type: \(type)\r\ncontent-length: \(body.utf8.count)\r\n" }
    let reply = try await Socket.exchange(port: port, Array((text + "\r\n" + (body ?? "")).utf8))
    return String(decoding: reply, as: UTF8.self)
  }

  @Test func aSwipeIsInTheStoreAfterTheProgramWasToldToStop() async throws {
    guard let executable = Self.executable else {
      return print("skipped: no program 'cardfeed' beside the test binary")
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = folder.appendingPathComponent("cards.db").path
    let file = folder.appendingPathComponent("feed.json")
    var configuration = TestService.dating.object ?? [:]
    configuration["store"] = ["use": "sqlite", "path": JSONValue(database)]
    try Data(JSONValue(configuration).bytes()).write(to: file)
    let port = try freePort()
    let program = try ChildProcess([
      executable, "serve", "--config", "people=\(file.path)", "--port", "\(port)",
    ])
    // It is ready when it answers; it says so on standard error, which is thrown away here.
    while program.isRunning {
      let answer = try? await ask(port, "GET", "/readyz")
      if answer?.hasPrefix("HTTP/1.1 200") == true { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    let cards = String(decoding: TestService.people(["ann", "ben"]), as: UTF8.self)
    _ = try await ask(
      port, "POST", "/v1/feeds/people/cards", cards, type: "application/x-ndjson")
    let viewer = "/v1/feeds/people/viewers/ann"
    #expect(try await ask(port, "GET", viewer + "/hand").contains("\"id\":\"ben\""))
    let swipe = "{\"card\":\"ben\",\"answer\":\"like\"}"
    #expect(
      try await ask(port, "POST", viewer + "/swipes", swipe).contains("\"result\":\"applied\""))
    kill(program.processIdentifier, SIGTERM)
    #expect(program.wait() == .exit(0))

    let store = try await SQLiteStore.open(path: database)
    let numbers = try await store.numbers(for: ["ann", "ben"])
    let given = try await store.answersGiven(by: numbers[0])
    #expect(given.map(\.card) == [numbers[1]])
    #expect(given.map(\.answer) == ["like"])
    #expect(try await store.check() == [])
    try await store.close()
  }
}
