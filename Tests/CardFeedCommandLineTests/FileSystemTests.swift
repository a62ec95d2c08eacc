import CardFeedCommandLine
import Glibc
import Testing

/// Whole files, read and written.
struct FileSystemTests {
  /// Runs a test in a folder of its own, which is removed afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/cardfeed-files-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
      for name in names(in: folder) { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    try body(folder)
  }

  private func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    stat(path, &status)
    return status.st_mode & 0o777
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func whatIsWrittenIsRead(_ count: Int) throws {
    try withFolder { folder in
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try FileSystem.write(bytes, to: "\(folder)/a")
      #expect(try FileSystem.read("\(folder)/a") == bytes)
      #expect(names(in: folder) == ["a"])
    }
  }

  @Test func anExistingFileKeepsItsModeAndItsLink() throws {
    try withFolder { folder in
      let path = "\(folder)/a"
      try FileSystem.write(Array("old".utf8), to: path)
      chmod(path, 0o640)
      symlink("a", "\(folder)/link")
      try FileSystem.write(Array("new".utf8), to: "\(folder)/link")
      #expect(try FileSystem.read(path) == Array("new".utf8))
      #expect(mode(path) == 0o640)
      #expect(names(in: folder) == ["a", "link"])
      // The link has stayed a link: without its target it leads nowhere.
      unlink(path)
      let dangling = #expect(throws: FileError.self) { try FileSystem.read("\(folder)/link") }
      #expect(dangling?.code == ENOENT)
    }
  }

  @Test func aFailedWriteLeavesNothingBehind() throws {
    try withFolder { folder in
      let folderError = #expect(throws: FileError.self) {
        try FileSystem.write([1], to: folder)
      }
      #expect(
        folderError?.description
          == "cannot write '\(folder)': Is a directory (error 21); name a file, not a folder")
      let missing = #expect(throws: FileError.self) {
        try FileSystem.write([1], to: "\(folder)/none/a")
      }
      #expect(
        missing?.description
          == "cannot write '\(folder)/none/a': No such file or directory (error 2); "
          + "make the folder first, or correct the path")
      #expect(names(in: folder) == [])
    }
  }

  @Test func readingSaysWhatIsWrong() throws {
    try withFolder { folder in
      let missing = #expect(throws: FileError.self) { try FileSystem.read("\(folder)/a") }
      #expect(
        missing?.description == "cannot read '\(folder)/a': No such file or directory (error 2); "
          + "check the spelling of the path")
      let directory = #expect(throws: FileError.self) { try FileSystem.read(folder) }
      #expect(directory?.code == EISDIR)
    }
  }

  @Test func devicesAreWrittenDirectly() throws {
    try FileSystem.write([1, 2, 3], to: "/dev/null")
    #expect(try FileSystem.read("/dev/null") == [])
    let full = #expect(throws: FileError.self) { try FileSystem.write([1], to: "/dev/full") }
    #expect(full?.code == ENOSPC)
    #expect(full?.hint == "make room on the disk")
  }

  @Test func pipesAreReadToTheirEnd() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    try DescriptorSink(ends[1], name: "pipe").write(Array("hello".utf8))
    close(ends[1])
    #expect(try FileSystem.read("/dev/fd/\(ends[0])") == Array("hello".utf8))
    close(ends[0])
    let closed = #expect(throws: FileError.self) {
      try DescriptorSink(-1, name: "nowhere").write([1])
    }
    #expect(closed?.code == EBADF)
  }
}
