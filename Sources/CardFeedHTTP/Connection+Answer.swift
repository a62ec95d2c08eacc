internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// How an answer is sent, on the connection's thread.
extension Connection {
  /// Up to here a body is copied and sent in one piece. A longer one goes out by blocks, so that a
  /// client that takes nothing is told from one that takes its time.
  static let inOnePiece = 65536

  /// Gives an answer to the library.
  func queue(_ response: HTTPResponse, _ outgoing: OutgoingBody?, closes: Bool) -> MHD_Result {
    stage = .answered
    let now = Milliseconds.now
    let made: OpaquePointer?
    phase = .sending
    switch response.body {
    case .empty:
      made = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
      deadline = now + core.bodyTime
    case .bytes(let bytes) where bytes.count <= Self.inOnePiece:
      made = bytes.withUnsafeBytes {
        // The library copies from it; the parameter is mutable for the other modes only.
        MHD_create_response_from_buffer(
          $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
      }
      deadline = now + core.bodyTime + core.time(for: bytes.count)
    case .bytes(let bytes):
      sendingBytes = bytes
      made = MHD_create_response_from_callback(
        UInt64(bytes.count), 32768, readAnswer, Unmanaged.passUnretained(self).toOpaque(), nil)
      deadline = now + core.bodyTime
    case .stream:
      sending = outgoing
      made = MHD_create_response_from_callback(
        .max, 16384, readAnswer, Unmanaged.passUnretained(self).toOpaque(), nil)
      deadline = now + core.bodyTime
      if outgoing != nil {
        phase = .streaming
        keepAlive()
      } else if let made {
        // Without a body: the library would send the last chunk of it all the same.
        cardfeed_mhd_without_chunks(made)
      }
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers where HeaderRules.isAllowed(name, value) {
      MHD_add_response_header(made, name, value)
    }
    if closes || core.isStopping { MHD_add_response_header(made, "Connection", "close") }
    let status = (200...599).contains(response.status) ? response.status : 500
    return MHD_queue_response(handle, UInt32(status), made)
  }

  /// The next bytes of an answer that goes out by pieces: their number, 0 to be called again after
  /// `wake`, -1 at the end, -2 to cut.
  func read(_ position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let sending else {
      let count = min(buffer.count, sendingBytes.count - position)
      guard count > 0 else { return -1 }
      sendingBytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position...].prefix(count)))
      }
      deadline = Milliseconds.now + core.bodyTime + core.time(for: count)
      return count
    }
    while true {
      switch sending.read(into: buffer) {
      case .bytes(let count):
        deadline = Milliseconds.now + core.bodyTime + core.time(for: count)
        return count
      case .end:
        deadline = Milliseconds.now + core.bodyTime
        return -1
      case .failed:
        return -2
      case .nothing:
        // The client has taken all there was; it waits for the source, not the source for it.
        deadline = Milliseconds.never
        switch sleep() {
        case .suspended: return 0
        case .woken: continue
        case .cut: return -2
        }
      }
    }
  }

  /// What a client is told that sends nothing more in the middle of its request.
  private func lastWord(_ failure: HTTPServerFailure) -> HTTPResponse {
    if case .refusing(let response) = stage { return response }
    return takeAnswer()?.response ?? core.responder.failure(failure, head: head)
  }

  /// Has the system find out within two minutes whether a client that says nothing is still there.
  private func keepAlive() {
    let settings = [
      (SOL_SOCKET, SO_KEEPALIVE, Int32(1)), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
    ]
    for (level, option, value) in settings {
      var value = value
      setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// The request is over, well or not.
  ///
  /// - Parameter isCutShort: Whether nothing more came before its end, and so nobody answered.
  func complete(isCutShort: Bool) {
    let isTimedOut = isTimedOut.load(ordering: .relaxed)
    if isCutShort, phase == .receiving || phase == .head && !isTimedOut {
      RawAnswer.send(lastWord(isTimedOut ? .bodyTimedOut : .incomplete), to: socket)
      lingers = true
      if isTimedOut { incoming?.finish(.failure(.timedOut)) }
    }
    incoming?.finish(.failure(.disconnected))
    let isStreamCut = sending.map { !$0.isFinished } ?? false
    sending?.abandon()
    let task = nextRequest()
    if isStreamCut { task?.cancel() }
    stage = .idle
    head = nil
    target = nil
    incoming = nil
    sending = nil
    sendingBytes = []
    collected = []
    waitingSince = 0
    phase = .idle
    deadline = Milliseconds.now + core.idleTime
  }
}
