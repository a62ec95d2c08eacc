internal import CAllocationCount
internal import CardFeedCommandLine
internal import CardFeedConfiguration
internal import CardFeedStandardPlugins
internal import Glibc

/// The program around the command-line library.
///
/// Joins what must not know each other: the tool, the plugins it ships with and the counter of
/// allocations. Nobody imports it, and it holds no logic of its own: whatever can be tested belongs
/// in CardFeedCommandLine.
enum Entry {
  nonisolated static func run() async {
    signal(SIGPIPE, SIG_IGN)
    let tool = Tool(plugins: .standard, allocations: allocationCount)
    let arguments = Array(CommandLine.arguments.dropFirst())
    let status = await tool.run(arguments, context: .process())
    exit(status.rawValue)
  }

  /// Nil in builds whose sanitizer owns the allocator.
  private static var allocationCount: (@Sendable () -> UInt64)? {
    cardfeed_allocation_count() == .max ? nil : { @Sendable in cardfeed_allocation_count() }
  }
}
