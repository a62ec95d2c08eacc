internal import CMicroHTTPD
internal import Glibc

/// The end of a running server, on a thread of its own: it waits, and no task may.
final class Stop: Sendable {
  private let core: ServerCore
  private let keeper: Keeper
  private let listening: Int32
  private let deadline: UInt64
  private let done: @Sendable () -> Void

  init(
    _ core: ServerCore, _ keeper: Keeper, _ socket: ListeningSocket, deadline: Double,
    done: @escaping @Sendable () -> Void
  ) {
    self.core = core
    self.keeper = keeper
    listening = socket.descriptor
    self.deadline = deadline > 0 ? Milliseconds.now + Milliseconds.of(deadline) : 0
    self.done = done
  }

  /// Begins, and calls `done` at the end.
  func start() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    if pthread_create(&thread, nil, runStop, context) == 0 {
      pthread_detach(thread)
    } else {
      // Without a thread it has to wait here.
      _ = runStop(context)
    }
  }

  fileprivate func run() {
    core.phase = .stopping
    keeper.stopAccepting()
    // Whoever is not accepted yet learns that nobody listens.
    shutdown(listening, Int32(SHUT_RDWR))
    while core.count > 0 && Milliseconds.now < deadline {
      let connections = core.connections
      for connection in connections where connection.phase == .streaming {
        connection.cancelStream()
      }
      core.visit { connection in
        // A request that lies in the socket already is still read, and answered.
        if connection.phase == .idle { shutdown(connection.socket, Int32(SHUT_RD)) }
      }
      usleep(5000)
    }
    core.phase = .cutting
    for connection in core.connections { connection.cut() }
    // Stops the threads and closes what is open; nothing is suspended any more.
    MHD_stop_daemon(core.daemon)
    keeper.end()
    close(listening)
    done()
  }
}

/// The thread of the end.
private func runStop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Stop>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
