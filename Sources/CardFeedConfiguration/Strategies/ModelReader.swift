public import CardFeed
internal import Glibc

/// Reads the files of models that a configuration names.
public struct ModelReader: Sendable {
  private let read: @Sendable (_ path: String) throws -> [UInt8]?

  /// Reads with a closure.
  ///
  /// - Parameter read: The bytes under a path; nil where a missing model is no fault, as before the
  ///   first training.
  public init(_ read: @escaping @Sendable (_ path: String) throws -> [UInt8]?) {
    self.read = read
  }

  /// Reads files; a missing one is a fault.
  public static let files = ModelReader { path in
    guard let bytes = try bytes(of: path) else {
      throw FeedError(
        .model, "there is no model file \(path)",
        hint: "write it with cardfeed train --out \(path), or leave \"model\" out")
    }
    return bytes
  }

  /// Reads files; where there is none yet, strategies begin without a model.
  public static let filesIfAny = ModelReader { try bytes(of: $0) }

  private static func bytes(of path: String) throws -> [UInt8]? {
    func failure() -> FeedError {
      FeedError(
        .model, "the model file \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure()
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      var failed: FeedError?
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        var result: Int
        repeat {
          result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        } while result < 0 && errno == EINTR
        if result < 0 { failed = failure() }
        count = max(0, result)
      }
      if let failed { throw failed }
      if part.isEmpty { return bytes }
      bytes += part
    }
  }

  /// The model of a strategy in the file under `path`.
  ///
  /// - Parameters:
  ///   - identity: The strategy's identity.
  ///   - deck: The deck's name.
  ///   - path: Where the file is.
  ///   - kind: The kind of model.
  /// - Returns: The model, and what tells its file from others; nil if there need not be one yet.
  /// - Throws: `FeedError.Code.model` for a file that is missing, damaged, of another version, deck
  ///   or strategy; what the model throws.
  public func model<Model: TrainedModel>(
    of identity: String, deck: String, at path: String, as kind: Model.Type
  ) throws -> (model: Model, origin: String)? {
    guard let bytes = try read(path) else { return nil }
    let file = try ModelFile(bytes: bytes, name: path)
    var origin = StableHash()
    origin.combine(bytes)
    return (
      try Model(bytes: try file.model(of: identity, deck: deck, name: path)),
      String(origin.value, radix: 16)
    )
  }
}

extension BuildContext {
  /// The slot of a trainable strategy, filled from the file under `path`.
  ///
  /// A slot belongs to the file it began with: building from an unchanged file keeps what was
  /// trained meanwhile, a changed file begins anew.
  ///
  /// - Parameters:
  ///   - identity: The strategy's identity.
  ///   - path: Where its model is; nil for none.
  ///   - kind: The kind of model.
  /// - Throws: What `ModelReader.model` throws.
  public func slot<Model: TrainedModel>(
    for identity: String, path: String?, of kind: Model.Type
  ) throws -> ModelSlot<Model> {
    guard let path,
      let found = try models.model(of: identity, deck: D.name, at: path, as: kind)
    else { return states.slot(for: identity, of: kind) }
    let slot = states.slot(for: identity, origin: found.origin, of: kind)
    slot.fill(with: found.model)
    return slot
  }
}
