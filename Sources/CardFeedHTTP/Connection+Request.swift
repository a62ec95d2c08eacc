internal import CMicroHTTPD
internal import Glibc

/// How a request is read, on the connection's thread.
extension Connection {
  /// The most of a body that is read and dropped so that a refused client can go on.
  static let discarded = 65536

  /// The first line of a request was read.
  func begin(_ text: UnsafePointer<CChar>) {
    let count = strlen(text)
    target = (text, count)
    phase = .head
    deadline = min(deadline, Milliseconds.now + core.headTime)
    let bytes = UnsafeBufferPointer(
      start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
    query = nil
    if count > core.options.maximumTarget {
      stage = .head(.targetTooLong)
    } else if !Target.isSound(bytes) {
      stage = .head(.malformed)
    } else {
      stage = .head(nil)
      if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
        query = String(
          decoding: UnsafeBufferPointer(rebasing: bytes[(mark + 1)...]), as: UTF8.self)
      }
    }
  }

  /// The library has something of the request, or wants its answer.
  func proceed(
    path: UnsafePointer<CChar>, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
    data: UnsafePointer<CChar>?, count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    if case .head(let flaw) = stage {
      return readHead(flaw, path: path, method: method, version: version)
    }
    guard count.pointee > 0 else { return answer() }
    let bytes = UnsafeBufferPointer(
      start: UnsafeRawPointer(data)?.assumingMemoryBound(to: UInt8.self), count: count.pointee)
    return readBody(bytes, count)
  }

