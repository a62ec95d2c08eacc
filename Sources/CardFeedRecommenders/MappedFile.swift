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
  /// The part that is looked at.
  let bytes: UnsafeRawBufferPointer
  /// The whole mapping; nil for a copy.
  private let mapping: UnsafeMutableRawBufferPointer?

  /// A copy of bytes in memory, where numbers lie as in a mapped file.
  init(copying bytes: [UInt8], name: String) {
    path = name
    mapping = nil
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    memory.copyBytes(from: bytes)
    self.bytes = UnsafeRawBufferPointer(memory)
  }

  /// - Parameters:
  ///   - path: The file.
  ///   - range: The part that is looked at, from a multiple of 64 on; nil for all of it.
  /// - Throws: ``RecommenderError`` `fileAccess`; `damagedFile` for a file that is empty or ends early.
  init(path: String, range: Range<Int>? = nil) throws(RecommenderError) {
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
    let range = range ?? 0..<Int(facts.st_size)
    guard range.lowerBound % 64 == 0, range.upperBound <= Int(facts.st_size) else {
      throw RecommenderError(
        .damagedFile,
        "\(path): there is no model at the bytes \(range) of \(facts.st_size); allowed: a model "
          + "file as it was written")
    }
    guard let address = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0),
      address != MAP_FAILED
    else { throw refuse("mapped") }
    self.path = path
    mapping = UnsafeMutableRawBufferPointer(start: address, count: Int(facts.st_size))
    bytes = UnsafeRawBufferPointer(start: address + range.lowerBound, count: range.count)
  }

  deinit {
    if let mapping {
      munmap(mapping.baseAddress, mapping.count)
    } else {
      bytes.deallocate()
    }
  }

  /// Lets go of the pages that were looked at. They stay in the system's cache, and come back one by
  /// one as they are needed.
  func releasePages() {
    guard let mapping else { return }
    madvise(mapping.baseAddress, mapping.count, MADV_DONTNEED)
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
