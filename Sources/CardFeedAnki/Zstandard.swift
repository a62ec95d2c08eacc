internal import CZstd

/// Zstandard (RFC 8878), by which the files of newer packages are compressed; libzstd reads it.
enum Zstandard {
  /// How a compressed file begins.
  static let beginning: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

  /// The unpacked bytes. O(size).
  ///
  /// - Parameters:
  ///   - packed: One frame or several.
  ///   - limit: How much it may become.
  ///   - file: The file, for errors.
  ///   - place: Where in the file.
  /// - Throws: `AnkiError` for damaged bytes, an incomplete frame and too much.
  static func unpacked(
    _ packed: [UInt8], within limit: UnpackingLimit, file: String, place: String? = nil
  ) throws(AnkiError) -> [UInt8] {
    func damaged(_ reason: String) -> AnkiError {
      AnkiError(
        file: file, place: place, "the file cannot be unpacked (zstd: \(reason))",
        hint: "export or download it again")
    }
    // Its window is at most 128 MiB, the library's default.
    guard let stream = ZSTD_createDStream() else { throw damaged("out of memory") }
    defer { ZSTD_freeDStream(stream) }
    let allowed = limit.allowed(ofPacked: packed.count)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
    var position = 0
    // What is left of the frame; not 0 at the end of a file that was cut off, or is empty.
    var left = 1
    while position < packed.count || left > 0 {
      let (before, room) = (position, piece.count)
      let (result, count) = packed.withUnsafeBytes { source in
        piece.withUnsafeMutableBytes { target in
          var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
          var output = ZSTD_outBuffer(dst: target.baseAddress, size: room, pos: 0)
          let result = ZSTD_decompressStream(stream, &output, &input)
          position = input.pos
          return (result, output.pos)
        }
      }
      guard ZSTD_isError(result) == 0 else {
        throw damaged(String(cString: ZSTD_getErrorName(result)))
      }
      left = result
      content += piece[..<count]
      guard content.count <= allowed else {
        throw limit.error(file, place, packed: packed.count)
      }
      guard position > before || count > 0 || left == 0 else {
        throw damaged("the end is missing")
      }
    }
    return content
  }
}
