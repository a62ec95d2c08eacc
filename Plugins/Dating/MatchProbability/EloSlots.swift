internal import CardFeed

/// Where the learned numbers of `EloTwoScale` lie.
///
/// A person has four: sum and precision of choosy, sum and precision of wanted. The counts of the
/// genders lie in the row that belongs to nobody. All rows are equally long, so the counts share a
/// few buckets instead of making every person's row longer.
enum EloSlot {
  static let choosy: UInt8 = 0
  static let wanted: UInt8 = 2
  static let count = 16

  /// A fraction in units of 2⁻³².
  static func fixed(_ value: Double) -> Int64 { Int64((value * 0x1p32).rounded()) }

  /// The fraction of a number of units.
  static func number(_ fixed: Int64) -> Double { Double(fixed) * 0x1p-32 }
}

/// The share of likes that people of a gender give.
enum EloBase {
  /// One for unknown genders, and those that names are hashed into.
  static let buckets = 8

  private static let priorShare = 0.4
  private static let priorSwipes = 10.0
  private static let salt = 1761

  static func likes(_ bucket: Int) -> UInt8 { UInt8(2 * bucket) }

  static func swipes(_ bucket: Int) -> UInt8 { UInt8(2 * bucket + 1) }

  static func logOdds(_ numbers: LearnedNumbers.Reader, _ bucket: Int) -> Double {
    let likes = Double(numbers(nil, likes(bucket)))
    let swipes = Double(numbers(nil, swipes(bucket)))
    return CardFeed.logOdds((likes + priorSwipes * priorShare) / (swipes + priorSwipes))
  }

  /// The bucket of a gender, 0 for an unknown one.
  ///
  /// A hash of the name, because the codes of a table may be others after a restart. Genders that
  /// fall into one bucket share their base; the salt is one with which the names in common use
  /// do not.
  static func bucket(of gender: String?) -> Int {
    guard let gender else { return 0 }
    var hash = StableHash()
    hash.combine(salt)
    hash.combine(gender)
    return 1 + Int(hash.value % UInt64(buckets - 1))
  }
}

/// The bucket of each person of a table.
struct GenderBuckets {
  private let codes: [Int32]
  private let buckets: [Int]

  init(_ table: CardTable<DatingDeck>) {
    guard case .category(let codes, let names)? = table.column("gender") else {
      codes = []
      buckets = []
      return
    }
    self.codes = codes
    buckets = names.names.map { EloBase.bucket(of: $0) }
  }

  /// 0 without a row or without a gender.
  func bucket(of row: Row?) -> Int {
    guard let row, codes.indices.contains(row.index), codes[row.index] >= 0 else { return 0 }
    return buckets[Int(codes[row.index])]
  }
}
