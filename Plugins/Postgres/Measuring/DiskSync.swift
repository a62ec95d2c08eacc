#if Postgres
  internal import CardFeed
  internal import Glibc

  /// How long a disk takes to keep a page of the write-ahead log.
  enum DiskSync {
    /// Appends pages of 8 KiB to a file in a folder, waiting for the disk behind each.
    ///
    /// - Returns: The nanoseconds of each.
    /// - Throws: ``PostgresError`` `misuse` if the folder cannot be written to.
    static func measure(in folder: String, pages: Int) throws -> [UInt64] {
      var path = Array("\(folder)/cardfeed-sync-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      guard file >= 0 else { throw failure(folder) }
      defer {
        close(file)
        unlink(&path)
      }
      let page = [UInt8](repeating: 7, count: 8192)
      let clock = SystemClock()
      var times: [UInt64] = []
      for _ in 0..<pages {
        let start = clock.uptimeNanoseconds
        guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else {
          throw failure(folder)
        }
        times.append(clock.uptimeNanoseconds - start)
      }
      return times
    }

    private static func failure(_ folder: String) -> PostgresError {
      PostgresError(
        .misuse, server: "this machine", operation: "measure the disk",
        found: "no file can be written in \(folder) (errno \(errno))",
        advice: "Name a folder of the server's disk that this user may write to.")
    }
  }
#endif
