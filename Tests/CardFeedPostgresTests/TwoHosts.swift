#if Postgres
  import ChildProcesses
  import Foundation
  import Testing

  /// A host of a test: a network of its own, in which programs can be started.
  struct TestHost: Sendable {
    fileprivate let processID: pid_t
    /// Where its neighbour reaches it.
    let address: String

    /// The words that start a program on this host.
    var enter: [String] { ["nsenter", "--net=/proc/\(processID)/ns/net"] }
  }

  /// Two hosts and the link between them: two network namespaces without names, joined by a pair of
  /// virtual devices that never appear outside. The kernel removes all of it when the last process
  /// inside ends, and the two that hold it end with this process, whichever way that ends.
  ///
  /// A server's socket in the file system is reached from everywhere, as if over another network
  /// than the link.
  final class TwoHosts {
    let first: TestHost
    let second: TestHost
    private let holders: [Holder]

    /// Why there can be none, or nil.
    static let missing: Comment? = {
      if getuid() != 0 { return "skipped: network namespaces need root" }
      if PrivateCluster.isMissing { return "skipped: no PostgreSQL" }
      let trial = "ip link set lo up && ip link add name cut0 type veth peer name cut1"
      do {
        try PrivateCluster.run(["unshare", "--net", "sh", "-c", trial], in: "/")
        try PrivateCluster.run(["nsenter", "--version"], in: "/")
        return nil
      } catch {
        return "skipped: network namespaces need CAP_SYS_ADMIN, CAP_NET_ADMIN and iproute2"
      }
    }()

    init() throws {
      holders = [try Holder(), try Holder()]
      first = TestHost(processID: holders[0].processID, address: "10.213.0.1")
      second = TestHost(processID: holders[1].processID, address: "10.213.0.2")
      try run(
        first, "ip", "link", "add", "name", "cut0", "type", "veth", "peer", "name", "cut0", "netns",
        "\(second.processID)")
      for host in [first, second] {
        try run(host, "ip", "link", "set", "lo", "up")
        try run(host, "ip", "address", "add", "\(host.address)/24", "dev", "cut0")
        try run(host, "ip", "link", "set", "cut0", "up")
      }
    }

    /// Cuts the link. Nobody is told: what is sent from now on is lost.
    func cut() throws { try run(first, "ip", "link", "set", "cut0", "down") }

    private func run(_ host: TestHost, _ words: String...) throws {
      try PrivateCluster.run(host.enter + words, in: "/")
    }
  }

  /// A process that keeps a network namespace until its standard input ends.
  private final class Holder {
    private let process: ChildProcess
    private let input: Int32

    var processID: pid_t { process.processIdentifier }

    init() throws {
      let ends = try ChildProcess.pipe()
      let output = try ChildProcess.pipe()
      defer {
        close(ends.reading)
        close(output.reading)
      }
      input = ends.writing
      do {
        defer { close(output.writing) }
        // Each word replaces the process by the next one, so that the identifier stays.
        process = try ChildProcess(
          ["unshare", "--net", "sh", "-c", "echo ready && exec cat"],
          input: .descriptor(ends.reading), output: .descriptor(output.writing))
      } catch {
        close(ends.writing)
        throw error
      }
      var byte: UInt8 = 0
      try #require(read(output.reading, &byte, 1) == 1, "no network namespace")
    }

    deinit {
      close(input)
      process.wait()
    }
  }
#endif
