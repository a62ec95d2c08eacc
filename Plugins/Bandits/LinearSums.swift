internal import CardFeed

/// The sums of linear regression, of everybody or of each viewer: Σ zzᵀ and Σ yz, as whole numbers.
///
/// Sums do not depend on the order of events, so a rewind brings back to the bit what was, and all
/// of it can be rebuilt from the log.
struct LinearSums<D: Deck>: Learner {
  let features: CardFeatures
  /// Whether each viewer has sums of their own.
  let isOfViewer: Bool
  let numbers: LearnedNumbers

  /// One unit of a sum.
  static var unit: Double { 0x1p-20 }

  /// With the constant.
  var width: Int { features.columns.count + 1 }

  /// The most columns: (19 + 1)(19 + 2) / 2 + 20 slots are no more than 256.
  static var mostColumns: Int { 19 }

  init(features: CardFeatures, isOfViewer: Bool, states: LearnerStates) {
    precondition(
      features.columns.count <= Self.mostColumns, "There are at most \(Self.mostColumns) columns.")
    self.features = features
    self.isOfViewer = isOfViewer
    var hash = StableHash()
    for column in features.columns {
      hash.combine(column.name)
      hash.combine(column.scale.bitPattern)
    }
    identity = "linear-sums/2 \(isOfViewer ? "viewer" : "everybody") \(hash.value)"
    let width = features.columns.count + 1
    numbers = states.numbers(for: identity, stride: width * (width + 1) / 2 + width)
  }

  /// Slots of an owner.
  var stride: Int { width * (width + 1) / 2 + width }

  let identity: String

  func owner(_ viewer: ViewerNumber) -> CardNumber? { isOfViewer ? viewer : nil }

  func increments(for event: LearningEvent<D>) -> [Increment] {
    guard let outcome = event.outcome, let row = event.cardRow,
      let read = try? features.reader(event.table, askedBy: "linear-bandit"),
      let z = read(row)
    else { return [] }
    let owner = owner(event.viewer)
    var increments: [Increment] = []
    func add(_ slot: Int, _ value: Double) {
      let amount = Int64((value / Self.unit).rounded())
      guard amount != 0 else { return }
      increments.append(Increment(LearnedKey(owner: owner, slot: UInt8(slot)), amount))
    }
    var slot = 0
    for i in z.indices {
      for j in 0...i {
        add(slot, z[i] * z[j])
        slot += 1
      }
    }
    if outcome {
      for i in z.indices { add(slot + i, z[i]) }
    }
    return increments
  }

  /// The lower triangle of Σ zzᵀ, row after row, and Σ yz.
  func sums(of viewer: ViewerNumber) -> (triangle: [Double], products: [Double]) {
    let owner = owner(viewer)
    return parts(numbers.read { read in (0..<stride).map { Double(read(owner, UInt8($0))) } })
  }

  /// Slots as a triangle and products.
  func parts(_ slots: [Double]) -> (triangle: [Double], products: [Double]) {
    let all = slots.map { $0 * Self.unit }
    return (Array(all.prefix(stride - width)), Array(all.suffix(width)))
  }
}
