internal import CardFeed
internal import CardFeedConfiguration
internal import Glibc

/// A folder of models, one of which is in use: `current.json` names it by its number, and is replaced
/// whole when another one is published, so that everybody sees the old model or the new one.
///
/// Models lie in `1`, `2` and so on, and are never changed; old ones may be deleted once nobody has them
/// open. Servers that share the folder look at `current.json` before each question and go over by
/// themselves; a model that cannot be opened leaves the one in use where it is.
///
/// One writer publishes at a time; any number of processes read.
public final class VectorModelFolder: Sendable {
  private struct State {
    var facts: Facts?
    var version: Int64?
    var model: VectorModel?
    var failure: VectorFileError?
  }

  /// What tells one `current.json` from another without reading it.
  private struct Facts: Equatable {
    var inode: UInt64
    var seconds: Int
    var nanoseconds: Int
  }

  private let path: String
  private let state = Lock(State())

  /// The folder under a path, which need not exist yet.
  public init(path: String) { self.path = path }

  private var currentFile: String { path + "/current.json" }

  /// The number of the model that `current.json` names; nil if there is none yet.
  ///
  /// - Throws: ``VectorFileError`` for a `current.json` that names none.
  public func publishedVersion() throws(VectorFileError) -> Int64? {
    guard access(currentFile, F_OK) == 0 else { return nil }
    let bytes = try SmallFile.read(currentFile)
    let root = try? JSONDocument(parsing: bytes).root
    guard let version = root?["model_version"]?.int64, version > 0 else {
      throw VectorFileError(
        currentFile, "the file names no model", found: "no \"model_version\"",
        allowed: "{\"model_version\": 1} or another whole number from 1")
    }
    return version
  }

  /// Where the model of a number lies.
  public func folder(of version: Int64) -> String { "\(path)/\(version)" }

  /// Names another model in `current.json`, which is replaced whole and forced to the disk.
  ///
  /// - Parameter version: Its number; the folder of that number must hold a model that was checked.
  /// - Throws: ``VectorFileError`` when the file cannot be written; the old one then stays.
  public func publish(_ version: Int64) throws(VectorFileError) {
    let text = Array("{\"model_version\": \(version)}\n".utf8)
    let unfinished = currentFile + ".unfinished"
    func refuse() -> VectorFileError {
      VectorFileError(
        currentFile, "the file cannot be written", found: String(cString: strerror(errno)),
        allowed: "a writable folder with enough space")
    }
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw refuse() }
    let written = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    let isDurable = written == text.count && fsync(descriptor) == 0
    close(descriptor)
    guard isDurable, rename(unfinished, currentFile) == 0 else {
      let problem = refuse()
      unlink(unfinished)
      throw problem
    }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw refuse() }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw refuse() }
  }

  /// The model in use, with its number; nil before the first one is published.
  ///
  /// - Throws: ``VectorFileError`` if a first model is named and cannot be opened. Later ones that
  ///   cannot be opened are left aside, and the last good one goes on serving (`failure`).
  /// - Complexity: One question to the file system, and opening a model when there is another one.
  public func current() throws(VectorFileError) -> (version: Int64, model: VectorModel)? {
    let facts = facts()
    let result: Result<(Int64, VectorModel)?, VectorFileError> = state.withLock { state in
      if state.facts == nil || state.facts != facts { refresh(&state, facts) }
      if let version = state.version, let model = state.model { return .success((version, model)) }
      return state.failure.map { .failure($0) } ?? .success(nil)
    }
    return try result.get().map { (version: $0.0, model: $0.1) }
  }

  /// Why the model that `current.json` names is not the one in use; nil if it is.
  public var failure: VectorFileError? { state.withLock { $0.failure } }

  private func refresh(_ state: inout State, _ facts: Facts?) {
    state.facts = facts
    do throws(VectorFileError) {
      guard let version = try publishedVersion() else { return }
      if state.version != version || state.failure != nil {
        state.model = try VectorModel(folder: folder(of: version))
        state.version = version
      }
      state.failure = nil
    } catch {
      state.failure = error
    }
  }

  private func facts() -> Facts? {
    var facts = stat()
    guard stat(currentFile, &facts) == 0 else { return nil }
    return Facts(
      inode: UInt64(facts.st_ino), seconds: facts.st_mtim.tv_sec,
      nanoseconds: facts.st_mtim.tv_nsec)
  }
}
