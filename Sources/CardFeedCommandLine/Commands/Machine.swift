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