  private func readHead(
    _ flaw: HTTPServerFailure?, path: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>
  ) -> MHD_Result {
    guard let target else { return .NO }
    var scan = HeadScan(
      kept: core.kept, method: method, target: target.start, targetCount: target.count,
      version: version)
    withUnsafeMutablePointer(to: &scan) {
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, scanHeader, $0)
    }
    let size = cardfeed_mhd_head_size(handle)
    let isOne = version[7] != CChar(UInt8(ascii: "0"))
    let isAsterisk = target.count == 1 && target.start[0] == CChar(UInt8(ascii: "*"))
    let known = HTTPMethod(method)
    let flaw =
      flaw
      ?? (!scan.isFinished(at: method + size, isVersion11: isOne)
        ? .malformed
        : size > core.options.maximumHeaderBytes
          ? .headTooLarge
          : known == nil ? .unknownMethod : isAsterisk && known != .options ? .malformed : nil)
    if let flaw {
      let length = scan.contentLength ?? 0
      return refuseAtOnce(flaw, hasBody: scan.isChunked || length > 0)
    }
    let head = HTTPRequestHead(
      method: known ?? .get, path: String(cString: path), query: query, peer: peer.text,
      contentLength: scan.isChunked ? nil : scan.contentLength, headers: scan.headers)
    self.head = head
    received = 0
    let hasBody = scan.isChunked || (scan.contentLength ?? 0) > 0
    if hasBody {
      receivingSince = Milliseconds.now
      deadline = receivingSince + core.bodyTime
      phase = .receiving
    }
    switch core.responder.admit(head) {
    case .refuse(let response):
      return refuse(response, scan)
    case .collect(let limit, let context):
      if let length = scan.contentLength, length > limit {
        return refuse(core.responder.failure(.bodyTooLarge, head: head), scan)
      }
      stage = .collecting(limit: limit, context: context)
      collected = []
      if hasBody { collected.reserveCapacity(min(scan.contentLength ?? 0, Self.discarded)) }
    case .stream(let limit, let context):
      if let limit, let length = scan.contentLength, length > limit {
        return refuse(core.responder.failure(.bodyTooLarge, head: head), scan)
      }
      stage = .streaming(limit: limit ?? .max)
      let request = request
      let body = IncomingBody { [self] in wake(request) }
      incoming = body
      start(
        HTTPRequest(
          head: head, body: .stream(HTTPBodyStream { await body.take() }), context: context))
    }
    return .YES
  }

  /// Answers before the body. A short body is read and dropped, so that the connection can go on; a
  /// client that waits to be admitted, and one with a long body, is answered at once and left.
  private func refuse(_ response: HTTPResponse, _ scan: HeadScan) -> MHD_Result {
    let isShort = !scan.isChunked && (scan.contentLength ?? 0) <= Self.discarded
    let isEmpty = !scan.isChunked && (scan.contentLength ?? 0) == 0
    if isEmpty || isShort && !scan.expectsContinue {
      stage = .refusing(response)
      return .YES
    }
    lingers = true
    return queue(response, nil, closes: true)
  }

  private func refuseAtOnce(_ failure: HTTPServerFailure, hasBody: Bool) -> MHD_Result {
    lingers = hasBody
    return queue(core.responder.failure(failure, head: head), nil, closes: true)
  }

  /// Answers the request if its announced length is none, and ends the connection for the library
  /// too, which then cannot send an answer of its own.
  func refuseLength() {
    var scan = LengthScan()
    withUnsafeMutablePointer(to: &scan) {
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, scanLength, $0)
    }
    guard let failure = scan.failure else { return }
    RawAnswer.send(core.responder.failure(failure, head: nil), to: socket)
    shutdown(socket, Int32(SHUT_WR))
    phase = .sending
    lingers = true
  }

  private func readBody(
    _ bytes: UnsafeBufferPointer<UInt8>, _ count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    switch stage {
    case .refusing:
      received(bytes.count)
    case .collecting(let limit, _):
      if bytes.count > limit - collected.count { return leave(.bodyTooLarge) }
      received(bytes.count)
      collected.append(contentsOf: bytes)
    case .streaming(let limit):
      if takeAnswer() != nil {
        stage = .discarding(rest: Self.discarded)
        deadline = Milliseconds.now + core.bodyTime
        phase = .receiving
        return readBody(bytes, count)
      }
      if bytes.count > limit - received {
        incoming?.finish(.failure(.tooLarge))
        stage = .discarding(rest: Self.discarded)
        return readBody(bytes, count)
      }
      return put(bytes, count)
    case .discarding(let rest):
      if bytes.count > rest { return leaveWithAnswer() }
      stage = .discarding(rest: rest - bytes.count)
    default:
      return .NO
    }
    count.pointee = 0
    return .YES
  }
  /// Hands a piece to the consumer, or makes the client wait for it.
  private func put(
    _ bytes: UnsafeBufferPointer<UInt8>, _ count: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    guard let incoming else { return .NO }
    if waitingSince != 0 {
      // The client's time did not run while it waited.
      receivingSince += Milliseconds.now - waitingSince
      waitingSince = 0
    }
    while !incoming.put(bytes) {
      waitingSince = Milliseconds.now
      deadline = Milliseconds.never
      switch sleep() {
      case .suspended: return .YES
      case .woken: if takeAnswer() != nil { return readBody(bytes, count) }
      case .cut: return .NO
      }
    }
    waitingSince = 0
    received(bytes.count)
    count.pointee = 0
    return .YES
  }

  /// Counts bytes of a body, and gives the client time for the next: on average `minimumRate`, and
  /// never a longer pause than `bodyTimeout`.
  private func received(_ count: Int) {
    received += count
    let onAverage = receivingSince + core.bodyTime + core.time(for: received)
    deadline = min(onAverage, Milliseconds.now + core.bodyTime)
  }

  /// Answers in the middle of a body, where the library would not, and ends the connection.
  private func leave(_ failure: HTTPServerFailure) -> MHD_Result {
    RawAnswer.send(core.responder.failure(failure, head: head), to: socket)
    lingers = true
    return .NO
  }

  /// The same with the answer of the responder, which is waited for.
  private func leaveWithAnswer() -> MHD_Result {
    deadline = Milliseconds.never
    while true {
      if let answer = takeAnswer() {
        RawAnswer.send(answer.response, to: socket)
        lingers = true
        return .NO
      }
      switch sleep() {
      case .suspended: return .YES
      case .woken: continue
      case .cut: return .NO
      }
    }
  }

  /// The whole request is here: answers it, or waits for its answer.
  private func answer() -> MHD_Result {
    switch stage {
    case .refusing(let response):
      return queue(response, nil, closes: false)
    case .collecting(_, let context):
      guard let head else { return .NO }
      let bytes = collected
      collected = []
      stage = .handling
      start(HTTPRequest(head: head, body: .bytes(bytes), context: context))
    case .streaming, .discarding:
      stage = .handling
      incoming?.finish(.success(nil))
    case .handling:
      break
    default:
      return .NO
    }
    phase = .handling
    deadline = Milliseconds.never
    while true {
      if let answer = takeAnswer() {
        return queue(answer.response, answer.outgoing, closes: false)
      }
      switch sleep() {
      case .suspended: return .YES
      case .woken: continue
      case .cut: return .NO
      }
    }
  }

  /// Asks the responder.
  private func start(_ request: HTTPRequest) {
    let number = self.request
    let core = core
    let isHead = request.head.method == .head
    let work: @Sendable () async -> Void = { [self] in
      let response = await core.responder.respond(to: request)
      let outgoing = finish(number, response, isHead: isHead)
      if let outgoing, case .stream(let source) = response.body {
        await outgoing.pump(source) { core.isStopping }
      }
    }
    let task =
      core.options.startsOnConnectionThread
      ? Task.immediate(operation: work) : Task(operation: work)
    keep(task, number)
  }
}
