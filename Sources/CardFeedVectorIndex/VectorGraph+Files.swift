#if HNSW
  internal import CHNSW
  internal import CVectorScan
  internal import Glibc

  extension VectorGraph {
    /// Writes vectors and graph to a file, with a checksum. What was there before stays until all
    /// of it is on the disk. Searches go on meanwhile; changes wait.
    ///
    /// - Throws: `VectorGraphError` when the file cannot be written.
    public func save(to path: String) throws(VectorGraphError) {
      let part = path + ".part"
      guard let file = fopen(part, "wb") else {
        throw .unreachable(part, "opened", String(cString: strerror(errno)))
      }
      var writer = GraphFileWriter(file)
      do throws(VectorGraphError) {
        try reading { (graph, index, options) throws(VectorGraphError) in
          writer.write(GraphFileHeader(index, options))
          for block in index.blocks { block.write(to: &writer) }
          let status = withUnsafeMutablePointer(to: &writer) { writer in
            cardfeed_graph_write(graph, writeGraphPart, writer)
          }
          if status == CARDFEED_GRAPH_NO_MEMORY { throw .noMemory }
        }
        writer.writeChecksum()
      } catch {
        fclose(file)
        unlink(part)
        throw error
      }
      let isWhole = !writer.hasFailed && fflush(file) == 0 && fsync(fileno(file)) == 0
      let reason = String(cString: strerror(errno))
      guard fclose(file) == 0, isWhole, rename(part, path) == 0 else {
        unlink(part)
        throw .unreachable(path, "written", reason)
      }
    }

    /// Reads a graph that was saved, with its vectors.
    ///
    /// Nothing is believed: a file that was cut, changed, or written by another version is refused.
    ///
    /// - Throws: `VectorGraphError` when the file cannot be read or is no whole graph.
    public convenience init(contentsOf path: String) throws(VectorGraphError) {
      let file = try MappedFile(path)
      // The reader points into the file to the end.
      defer { withExtendedLifetime(file) {} }
      var reader = GraphFileReader(path, file.bytes)
      try reader.verifyChecksum()
      let header = try reader.header()
      var index = VectorIndex(dimension: header.dimension, metric: header.metric)
      for start in stride(from: 0, to: header.rows, by: VectorBlock.fullCapacity) {
        let count = min(VectorBlock.fullCapacity, header.rows - start)
        index.append(try reader.block(index.shape, rows: count))
      }
      try self.init(empty: index, options: header.options)
      let rest = reader.rest
      let status = try reading { (graph, index, _) throws(VectorGraphError) in
        cardfeed_graph_read(graph, rest.baseAddress, rest.count, UInt32(index.count))
      }
      if status == CARDFEED_GRAPH_NO_MEMORY { throw .noMemory }
      guard status == CARDFEED_GRAPH_FINE else {
        throw .damaged(path, "does not hold the graph of its vectors")
      }
    }
  }

  /// Takes what the graph writes; a named function, as it is called from C.
  private func writeGraphPart(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Bool {
    guard let context, let bytes else { return false }
    let writer = context.assumingMemoryBound(to: GraphFileWriter.self)
    writer.pointee.write(UnsafeRawBufferPointer(start: bytes, count: count))
    return !writer.pointee.hasFailed
  }

  /// The bytes of a file, in memory for as long as it lives.
  private final class MappedFile {
    let bytes: UnsafeRawBufferPointer

    init(_ path: String) throws(VectorGraphError) {
      let file = open(path, O_RDONLY)
      guard file >= 0 else {
        throw .unreachable(path, "opened", String(cString: strerror(errno)))
      }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_size > 0 else {
        throw .damaged(path, "is empty")
      }
      let count = Int(status.st_size)
      guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
      else { throw .unreachable(path, "read", String(cString: strerror(errno))) }
      bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
  }
#endif
