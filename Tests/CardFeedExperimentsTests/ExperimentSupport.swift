import ChildProcesses
import Foundation
import Testing

/// SplitMix64 (Steele, Lea & Flood 2014): enough randomness for tests, the same on every machine.
struct TestSplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// The folder of measuring data beside the package, when there is one.
enum SharedData {
  static let folder: String? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["CARDFEED_SHARED"]
      ?? package.deletingLastPathComponent().appendingPathComponent("shared").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// Why a test that needs the folder is skipped.
  static let skipped: Comment = "skipped: no ../shared"
}

/// A folder that is removed with its content.
final class TemporaryFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// Runs a program found on the path and returns its standard output, or nil when it fails.
func output(of arguments: [String], to file: String? = nil) throws -> Data? {
  guard let file else { return (try? ChildProcess.output(of: arguments)).map { Data($0) } }
  try Data().write(to: URL(fileURLWithPath: file))
  let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
  let isFine =
    (try? ChildProcess.run(arguments, output: .descriptor(handle.fileDescriptor))) != nil
  return isFine ? Data() : nil
}
