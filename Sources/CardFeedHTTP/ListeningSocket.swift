internal import CMicroHTTPD
internal import Glibc

/// The socket that connections come to.
struct ListeningSocket {
  let descriptor: Int32
  let port: Int

  /// Binds and listens.
  init(_ options: HTTPServerOptions) throws(HTTPServerError) {
    guard (0...65535).contains(options.port) else {
      throw HTTPServerError(
        kind: .badOption,
        description: "The port \(options.port) is not allowed: give 1...65535, or 0 for a free one."
      )
    }
    var storage = sockaddr_storage()
    let length = try Self.fill(&storage, options)
    let family = Int32(storage.ss_family)
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error(errno, options) }
    do throws(HTTPServerError) {
      var on: Int32 = 1
      var off: Int32 = 0
      let size = socklen_t(MemoryLayout<Int32>.size)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
      if family == AF_INET6 {
        // `::` means every address of the machine, those of IPv4 too, whatever the system is set to.
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size)
      }
      let status = withUnsafePointer(to: &storage) {
        bind(descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
      }
      guard status == 0, listen(descriptor, 511) == 0 else { throw Self.error(errno, options) }
      port = try Self.port(of: descriptor, options)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  private static func fill(
    _ storage: inout sockaddr_storage, _ options: HTTPServerOptions
  ) throws(HTTPServerError) -> socklen_t {
    let port = in_port_t(options.port).bigEndian
    return try withUnsafeMutablePointer(to: &storage) { pointer throws(HTTPServerError) in
      let raw = UnsafeMutableRawPointer(pointer)
      var four = in_addr()
      if inet_pton(AF_INET, options.address, &four) == 1 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port
        address.sin_addr = four
        raw.storeBytes(of: address, as: sockaddr_in.self)
        return socklen_t(MemoryLayout<sockaddr_in>.size)
      }
      var six = in6_addr()
      if inet_pton(AF_INET6, options.address, &six) == 1 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port
        address.sin6_addr = six
        raw.storeBytes(of: address, as: sockaddr_in6.self)
        return socklen_t(MemoryLayout<sockaddr_in6>.size)
      }
      throw HTTPServerError(
        kind: .badAddress,
        description: """
          "\(options.address)" is no numeric address: give 127.0.0.1 or ::1 for this machine only, \
          0.0.0.0 or :: for every interface.
          """)
    }
  }

  private static func port(
    of descriptor: Int32, _ options: HTTPServerOptions
  ) throws(HTTPServerError) -> Int {
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &bound) {
      getsockname(
        descriptor, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard status == 0 else { throw error(errno, options) }
    // The port lies at the same place in both kinds of address.
    return withUnsafeBytes(of: &bound) { Int($0[2]) << 8 | Int($0[3]) }
  }

  private static func error(_ code: Int32, _ options: HTTPServerOptions) -> HTTPServerError {
    let place = "\(options.address), port \(options.port)"
    switch code {
    case EADDRINUSE:
      return HTTPServerError(
        kind: .portInUse,
        description: """
          Somebody listens on \(place) already: stop that server, or give another port; 0 takes any \
          free one.
          """)
    case EACCES, EPERM:
      return HTTPServerError(
        kind: .noPermission,
        description: """
          This user may not listen on \(place): give a port from 1024 on, and put a proxy in front if \
          clients need a lower one.
          """)
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      return HTTPServerError(
        kind: .addressNotAvailable,
        description: """
          This machine does not have the address \(options.address): give one that `ip address` shows, \
          or 0.0.0.0 or :: for every one.
          """)
    default:
      return HTTPServerError(
        kind: .system,
        description: "The system refuses to listen on \(place): \(String(cString: strerror(code)))."
      )
    }
  }
}
