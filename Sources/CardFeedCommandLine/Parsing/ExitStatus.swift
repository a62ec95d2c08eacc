/// How a command ended, as the number a process reports to its caller.
public enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  /// The command did what it was asked.
  case fine = 0
  /// The command worked and the answer is no, such as a regression found.
  case negativeResult = 1
  /// The command could not do what it was asked.
  case failure = 2
  /// The command line was wrong (`EX_USAGE` of `sysexits.h`).
  case usage = 64
}
