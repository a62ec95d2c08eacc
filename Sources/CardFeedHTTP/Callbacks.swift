internal import CMicroHTTPD
internal import Glibc

// What the library calls. Named functions, because closures may be bound to an actor and trap on
// another thread. `context` is the server, which lives until its daemon is stopped; the context of a
// connection is set while it begins and let go when it ends.

private func connection(_ handle: OpaquePointer?) -> Connection? {
  guard let handle, let context = cardfeed_mhd_context(handle) else { return nil }
  return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
}

/// The first line of a request was read.
func readTarget(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  if let target { connection(handle)?.begin(target) }
  return nil
}

/// Leaves percent encodings as they are. Returns the length.
func leaveEncoded(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  text.map { strlen($0) } ?? 0
}

/// A request goes on.
func proceed(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ data: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let path, let method, let version, let count else { return .NO }
  return connection(handle)?.proceed(
    path: path, method: method, version: version, data: data, count: count) ?? .NO
}

/// A request is over.
func complete(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_RequestTerminationCode
) {
  connection(handle)?.complete(isCutShort: code == .REQUEST_TERMINATED_CLIENT_ABORT)
}

/// A connection begins or ends.
func notice(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let context, let handle, let slot else { return }
  let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  if code == .CONNECTION_NOTIFY_STARTED {
    let connection = Connection(
      core: core, handle: handle, socket: cardfeed_mhd_socket(handle),
      peer: Peer(cardfeed_mhd_peer(handle)))
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    core.add(connection)
  } else if let known = slot.pointee {
    slot.pointee = nil
    core.remove(Unmanaged<Connection>.fromOpaque(known).takeRetainedValue())
  }
}

#if arch(arm64) && os(Linux)
  typealias LogValues = CVaListPointer
#else
  /// A `va_list`, which is a pointer on most machines.
  typealias LogValues = CVaListPointer?
#endif

/// The library says what went wrong. Of all it says one thing matters: that it is about to answer a
/// `Content-Length` which is no number. It does that by itself, asks nobody and writes the head of its
/// answer twice, so the answer is given here, before it.
func overhear(
  _ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ values: LogValues
) {
  guard let context, let format, strstr(format, "Content-Length") != nil else { return }
  Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().refuseLengths()
}

/// Asks for the next bytes of an answer.
func readAnswer(
  _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let context, let buffer else { return -2 }
  return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().read(
    Int(truncatingIfNeeded: position),
    into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
}
