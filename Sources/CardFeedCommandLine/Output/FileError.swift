import Glibc

/// A file that could not be read or written.
public struct FileError: Error, Hashable, Sendable {
  /// What was tried.
  public enum Operation: String, Hashable, Sendable {
    /// To read a file.
    case read
    /// To write a file.
    case write
  }

  /// What was tried.
  public let operation: Operation

  /// The path as it was given.
  public let path: String

  /// The error number of the system.
  public let code: Int32

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - operation: What was tried.
  ///   - path: The path as it was given.
  ///   - code: The error number of the system, `errno`.
  public init(_ operation: Operation, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// What to do about it, if more can be said.
  public var hint: String? {
    switch code {
    case ENOENT, ENOTDIR:
      operation == .read
        ? "check the spelling of the path" : "make the folder first, or correct the path"
    case EACCES, EPERM: "check who owns it and the permissions of its folder"
    case EISDIR: "name a file, not a folder"
    case ENOSPC, EDQUOT: "make room on the disk"
    case EROFS: "choose a place that can be written to"
    case ENAMETOOLONG: "choose a shorter name"
    case EMFILE, ENFILE: "close other files or raise the limit of open files"
    case ELOOP: "look for a symbolic link that leads to itself"
    default: nil
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The error in a line.
  public var description: String {
    // The C library keeps the text per thread, and it is copied at once.
    let reason = strerror(code).map { String(cString: $0) } ?? "unknown error"
    let advice = hint.map { "; \($0)" } ?? ""
    return "cannot \(operation.rawValue) '\(path)': \(reason) (error \(code))\(advice)"
  }
}
