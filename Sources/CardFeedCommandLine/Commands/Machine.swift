internal import CardFeedExperiments
internal import Glibc

/// What this program was built with and runs on.
enum Machine {
  /// The compiler and the kind of machine, in words.
  static var facts: BuildFacts { BuildFacts(compiler: compiler, machine: machine) }

  private static var compiler: String {
    #if compiler(>=6.4)
      let version = "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      let version = "Swift 6.3"
    #else
      let version = "Swift 6.2"
    #endif
    return isDebug ? version + ", debug" : version + ", release"
  }

  /// Whether the optimiser was off: such a build measures no time.
  static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Memory of this process that is in the machine's memory, in bytes, after what the allocator holds
  /// in reserve was given back; 0 where the system does not say.
  static func residentBytes() -> Int {
    // Of the C library that runs; its header is not part of the module.
    typealias Trim = @convention(c) (Int) -> Int32
    if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
    guard let bytes = try? FileSystem.read("/proc/self/statm") else { return 0 }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// How many bytes more than before this process held in memory at most while a body ran; nil where
  /// the system does not say.
  @Sendable static func peakBytes(_ body: () -> Void) -> Int? {
    let before = residentBytes()
    // 5 sets the greatest size so far to the size now.
    let isReset = (try? FileSystem.write(Array("5".utf8), to: "/proc/self/clear_refs")) != nil
    body()
    guard isReset, before > 0, let status = try? FileSystem.read("/proc/self/status") else {
      return nil
    }
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = Int(line.filter(\.isNumber))
    else { return nil }
    return max(0, kilobytes * 1024 - before)
  }

  /// Processor time that this process has used.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var machine: String {
    var names = utsname()
    uname(&names)
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(text(&names.sysname)) \(text(&names.machine)), \(cores) cores, \(processor)"
  }

  private static func text<Tuple>(_ field: inout Tuple) -> String {
    withUnsafeBytes(of: &field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static var processor: String {
    guard let bytes = try? FileSystem.read("/proc/cpuinfo") else { return "unknown processor" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") }
    return model.flatMap { $0.split(separator: ":").last.map { trimmed(String($0)) } }
      ?? "unknown processor"
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " })
  }
}
