internal import CardFeed
internal import Glibc

/// What the system says of this process, under the names that Prometheus' own clients use.
enum ProcessNumbers {
  static func write(to text: inout MetricsText, start: Timestamp) {
    if let pages = residentPages {
      text.single(
        "process_resident_memory_bytes", "gauge", "Resident memory.",
        pages * Int(sysconf(Int32(_SC_PAGESIZE))))
    }
    var time = timespec()
    if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
      text.single(
        "process_cpu_seconds_total", "counter", "Processor time of user and system.",
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
    text.single(
      "process_start_time_seconds", "gauge", "When the process began, since 1970.",
      Double(start.milliseconds) / 1000)
  }

  /// The second number of /proc/self/statm.
  private static var residentPages: Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }
}
