#if Postgres
  internal import Glibc

  /// The processor time of a server that runs on this machine, as the kernel counts it (`proc(5)`).
  ///
  /// All its processes count: sessions, the writer of the write-ahead log, checkpoints, vacuum.
  /// Whatever else the server does meanwhile counts too, so it should do nothing else.
  struct ServerProcessor {
    /// The server's first process, whose children all others are.
    private let postmaster: Int32

    /// Finds the server by the process of one of its sessions; nil if that is no process here.
    init?(session: Int32) {
      guard let process = Self.process(session), process.name.hasPrefix("postgres"),
        let parent = Self.process(process.parent), parent.name.hasPrefix("postgres")
      else { return nil }
      postmaster = process.parent
    }

    /// Nanoseconds so far; nil if they cannot be read. Steps of 10 ms on most kernels.
    var nanoseconds: Double? {
      // A child that ends while the folder is read is in neither sum, or in both; then once more.
      for _ in 0..<20 {
        guard let before = Self.process(postmaster), let children = childrenTicks,
          let after = Self.process(postmaster)
        else { return nil }
        guard before.endedChildrenTicks == after.endedChildrenTicks else { continue }
        // Children that ended count with their parent.
        let ticks = after.ticks + after.endedChildrenTicks + children
        return Double(ticks) * 1e9 / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
      }
      return nil
    }

    private var childrenTicks: UInt64? {
      guard let folder = opendir("/proc") else { return nil }
      defer { closedir(folder) }
      var ticks: UInt64 = 0
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let number = Int32(name), let process = Self.process(number),
          process.parent == postmaster
        else { continue }
        ticks += process.ticks
      }
      return ticks
    }

    private struct Process {
      let name: String
      let parent: Int32
      let ticks: UInt64
      let endedChildrenTicks: UInt64
    }

    private static func process(_ number: Int32) -> Process? {
      let file = open("/proc/\(number)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { return nil }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      // The name stands in parentheses and may hold any character.
      guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else {
        return nil
      }
      let fields = text[text.index(after: end)...].split(separator: " ")
      // Counted from 3, the state: 4 the parent, 14 and 15 own time, 16 and 17 that of children.
      guard fields.count > 14, let parent = Int32(fields[1]), let user = UInt64(fields[11]),
        let system = UInt64(fields[12]), let childUser = UInt64(fields[13]),
        let childSystem = UInt64(fields[14])
      else { return nil }
      return Process(
        name: String(text[text.index(after: start)..<end]), parent: parent, ticks: user + system,
        endedChildrenTicks: childUser + childSystem)
    }
  }
#endif
