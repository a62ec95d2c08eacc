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
  private var lingering: [Lingering] = []
  private var streams: [Connection] = []
  /// Whether the process has no file descriptors left, until the next sweep.
  private var isExhausted = false

  /// A socket whose client has yet to see the end of its answer.
  private struct Lingering {
    var socket: Int32
    /// When it is closed if nothing more comes.
    var idleUntil: UInt64
    /// When it is closed whatever comes.
    var until: UInt64
    /// How many bytes may still come.
    var rest: Int
  }

  /// How long such a client may pause, and how long it may go on sending, in milliseconds.
  private static let lingerTimes: (idle: UInt64, all: UInt64) = (2000, 20_000)
  /// How much of what it sends is read away.
  private static let lingerBytes = 1_048_576
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
      lingering += core.takeLingering().map { socket in
        let now = Milliseconds.now
        return Lingering(
          socket: socket, idleUntil: now + Self.lingerTimes.idle,
          until: now + Self.lingerTimes.all, rest: Self.lingerBytes)
      }
      var polled = [pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)]
      polled.append(
        pollfd(fd: accepts && !isExhausted ? listening : -1, events: Int16(POLLIN), revents: 0))
      polled += lingering.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      polled += streams.map { pollfd(fd: $0.socket, events: Self.hangUp, revents: 0) }
      let count = poll(&polled, nfds_t(polled.count), Int32(interval))
      if count > 0 {
        if polled[0].revents != 0 { emptyPipe() }
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
    let now = Milliseconds.now
    for (index, found) in zip(lingering.indices, polled) where found.revents != 0 {
      let isOpen = drain(found.fd, &lingering[index].rest)
      lingering[index].idleUntil = isOpen ? now + Self.lingerTimes.idle : 0
    }
    closeLingering(now)
  }

  private func closeLingering(_ now: UInt64) {
    lingering.removeAll { entry in
      let isOver = min(entry.idleUntil, entry.until) <= now
      if isOver { close(entry.socket) }
      return isOver
    }
  }

  private func emptyPipe() {
    var buffer = [UInt8](repeating: 0, count: 64)
    while read(pipe.read, &buffer, buffer.count) > 0 {}
  }

  /// Reads away what there is, `rest` bytes at most. False when no more may come.
  private func drain(_ socket: Int32, _ rest: inout Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16384)
    while rest > 0 {
      let count = recv(socket, &buffer, min(buffer.count, rest), RawAnswer.dontWait)
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      rest -= count
    }
    return false
  }

  private func sweep(_ now: UInt64) {
    closeLingering(now)
    endHalfClosed()
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

extension Keeper {
  /// Has the library look at connections whose client sends nothing more. When the end came together
  /// with what it read last, it has not seen it and would wait.
  private func endHalfClosed() {
    var waiting: [Connection] = []
    core.visit { connection in
      if connection.phase.isReading { waiting.append(connection) }
    }
    var polled = waiting.map { pollfd(fd: $0.socket, events: Self.hangUp, revents: 0) }
    guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
    let ended = Set(zip(waiting, polled).filter { $1.revents != 0 }.map { ObjectIdentifier($0.0) })
    // Only while it is open the number means its socket.
    core.visit { connection in
      guard ended.contains(ObjectIdentifier(connection)), connection.phase.isReading else { return }
      // What came before the end can still be read.
      shutdown(connection.socket, Int32(SHUT_RD))
    }
  }
}

/// The keeper's thread.
private func runKeeper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Keeper>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
