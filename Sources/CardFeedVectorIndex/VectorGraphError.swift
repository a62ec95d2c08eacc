#if HNSW
  /// Why a graph could not be made, changed, written or read.
  public struct VectorGraphError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kinds there are.
    public enum Code: String, Hashable, Sendable, CaseIterable {
      /// There is not enough memory.
      case noMemory = "no-memory"
      /// The library failed.
      case failed
      /// A file cannot be opened, read or written.
      case unreachable
      /// The bytes of a file are no whole graph.
      case damaged
    }

    /// What is wrong.
    public let code: Code
    /// A sentence for people.
    public let description: String

    init(_ code: Code, _ description: String) {
      self.code = code
      self.description = description
    }

    static func damaged(_ path: String, _ what: String) -> VectorGraphError {
      VectorGraphError(
        .damaged, "the file of a graph '\(path)' \(what); make the graph anew from its vectors")
    }

    static func unreachable(_ path: String, _ what: String, _ reason: String) -> VectorGraphError {
      VectorGraphError(
        .unreachable, "the file of a graph '\(path)' could not be \(what): \(reason)")
    }

    static let noMemory = VectorGraphError(
      .noMemory, "there is no memory for a graph of near vectors; use the index without a graph")
  }
#endif
