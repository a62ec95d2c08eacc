internal import CardFeed

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads a file in pieces, and digests them on the way when asked to.
///
/// Not for concurrent use; the file closes with the object.
final class ByteFile {
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>
  private(set) var digest = SHA256()

  init(path: String) throws(DataProblem) {
    guard let stream = fopen(path, "rb") else {
      throw DataProblem(
        file: path, reason: "the file cannot be opened", found: "\"\(ByteFile.systemMessage())\"",
        allowed: "a readable file")
    }
    self.path = path
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// The next bytes; empty at the end of the file.
  func next() throws(DataProblem) -> [UInt8] {
    let piece = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, stream)
    }
    if piece.isEmpty, ferror(stream) != 0 {
      throw DataProblem(
        file: path, reason: "the file cannot be read", found: "\"\(ByteFile.systemMessage())\"",
        allowed: "a readable file, not a folder")
    }
    digest.update(piece)
    return piece
  }

  /// Writes a whole file: beside its place first, then moved there, so that a reader never sees half
  /// of it.
  static func write(_ bytes: [UInt8], to path: String) throws(DataProblem) {
    let unfinished = path + ".unfinished"
    func refuse() -> DataProblem {
      DataProblem(
        file: path, reason: "the file cannot be written", found: "\"\(ByteFile.systemMessage())\"",
        allowed: "an existing, writable folder with enough space")
    }
    guard let stream = fopen(unfinished, "wb") else { throw refuse() }
    let written = bytes.withUnsafeBufferPointer {
      fwrite($0.baseAddress, 1, $0.count, stream)
    }
    guard fclose(stream) == 0, written == bytes.count, rename(unfinished, path) == 0 else {
      let problem = refuse()
      remove(unfinished)
      throw problem
    }
  }

  /// Makes a folder unless it exists; the folder above it must exist.
  static func makeDirectory(_ path: String) throws(DataProblem) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw DataProblem(
        file: path, reason: "the folder cannot be made", found: "\"\(ByteFile.systemMessage())\"",
        allowed: "a name in an existing, writable folder")
    }
  }

  private static func systemMessage() -> String { String(cString: strerror(errno)) }
}
