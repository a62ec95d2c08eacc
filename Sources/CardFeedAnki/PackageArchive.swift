internal import CLibZip
internal import Glibc

/// A package as an archive, which libzip reads and writes. Nothing in it is unpacked to the disk.
final class PackageArchive {
  private let handle: OpaquePointer
  private let path: String

  /// Reads the list of files.
  init(reading path: String) throws(AnkiError) {
    var code: Int32 = 0
    guard let handle = zip_open(path, ZIP_RDONLY, &code) else {
      throw AnkiError(
        file: path,
        "found a damaged ZIP archive (\(Self.reason(code))); allowed: a package of Anki",
        hint: "export or download it again")
    }
    self.handle = handle
    self.path = path
  }

  deinit { zip_discard(handle) }

  private static func reason(_ code: Int32) -> String {
    var error = zip_error_t()
    zip_error_init_with_code(&error, code)
    defer { zip_error_fini(&error) }
    return zip_error_strerror(&error).map { String(cString: $0) } ?? "unknown error"
  }

  private func damaged(_ name: String, _ reason: String) -> AnkiError {
    AnkiError(
      file: path, place: name, "the file cannot be unpacked (\(reason))",
      hint: "export or download it again")
  }

  private func failure(_ name: String, _ error: UnsafeMutablePointer<zip_error_t>?) -> AnkiError {
    let reason = zip_error_strerror(error).map { String(cString: $0) } ?? "unknown error"
    return damaged(name, reason)
  }

  /// Whether a file is there; refused where two have the name, of which others might read the other.
  func has(_ name: String) throws(AnkiError) -> Bool {
    var found = 0
    for index in 0..<max(0, zip_get_num_entries(handle, 0)) {
      if let entry = zip_get_name(handle, zip_uint64_t(index), zip_flags_t(ZIP_FL_ENC_RAW)),
        strcmp(entry, name) == 0
      {
        found += 1
      }
    }
    guard found < 2 else { throw damaged(name, "it stands \(found) times in the package") }
    return found == 1
  }

  /// The content of a file; nil where there is none of this name. What is unpacked is held against
  /// the checksum. O(size).
  func file(_ name: String, within limit: UnpackingLimit) throws(AnkiError) -> [UInt8]? {
    guard try has(name) else { return nil }
    var facts = zip_stat_t()
    guard zip_stat(handle, name, zip_flags_t(ZIP_FL_ENC_RAW), &facts) == 0,
      let packed = Int(exactly: facts.comp_size), let count = Int(exactly: facts.size)
    else { throw failure(name, zip_get_error(handle)) }
    let allowed = limit.allowed(ofPacked: packed)
    guard count <= allowed else { throw limit.error(path, name, packed: packed) }
    guard let file = zip_fopen(handle, name, zip_flags_t(ZIP_FL_ENC_RAW)) else {
      throw failure(name, zip_get_error(handle))
    }
    defer { zip_fclose(file) }
    // By pieces: a size that was made up must not cost memory before there are data.
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let read = Int(zip_fread(file, &piece, zip_uint64_t(piece.count)))
      guard read >= 0 else { throw failure(name, zip_file_get_error(file)) }
      if read == 0 { break }
      content += piece[..<read]
      guard content.count <= allowed else { throw limit.error(path, name, packed: packed) }
    }
    guard content.count == count else {
      throw damaged(name, "found \(content.count) bytes of \(count)")
    }
    return content
  }

  /// What is put into a new archive.
  enum Content {
    case file(String)
    case bytes([UInt8])
  }

  /// Makes an archive of compressed files and forces it to the disk. The same files make the same
  /// bytes.
  ///
  /// - Parameters:
  ///   - temporary: Where; it must not exist.
  ///   - files: Names in the archive, and contents.
  ///   - path: How errors call it.
  static func write(
    _ files: [(name: String, content: Content)], to temporary: String, called path: String
  ) throws(AnkiError) {
    var code: Int32 = 0
    func failure(_ reason: String) -> AnkiError {
      AnkiError(file: path, "cannot be written: \(reason)", hint: "make room on the disk")
    }
    guard let archive = zip_open(temporary, ZIP_CREATE | ZIP_EXCL, &code) else {
      throw failure(reason(code))
    }
    // libzip takes the sources over when they are added, and reads their data when it closes.
    var kept: [UnsafeMutableRawBufferPointer] = []
    defer { for bytes in kept { bytes.deallocate() } }
    for (name, content) in files {
      let source: OpaquePointer?
      switch content {
      case .file(let name): source = zip_source_file(archive, name, 0, 0)
      case .bytes(let bytes):
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        kept.append(copy)
        source = zip_source_buffer(archive, copy.baseAddress, zip_uint64_t(bytes.count), 0)
      }
      let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
      guard let place = zip_uint64_t(exactly: index),
        zip_set_file_compression(archive, place, ZIP_CM_DEFLATE, 0) == 0,
        // Midnight of 1 January 1980.
        zip_file_set_dostime(archive, place, 0, 0x21, 0) == 0
      else {
        if index < 0 { zip_source_free(source) }
        zip_discard(archive)
        throw failure("a file cannot be added")
      }
    }
    guard zip_close(archive) == 0 else {
      let error = failure(String(cString: zip_strerror(archive)))
      zip_discard(archive)
      throw error
    }
    try AnkiFile.synchronize(temporary, called: path)
  }
}
