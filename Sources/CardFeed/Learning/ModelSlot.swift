/// Where a trainable strategy finds its current model; empty until one was fitted or loaded.
public final class ModelSlot<Model: TrainedModel>: AnyModelSlot {
  /// What the model was made by: the name of the strategy, a version, and every parameter that
  /// decides what a fit does.
  public let identity: String
  private let held = Lock<Model?>(nil)

  init(identity: String) { self.identity = identity }

  /// The current model; inside of a training the one that was just fitted. O(1).
  public var model: Model? {
    FittedModels.current?.model(of: self) as? Model ?? held.withLock { $0 }
  }

  /// Swaps the model. Deals that have taken the old one finish with it.
  public func replace(with model: Model) { held.withLock { $0 = model } }

  /// Puts a model in, unless there is one.
  ///
  /// - Returns: Whether the slot was empty.
  @discardableResult
  public func fill(with model: Model) -> Bool {
    held.withLock { held in
      guard held == nil else { return false }
      held = model
      return true
    }
  }

  /// The model that deals go by, whoever asks.
  var installed: Model? { held.withLock { $0 } }

  func forget(_ id: CardID) { held.withLock { $0 = $0?.forgetting(id) } }

  func replacement(reading bytes: [UInt8]) throws -> @Sendable () -> Void {
    let model = try Model(bytes: bytes)
    return { self.replace(with: model) }
  }

  var bytes: [UInt8]? { installed?.bytes }

  var scored: [String] { installed?.scored ?? [] }
}

/// The models that a training has fitted so far. No deal sees them before all are fitted, but the
/// fits that ask the pipeline do, and only in the task of the training: so they are bound to it.
struct FittedModels: Sendable {
  @TaskLocal static var current: FittedModels?

  private var models: [ObjectIdentifier: any TrainedModel] = [:]

  func model(of slot: any AnyModelSlot) -> (any TrainedModel)? { models[ObjectIdentifier(slot)] }

  mutating func add(_ model: any TrainedModel, in slot: any AnyModelSlot) {
    models[ObjectIdentifier(slot)] = model
  }
}

/// A slot of any kind of model.
protocol AnyModelSlot: AnyObject, Sendable {
  var identity: String { get }
  var bytes: [UInt8]? { get }
  var scored: [String] { get }
  func forget(_ id: CardID)
  /// Reads a model; what is returned puts it in.
  func replacement(reading bytes: [UInt8]) throws -> @Sendable () -> Void
}

extension LearnerStates {
  /// The slot of a trainable strategy, made when it is first asked for.
  ///
  /// - Parameters:
  ///   - identity: The name of the strategy, a version, and every parameter that decides what a
  ///     fit does.
  ///   - origin: Distinguishes slots that begin with different models; the checksum of a file. A
  ///     strategy that is built anew from an unchanged configuration finds the slot it had.
  ///   - model: The kind of model.
  public func slot<Model: TrainedModel>(
    for identity: String, origin: String = "", of model: Model.Type
  ) -> ModelSlot<Model> {
    slots.withLock { slots in
      let key = SlotKey(identity: identity, origin: origin)
      if let known = slots[key] {
        guard let slot = known as? ModelSlot<Model> else {
          preconditionFailure(
            "Two strategies share the identity '\(identity)' and keep different kinds of models; "
              + "an identity begins with the name of its strategy.")
        }
        return slot
      }
      let slot = ModelSlot<Model>(identity: identity)
      slots[key] = slot
      return slot
    }
  }

  /// Lets go of the models that nobody uses any more.
  func keep(only used: [any AnyModelSlot]) {
    let used = Set(used.map { ObjectIdentifier($0) })
    slots.withLock { slots in slots = slots.filter { used.contains(ObjectIdentifier($0.value)) } }
  }

  /// Takes one card or viewer out of every model.
  func forget(_ id: CardID) {
    for slot in slots.withLock({ Array($0.values) }) { slot.forget(id) }
  }
}

/// What tells the slots of a feed apart.
struct SlotKey: Hashable {
  let identity: String
  let origin: String
}
