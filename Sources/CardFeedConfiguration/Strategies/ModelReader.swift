public import CardFeed

/// A model that need not be copied into memory: its numbers are used where they lie in the file, which
/// the system loads page by page and shares among processes.
public protocol MappableModel: TrainedModel {
  /// Maps what `bytes` wrote.
  ///
  /// - Parameters:
  ///   - path: A file that was checked. It is replaced by renaming, and never written over.
  ///   - range: Where the model's bytes lie in it, from a multiple of 64 on.
  /// - Throws: `FeedError.Code.model` as for bytes.
  init(mapping path: String, at range: Range<Int>) throws
}

/// Reads the files of models that a configuration names.
public struct ModelReader: Sendable {
  private enum Access {
    case bytes(@Sendable (_ path: String) throws -> [UInt8]?)
    case files(mustExist: Bool)
  }

  private let access: Access

  private init(_ access: Access) { self.access = access }

  /// Reads with a closure.
  ///
  /// - Parameter read: The bytes under a path; nil where a missing model is no fault, as before the
  ///   first training.
  public init(_ read: @escaping @Sendable (_ path: String) throws -> [UInt8]?) {
    self.init(.bytes(read))
  }

  /// Reads files; a missing one is a fault.
  public static let files = ModelReader(.files(mustExist: true))

  /// Reads files; where there is none yet, strategies begin without a model.
  public static let filesIfAny = ModelReader(.files(mustExist: false))

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
    let origin: StableHash
    let model: Model
    switch access {
    case .bytes(let read):
      guard let bytes = try read(path) else { return nil }
      var hash = StableHash()
      hash.combine(bytes)
      origin = hash
      let file = try ModelFile(bytes: bytes, name: path)
      model = try Model(bytes: try file.model(of: identity, deck: deck, name: path))
    case .files(let mustExist):
      guard let file = try ModelFileOnDisk(path) else {
        guard mustExist else { return nil }
        throw FeedError(
          .model, "there is no model file \(path)",
          hint: "write it with cardfeed train --out \(path), or leave \"model\" out")
      }
      let range = try file.head.range(of: identity, deck: deck, name: path)
      origin = file.hash
      if let mappable = Model.self as? any MappableModel.Type,
        let mapped = try mappable.init(mapping: path, at: range) as? Model
      {
        model = mapped
      } else {
        model = try Model(bytes: try file.bytes(range))
      }
    }
    return (model, String(origin.value, radix: 16))
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
