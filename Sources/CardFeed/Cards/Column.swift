/// Declares one column of a deck: its name, and how it is read off a card.
public struct ColumnDeclaration<Card: Sendable>: Sendable {
  /// The name by which strategies and configurations ask for the column.
  public let name: String
  let reader: Reader

  /// What a column holds.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Numbers.
    case float
    /// Whole numbers.
    case integer
    /// One name for each card.
    case category
    /// Any number of names for each card.
    case tags
    /// Places on the earth.
    case place
    /// Vectors of one length.
    case vector
    /// Texts.
    case text
    /// Named numbers.
    case numbers
  }

  /// What the column holds, so that a strategy can be refused before it meets a card.
  public var kind: Kind {
    switch reader {
    case .float: .float
    case .integer: .integer
    case .category: .category
    case .tags: .tags
    case .place: .place
    case .vector: .vector
    case .text: .text
    case .numbers: .numbers
    }
  }

  enum Reader: Sendable {
    case float(@Sendable (Card) -> Double?)
    case integer(@Sendable (Card) -> Int64?)
    case category(@Sendable (Card) -> String?)
    case tags(@Sendable (Card) -> [String])
    case place(@Sendable (Card) -> Place?)
    case vector(dimension: Int, @Sendable (Card) -> [Float]?)
    case text(@Sendable (Card) -> String?)
    case numbers(@Sendable (Card) -> [String: Double])
  }

  /// A number; missing or non-finite values are nil for strategies.
  public static func float(
    _ name: String, _ read: @escaping @Sendable (Card) -> Double?
  ) -> Self { Self(name: name, reader: .float(read)) }

  /// A whole number.
  public static func integer(
    _ name: String, _ read: @escaping @Sendable (Card) -> Int64?
  ) -> Self { Self(name: name, reader: .integer(read)) }

  /// One name out of a small set; stored as a code.
  public static func category(
    _ name: String, _ read: @escaping @Sendable (Card) -> String?
  ) -> Self { Self(name: name, reader: .category(read)) }

  /// Any number of names; stored as sorted codes without repetition.
  public static func tags(
    _ name: String, _ read: @escaping @Sendable (Card) -> [String]
  ) -> Self { Self(name: name, reader: .tags(read)) }

  /// A place on the earth.
  public static func place(
    _ name: String, _ read: @escaping @Sendable (Card) -> Place?
  ) -> Self { Self(name: name, reader: .place(read)) }

  /// A vector of `dimension` numbers; a vector of another length counts as missing.
  public static func vector(
    _ name: String, dimension: Int, _ read: @escaping @Sendable (Card) -> [Float]?
  ) -> Self { Self(name: name, reader: .vector(dimension: dimension, read)) }

  /// A text that strategies may refer to.
  public static func text(
    _ name: String, _ read: @escaping @Sendable (Card) -> String?
  ) -> Self { Self(name: name, reader: .text(read)) }
}

extension ColumnDeclaration {
  /// Any number of named numbers; those that are not finite count as missing.
  public static func numbers(
    _ name: String, _ read: @escaping @Sendable (Card) -> [String: Double]
  ) -> Self { Self(name: name, reader: .numbers(read)) }
}

/// The named numbers of one row.
public struct NamedNumbers: Hashable, Sendable {
  /// Codes of the names, ascending.
  public let codes: [Int32]
  /// For each code its number, finite.
  public let values: [Double]

  init(_ numbers: [String: Double], _ names: inout NameTable) {
    // In the order of the names, so that codes do not depend on how a dictionary is laid out.
    let named = numbers.filter { $0.value.isFinite }.sorted { $0.key < $1.key }
    self.init(named.map { (code: names.insert($0.key), value: $0.value) })
  }

  private init(_ numbers: [(code: Int32, value: Double)]) {
    let coded = numbers.sorted { $0.code < $1.code }
    codes = coded.map(\.code)
    values = coded.map(\.value)
  }

  /// The same numbers with the codes of another name table.
  func renamed(_ code: (Int32) -> Int32) -> NamedNumbers {
    NamedNumbers(zip(codes, values).map { (code: code($0), value: $1) })
  }
}

