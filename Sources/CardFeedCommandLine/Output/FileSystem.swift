import Glibc

/// Reading and writing whole files.
public enum FileSystem {
  /// Reads a whole file, or everything a pipe has to give.
  ///
  /// - Parameter path: The path; `-` reads standard input.
  /// - Throws: `FileError`.
  /// - Complexity: Linear in the size of the file.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    if path == "-" { return try readAll(STDIN_FILENO, sizeHint: 0, path: "standard input") }
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(.read, path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(.read, path: path, code: errno)
    }
    return try readAll(descriptor, sizeHint: Int(status.st_size), path: path)
  }

  /// Writes a whole file so that at every moment, even after a crash, its path holds either the
  /// old content or the new one.
  ///
  /// The bytes go to a new file in the same folder, which is forced to the disk and takes the
  /// place of the old one. A symbolic link stays and its target is replaced; permissions of an
  /// existing file are kept, its owner and extended attributes are not. What is no regular file,
  /// such as a pipe or `/dev/stdout`, is written to directly.
  ///
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The path.
  /// - Throws: `FileError`; the path then holds the old content, or the new one when only the
  ///   folder could not be forced to the disk.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      try writeDirectly(bytes, to: path)
      return
    }
    let target = exists ? resolved(path) : path
    let temporary = "\(target).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    do throws(FileError) {
      try create(temporary, bytes, mode: exists ? status.st_mode & 0o7777 : nil, path: path)
      guard rename(temporary, target) == 0 else {
        throw FileError(.write, path: path, code: errno)
      }
      try synchronizeFolder(of: target, path: path)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func readAll(
    _ descriptor: Int32, sizeHint: Int, path: String
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the file has, so that its end is found without growing.
    var chunk = max(sizeHint + 1, 1 << 16)
    while true {
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        let result = retrying { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
        if result < 0 { code = errno }
        count = max(0, result)
      }
      guard code == 0 else { throw FileError(.read, path: path, code: code) }
      if part.isEmpty { return bytes }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      chunk = 1 << 16
    }
  }

  private static func create(
    _ temporary: String, _ bytes: [UInt8], mode: mode_t?, path: String
  ) throws(FileError) {
    let descriptor = retrying { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileError(.write, path: path, code: errno) }
    do throws(FileError) {
      if let mode, fchmod(descriptor, mode) != 0 {
        throw FileError(.write, path: path, code: errno)
      }
      try DescriptorSink(descriptor, name: path).write(bytes)
      guard fsync(descriptor) == 0 else { throw FileError(.write, path: path, code: errno) }
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw FileError(.write, path: path, code: errno) }
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(FileError) {
    let descriptor = retrying { open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(.write, path: path, code: errno) }
    defer { close(descriptor) }
    try DescriptorSink(descriptor, name: path).write(bytes)
  }

  /// Without this the new name could be lost in a power failure.
  private static func synchronizeFolder(of target: String, path: String) throws(FileError) {
    let folder: String
    if let slash = target.lastIndex(of: "/") {
      folder = slash == target.startIndex ? "/" : String(target[..<slash])
    } else {
      folder = "."
    }
    let descriptor = retrying { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(.write, path: path, code: errno) }
    defer { close(descriptor) }
    // Some file systems cannot synchronise a folder and say so with EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileError(.write, path: path, code: errno)
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    var result = call()
    while result == -1, errno == EINTR { result = call() }
    return result
  }
}
