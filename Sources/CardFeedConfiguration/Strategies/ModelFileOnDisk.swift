internal import CardFeed
internal import Glibc

/// A model file that is read piece by piece: its head, and its checksum.
struct ModelFileOnDisk: ~Copyable {
  let head: ModelFileHead
  /// Tells the file from others.
  let hash: StableHash
  private let path: String
  private let descriptor: Int32

  private static let pieceSize = 1 << 18

  /// Opens a file and reads it once, holding a piece of it only.
  ///
  /// - Returns: Nil where there is none.
  /// - Throws: `FeedError.Code.model` for a file that cannot be read, is none of models, of another
  ///   version or damaged.
  init?(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(path)
    }
    do {
      (head, hash) = try Self.read(path, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Some bytes of the file.
  borrowing func bytes(_ range: Range<Int>) throws -> [UInt8] {
    try Self.bytes(range, of: path, descriptor)
  }

  private static func read(
    _ path: String, _ descriptor: Int32
  ) throws -> (ModelFileHead, StableHash) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(path) }
    let size = Int(facts.st_size)
    let start = try bytes(0..<min(size, ModelFileHead.longestStart), of: path, descriptor)
    let place = try ModelFileHead.place(in: start, name: path)
    var checksum: UInt32 = 0
    for first in stride(from: 0, to: size - 4, by: pieceSize) {
      let piece = try bytes(first..<min(size - 4, first + pieceSize), of: path, descriptor)
      checksum = CRC32C.checksum(of: piece, after: checksum)
    }
    try ModelFileHead.check(
      checksum, against: try bytes(size - 4..<size, of: path, descriptor), name: path)
    let beginning = try bytes(0..<min(size, place.upperBound), of: path, descriptor)
    let head = try ModelFileHead(beginning, at: place, fileSize: size, name: path)
    // The head says when and on how much the models were trained.
    var hash = StableHash()
    hash.combine(beginning)
    hash.combine(size)
    hash.combine(checksum)
    return (head, hash)
  }

  private static func bytes(
    _ range: Range<Int>, of path: String, _ descriptor: Int32
  ) throws -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<range.count])
        let result = pread(descriptor, rest.baseAddress, rest.count, range.lowerBound + count)
        if result < 0, errno == EINTR { continue }
        if result < 0 { failed = true }
        if result <= 0 { return }
        count += result
      }
    }
    if failed { throw failure(path) }
    return bytes
  }

  private static func failure(_ path: String) -> FeedError {
    FeedError(
      .model, "the model file \(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