/// Names that stand for small numbers, in order of first appearance.
public struct NameTable: Sendable {
  /// Code to name.
  public private(set) var names: [String] = []
  private var codes: [[UInt8]: Int32] = [:]

  init() {}

  /// The code of a name, or nil when no card has it. Compared as bytes. O(length).
  public func code(of name: String) -> Int32? { codes[Array(name.utf8)] }

  mutating func insert(_ name: String) -> Int32 {
    let key = Array(name.utf8)
    if let code = codes[key] { return code }
    let code = Int32(names.count)
    names.append(name)
    codes[key] = code
    return code
  }
}

/// A column of whole slates: one value for each row of a table.
public enum Column: Sendable {
  /// Numbers; NaN is missing.
  case float([Double])
  /// Whole numbers; `Int64.min` is missing.
  case integer([Int64])
  /// Codes into a name table; −1 is missing.
  case category(codes: [Int32], names: NameTable)
  /// For each row the sorted codes of its tags.
  case tags(codes: [[Int32]], names: NameTable)
  /// Places; nil is unknown, which is not far away and not near.
  case place([Place?])
  /// `dimension` numbers for each row, row after row; a row of NaN is missing.
  case vector(dimension: Int, values: [Float])
  /// Texts.
  case text([String?])
  /// For each row its named numbers.
  case numbers([NamedNumbers], names: NameTable)

  init(for reader: ColumnDeclaration<some Sendable>.Reader) {
    self =
      switch reader {
      case .float: .float([])
      case .integer: .integer([])
      case .category: .category(codes: [], names: NameTable())
      case .tags: .tags(codes: [], names: NameTable())
      case .place: .place([])
      case .vector(let dimension, _): .vector(dimension: dimension, values: [])
      case .text: .text([])
      case .numbers: .numbers([], names: NameTable())
      }
  }

  /// The column with the values of `cards` at their rows, which are existing rows or the next
  /// ones, in order. The values are taken out once for all cards, so that they are copied at most
  /// once. O(column + cards).
  func putting<Card>(
    _ cards: [(row: Int, card: Card)], by reader: ColumnDeclaration<Card>.Reader
  ) -> Column {
    switch (self, reader) {
    case (.float(let values), .float(let read)):
      return .float(
        values.setting(cards) { card in
          let value = read(card) ?? .nan
          return value.isFinite ? value : .nan
        })
    case (.integer(let values), .integer(let read)):
      return .integer(values.setting(cards) { read($0) ?? .min })
    case (.category(let codes, var names), .category(let read)):
      let next = codes.setting(cards) { card in read(card).map { names.insert($0) } ?? -1 }
      return .category(codes: next, names: names)
    case (.tags(let codes, var names), .tags(let read)):
      let next = codes.setting(cards) { card in
        Set(read(card).map { names.insert($0) }).sorted()
      }
      return .tags(codes: next, names: names)
    case (.numbers(let values, var names), .numbers(let read)):
      let next = values.setting(cards) { NamedNumbers(read($0), &names) }
      return .numbers(next, names: names)
    case (.place(let values), .place(let read)): return .place(values.setting(cards, to: read))
    case (.text(let values), .text(let read)): return .text(values.setting(cards, to: read))
    case (.vector(let dimension, var values), .vector(_, let read)):
      for (row, card) in cards {
        let vector = read(card).flatMap { $0.count == dimension ? $0 : nil }
        let filled = vector ?? Array(repeating: .nan, count: dimension)
        let start = row * dimension
        if start == values.count {
          values.append(contentsOf: filled)
        } else {
          for (offset, value) in filled.enumerated() { values[start + offset] = value }
        }
      }
      return .vector(dimension: dimension, values: values)
    default:
      preconditionFailure("A column was filled by the reader of another column.")
    }
  }
}

extension Array {
  /// The array with a value for each card at its row, which exists or is the next one.
  fileprivate func setting<Card>(
    _ cards: [(row: Int, card: Card)], to value: (Card) -> Element
  ) -> [Element] {
    var next = self
    for (row, card) in cards {
      let element = value(card)
      if row == next.count { next.append(element) } else { next[row] = element }
    }
    return next
  }
}
