internal import CardFeed
internal import CardFeedSpacedRepetition

/// A memory model with parameters that can be fitted to one learner's answers.
protocol FittableMemoryModel: MemoryModel {
  init(parameters: [Double]) throws(MemoryParameterError)
  var parameters: [Double] { get }
  static var defaults: [Double] { get }
  static func fitHeldOut(
    _ log: ReviewLog, checkpoint: (Double) throws -> Void
  ) rethrows -> HeldOutMemoryFit
}

extension FSRS6: FittableMemoryModel {}
extension FSRS7: FittableMemoryModel {}

/// P(recall now) with parameters of each viewer's own, once they are trained.
final class FittedMemoryProbability<Fitted: FittableMemoryModel>: TrainableStrategy,
  MatchProbabilityStrategy, StudyMemory
{
  typealias D = QuizDeck
  typealias Model = MemoryParameters

  let slot: ModelSlot<MemoryParameters>
  private let time: MemoryTime
  private let zones: LearnerZones
  private let base: MemoryProbability<Fitted>

  init(
    time: MemoryTime, schedule: MemorySchedule, zones: LearnerZones, defaults: Fitted,
    slot: ModelSlot<MemoryParameters>
  ) {
    self.time = time
    self.zones = zones
    self.slot = slot
    base = MemoryProbability(time: time, schedule: schedule) { viewer in
      // Parameters that the model refuses are another version's: `estimates` says so.
      guard case .success(let fitted)? = Self.own(slot, viewer) else {
        return (defaults, defaults.parameters)
      }
      return (fitted, fitted.parameters)
    }
  }

  /// The model with the viewer's own parameters, or why it refuses them; nil if there are none.
  private static func own(
    _ slot: ModelSlot<MemoryParameters>, _ viewer: ViewerID
  ) -> Result<Fitted, MemoryParameterError>? {
    slot.model?.parameters[ViewerIdentity.stored(viewer, isMutual: false)].map { own in
      do throws(MemoryParameterError) {
        return .success(try Fitted(parameters: own))
      } catch {
        return .failure(error)
      }
    }
  }

  var needs: ContextNeeds { base.needs }
  var schedule: MemorySchedule { base.schedule }

  func moment(of context: DealContext<QuizDeck>) -> any StudyMoment { base.moment(of: context) }

  var uncertainty: MatchUncertainty { base.uncertainty }

  func reasons(for slate: Slate<QuizDeck>) async throws -> [EstimatePart] {
    try await base.reasons(for: slate)
  }

  func estimates(for slate: Slate<QuizDeck>) async throws -> MatchEstimates {
    var estimates = try await base.estimates(for: slate)
    if case .failure(let error)? = Self.own(slot, slate.context.viewer) {
      estimates.note = "the viewer's own parameters are refused, the defaults count: \(error)"
    }
    return estimates
  }

  /// Fits each viewer's parameters to their own answers. Who has too few, or is predicted best by
  /// the defaults, keeps the defaults. O(viewers + answers · passes).
  func fit(
    _ history: TrainingHistory<QuizDeck>, progress: TrainingProgress
  ) async throws -> MemoryParameters {
    let viewers = Dictionary(grouping: history.log, by: \.viewer).sorted { $0.key < $1.key }
    var fitted: [CardID: [Double]] = [:]
    for (index, (viewer, answers)) in viewers.enumerated() {
      guard let identity = history.viewers[viewer] else { continue }
      try await progress.step(index, of: viewers.count)
      let learner = ViewerIdentity.viewer(identity, isMutual: false)
      let own = zones.days(of: learner, or: schedule.days)
      let fit = try Fitted.fitHeldOut(log(of: answers) { own?($0) ?? schedule.days }) { _ in
        try Task.checkCancellation()
      }
      if fit.strength != nil { fitted[identity] = fit.parameters }
    }
    try await progress.step(viewers.count, of: viewers.count)
    return MemoryParameters(parameters: fitted)
  }

  /// One learner's answers as a fit reads them.
  private func log(
    of answers: [TrainingAnswer], by days: (Timestamp) -> StudyDays
  ) -> ReviewLog {
    var log = ReviewLog()
    for (_, answers) in Dictionary(grouping: answers, by: \.card).sorted(by: { $0.key < $1.key }) {
      let sorted = answers.sorted { ($0.time, $0.event) < ($1.time, $1.event) }
      var last: (time: Timestamp, day: Int64)?
      var reviews: [ReviewLog.Review] = []
      for answer in sorted {
        guard let rating = QuizDeck.Answer(rawValue: answer.answer)?.rating else { continue }
        let day = time == .wholeDays ? days(answer.time).day(at: answer.time) : 0
        let passed = last.map { last in
          time == .wholeDays
            ? Double(max(0, day - last.day)) : MemoryTime.days(from: last.time, to: answer.time)
        }
        // A model of whole days predicts nothing within one.
        let counts = time == .fractions || (passed ?? 1) > 0
        reviews.append(
          ReviewLog.Review(
            days: passed ?? 0, rating: rating, weight: counts ? 1 : 0,
            time: Double(answer.time.milliseconds) / 86_400_000))
        last = (answer.time, day)
      }
      log.append(reviews)
    }
    return log
  }
}

/// The parameters of a memory model for viewers with enough answers.
struct MemoryParameters: TrainedModel, Hashable {
  private static var version: UInt64 { 1 }

  /// By the stored identity of the viewer.
  var parameters: [CardID: [Double]]

  init(parameters: [CardID: [Double]]) { self.parameters = parameters }

  init(bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    try reader.modelVersion(Self.version, of: "a model of memory")
    parameters = [:]
    for _ in 0..<(try reader.count()) {
      let id = CardID(bytes: try reader.blob())
      parameters[id] = try (0..<(try reader.count())).map { _ in try reader.double() }
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(Self.version)
    writer.count(parameters.count)
    for (id, values) in parameters.sorted(by: { $0.key < $1.key }) {
      writer.blob(id.bytes)
      writer.count(values.count)
      for value in values { writer.double(value) }
    }
    return writer.bytes
  }

  func forgetting(_ id: CardID) -> MemoryParameters {
    var copy = self
    copy.parameters[id] = nil
    return copy
  }
}
