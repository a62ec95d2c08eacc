import ChildProcesses
import Foundation
import Testing

/// `datasets/get`, as far as it goes without a network.
@Suite struct DatasetsGetTests {
  private static let script: String = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent("datasets/get").path
  }()

  private static let hasPython = (try? ChildProcess.run(["python3", "-c", ""])) != nil

  private func run(_ arguments: [String], program: String = "/bin/true") throws
    -> ChildProcess.Ending
  {
    try ChildProcess(
      ["env", "CARDFEED=\(program)", "python3", Self.script] + arguments
    ).wait()
  }

  @Test(.enabled(if: hasPython, "skipped: no python3"))
  func anUnknownNameIsWrongUsage() throws {
    #expect(try run(["movielens-1m"]) == .exit(64))
    #expect(try run([]) == .exit(64))
    #expect(try run(["--help"]) == .exit(0))
  }

  /// Nobody answers, so nobody has accepted anything; nothing is downloaded.
  @Test(.enabled(if: hasPython, "skipped: no python3"))
  func termsHaveToBeAccepted() throws {
    let folder = try ScratchFolder()
    for name in ["movielens-100k", "complete-journey", "open-bandit"] {
      #expect(try run([name, "--out", folder.path + "/data"]) == .exit(2))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
  }

  /// What is made has no terms; without room for its environment it says what could not be done.
  @Test(.enabled(if: hasPython, "skipped: no python3"))
  func madeWorldsHaveNoTerms() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("", to: "file")
    let ending = try ChildProcess(
      ["env", "CARDFEED=/bin/false", "python3", Self.script, "bandit-worlds", "--out", file]
    ).wait()
    #expect(ending == .exit(2))
  }
}
