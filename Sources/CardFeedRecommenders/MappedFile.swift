#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file in memory, read-only: its pages are loaded when they are looked at, and shared.
///
/// A file must be replaced by renaming, never written over: what is mapped would change.
final class MappedFile: @unchecked Sendable {
  // Unchecked: the memory is never written.
  let path: String
  let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// A copy of bytes in memory, where numbers lie as in a mapped file.
  init(copying bytes: [UInt8], name: String) {
    path = name
    isMapped = false
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    memory.copyBytes(from: bytes)
    self.bytes = UnsafeRawBufferPointer(memory)
  }

  init(path: String) throws(RecommenderError) {
    func refuse(_ what: String) -> RecommenderError {
      RecommenderError(
        .fileAccess,
        "\(path): the file cannot be \(what), found \"\(String(cString: strerror(errno)))\"; "
          + "allowed: a readable model file")
    }
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw refuse("opened") }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw refuse("looked at") }
    guard facts.st_size > 0 else {
      throw RecommenderError(
        .damagedFile, "\(path): the file is empty; allowed: a model file as it was written")
    }
    guard let address = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0),
      address != MAP_FAILED
    else { throw refuse("mapped") }
    self.path = path
    isMapped = true
    bytes = UnsafeRawBufferPointer(start: address, count: Int(facts.st_size))
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.deallocate()
    }
  }

  /// Writes pieces to a file that appears under its name only when it is whole.
  static func write(
    _ pieces: [UnsafeRawBufferPointer], to path: String
  ) throws(RecommenderError) {
    let unfinished = path + ".unfinished"
    func refuse() -> RecommenderError {
      let message = String(cString: strerror(errno))
      remove(unfinished)
      return RecommenderError(
        .fileAccess,
        "\(path): the file cannot be written, found \"\(message)\"; allowed: an existing, writable "
          + "folder with enough space")
    }
    guard let stream = fopen(unfinished, "wb") else { throw refuse() }
    var isWritten = true
    for piece in pieces where isWritten && !piece.isEmpty {
      isWritten = fwrite(piece.baseAddress, 1, piece.count, stream) == piece.count
    }
    isWritten = isWritten && fflush(stream) == 0 && fsync(fileno(stream)) == 0
    isWritten = fclose(stream) == 0 && isWritten
    guard isWritten, rename(unfinished, path) == 0 else { throw refuse() }
  }
}
