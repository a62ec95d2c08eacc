internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Accepts connections, and ends those that are too slow or whose client is gone, on a thread of its
/// own.
final class Keeper: @unchecked Sendable {
  // Safe to share: everything but the atomics and the two pipes belongs to the keeper's thread.

  private let core: ServerCore
  private let listening: Int32
  private let pipe: (read: Int32, write: Int32)
  private let isAccepting = Atomic<Bool>(true)
  private let isEnding = Atomic<Bool>(false)
  private var thread = pthread_t()

  private let interval: UInt64
  private var nextSweep: UInt64 = 0
  private var lingering: [(socket: Int32, until: UInt64)] = []
  private var streams: [Connection] = []
  /// Whether the process has no file descriptors left, until the next sweep.
  private var isExhausted = false

  /// How long a client may take to see the end of its answer, in milliseconds.
  private static let lingerTime: UInt64 = 2000
  /// `POLLRDHUP` of Linux: the other end sends nothing more.
  private static let hangUp: Int16 = 0x2000

  /// Nil if the system refuses.
  init?(core: ServerCore, listening: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.core = core
    self.listening = listening
    pipe = (ends[0], ends[1])
    interval = max(10, min(core.headTime, core.idleTime, core.bodyTime, 2000) / 4)
    let started = pthread_create(
      &thread, nil, runKeeper, Unmanaged.passRetained(self).toOpaque())
    guard started == 0 else {
      Unmanaged.passUnretained(self).release()
      close(pipe.read)
      close(pipe.write)
      return nil
    }
  }

  /// Takes no new connections from now on.
  func stopAccepting() {
    isAccepting.store(false, ordering: .releasing)
    wake()
  }

  /// Ends the thread and waits for it.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wake()
    pthread_join(thread, nil)
    close(pipe.read)
    close(pipe.write)
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = write(pipe.write, &byte, 1)
  }

  fileprivate func run() {
    while !isEnding.load(ordering: .acquiring) {
      let accepts = isAccepting.load(ordering: .acquiring)
      lingering += core.takeLingering().map { ($0, Milliseconds.now + Self.lingerTime) }
      var polled = [pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)]
      polled.append(
        pollfd(fd: accepts && !isExhausted ? listening : -1, events: Int16(POLLIN), revents: 0))
      polled += lingering.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      polled += streams.map { pollfd(fd: $0.socket, events: Self.hangUp, revents: 0) }
      let count = poll(&polled, nfds_t(polled.count), Int32(interval))
      if count > 0 {
        if polled[0].revents != 0 { drain(pipe.read) }
        if polled[1].revents != 0 { accept() }
        visitStreams(polled[(2 + lingering.count)...])
        readLingering(polled[2...].prefix(lingering.count))
      }
      let now = Milliseconds.now
      if now >= nextSweep {
        nextSweep = now + interval
        isExhausted = false
        sweep(now)
      }
    }
    for socket in lingering.map(\.socket) + core.takeLingering() { close(socket) }
  }

  // MARK: Accepting

  private func accept() {
    while isAccepting.load(ordering: .acquiring) {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      withUnsafeMutablePointer(to: &storage) { pointer in
        let address = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
        let socket = Glibc.accept(listening, address, &length)
        guard socket >= 0 else {
          if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
            isExhausted = true
          }
          length = errno == EINTR || errno == ECONNABORTED ? 1 : 0
          return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let peer = Peer(address)
        if core.admit(peer) {
          if MHD_add_connection(core.daemon, socket, address, length) != .YES { core.release(peer) }
        } else {
          RawAnswer.send(core.responder.failure(.overloaded, head: nil), to: socket)
          core.linger(socket)
          close(socket)
        }
      }
      if length == 0 { return }
    }
  }

  // MARK: Ending

  private func visitStreams(_ polled: ArraySlice<pollfd>) {
    var gone: [ObjectIdentifier] = []
    for (connection, found) in zip(streams, polled) where found.revents != 0 {
      gone.append(ObjectIdentifier(connection))
      // Only while it is open the number means its socket, and the client's end its own.
      if core.isOpen(connection) && connection.phase == .streaming { connection.abandonStream() }
    }
    if !gone.isEmpty { streams.removeAll { gone.contains(ObjectIdentifier($0)) } }
  }

  private func readLingering(_ polled: ArraySlice<pollfd>) {
    var ended: [Int32] = []
    for found in polled where found.revents != 0 && drain(found.fd) == 0 { ended.append(found.fd) }
    closeLingering { ended.contains($0.socket) }
  }

  private func closeLingering(_ isOver: ((socket: Int32, until: UInt64)) -> Bool) {
    lingering.removeAll { entry in
      let isOver = isOver(entry)
      if isOver { close(entry.socket) }
      return isOver
    }
  }

  /// Reads what there is. 0 at the end, or when it failed; 1 when more may come.
  @discardableResult
  private func drain(_ descriptor: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 16384)
    // Not for ever: others wait.
    for _ in 0..<64 {
      let count = recvOrRead(descriptor, &buffer)
      if count == 0 { return 0 }
      if count < 0 { return errno == EAGAIN || errno == EINTR ? 1 : 0 }
    }
    return 1
  }

  private func recvOrRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    descriptor == pipe.read
      ? Glibc.read(descriptor, &buffer, buffer.count)
      : recv(descriptor, &buffer, buffer.count, RawAnswer.dontWait)
  }

  private func sweep(_ now: UInt64) {
    closeLingering { $0.until <= now }
    streams = []
    core.visit { connection in
      if connection.phase == .streaming && !connection.isGone.load(ordering: .relaxed) {
        streams.append(connection)
      }
      guard connection.deadline <= now else { return }
      connection.isTimedOut.store(true, ordering: .relaxed)
      switch connection.phase {
      case .idle, .head, .receiving, .handling:
        // What is sent may still arrive, nothing more is read.
        shutdown(connection.socket, Int32(SHUT_RD))
      case .sending, .streaming:
        shutdown(connection.socket, Int32(SHUT_RDWR))
      }
    }
  }
}

/// The keeper's thread.
private func runKeeper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Keeper>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
