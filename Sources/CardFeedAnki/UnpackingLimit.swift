/// How much a compressed file may become, so that a small one cannot fill the memory.
struct UnpackingLimit: Hashable, Sendable {
  /// Bytes at most.
  var bytes = 1 << 30
  /// Bytes that are always allowed.
  var bytesAlways = 1 << 26
  /// How many times its packed size a file beyond those may be. Collections, which are text, pack to
  /// a third to a tenth.
  var ratio = 200

  /// How many bytes so many packed ones may become.
  func allowed(ofPacked count: Int) -> Int {
    let (product, isTooMuch) = count.multipliedReportingOverflow(by: ratio)
    return min(bytes, max(bytesAlways, isTooMuch ? bytes : product))
  }

  func error(_ file: String, _ place: String?, packed: Int) -> AnkiError {
    AnkiError(
      file: file, place: place,
      "\(packed) bytes unpack to more than \(allowed(ofPacked: packed)); allowed: \(bytes) bytes, "
        + "and beyond \(bytesAlways) at most \(ratio) times the packed size",
      hint: "unpack it yourself if you trust it, and name the collection")
  }
}
