/// Fills one column card by card. All columns of a card are read before the next card is touched, so
/// that a page of cards passes through the caches once.
struct ColumnBuilder<Card: Sendable> {
  private let reader: ColumnDeclaration<Card>.Reader
  private var floats: [Double] = []
  private var integers: [Int64] = []
  private var codes: [Int32] = []
  private var lists = CodeLists()
  private var names = NameTable()
  private var places: [Place?] = []
  private var vectors: [Float] = []
  private var texts: [String?] = []
  private var numbers: [NamedNumbers] = []

  init(_ reader: ColumnDeclaration<Card>.Reader, capacity: Int) {
    self.reader = reader
    switch reader {
    case .float: floats.reserveCapacity(capacity)
    case .integer: integers.reserveCapacity(capacity)
    case .category: codes.reserveCapacity(capacity)
    case .tags: lists.reserveCapacity(capacity)
    case .place: places.reserveCapacity(capacity)
    case .vector(let dimension, _): vectors.reserveCapacity(capacity * dimension)
    case .text: texts.reserveCapacity(capacity)
    case .numbers: numbers.reserveCapacity(capacity)
    }
  }

  /// Reads the next card.
  mutating func append(_ card: Card) {
    switch reader {
    case .float(let read):
      let value = read(card) ?? .nan
      floats.append(value.isFinite ? value : .nan)
    case .integer(let read): integers.append(read(card) ?? .min)
    case .category(let read): codes.append(read(card).map { names.insert($0) } ?? -1)
    case .tags(let read): lists.append(read(card).map { names.insert($0) })
    case .place(let read): places.append(read(card))
    case .text(let read): texts.append(read(card))
    case .numbers(let read): numbers.append(NamedNumbers(read(card), &names))
    case .vector(let dimension, let read):
      if let vector = read(card), vector.count == dimension {
        vectors.append(contentsOf: vector)
      } else {
        vectors.append(contentsOf: repeatElement(.nan, count: dimension))
      }
    }
  }

  /// What was read.
  var column: Column {
    switch reader {
    case .float: .float(floats)
    case .integer: .integer(integers)
    case .category: .category(codes: codes, names: names)
    case .tags: .tags(codes: lists.lists, names: names)
    case .place: .place(places)
    case .vector(let dimension, _): .vector(dimension: dimension, values: vectors)
    case .text: .text(texts)
    case .numbers: .numbers(numbers, names: names)
    }
  }
}

/// Lists of codes, each sorted and without repetition. Those of one code share their memory: in many
/// columns most cards have one of a few names.
struct CodeLists {
  private(set) var lists: [[Int32]] = []
  private var singles: [[Int32]] = []

  mutating func reserveCapacity(_ capacity: Int) { lists.reserveCapacity(capacity) }

  mutating func append(_ codes: [Int32]) {
    if codes.count > 1 {
      lists.append(Self.sortedWithoutRepetition(codes))
    } else if let code = codes.first {
      while singles.count <= Int(code) { singles.append([Int32(singles.count)]) }
      lists.append(singles[Int(code)])
    } else {
      lists.append([])
    }
  }

  /// Lists are short: insertion into place needs no set.
  static func sortedWithoutRepetition(_ codes: [Int32]) -> [Int32] {
    var isSorted = true
    for place in codes.indices.dropFirst() where codes[place - 1] >= codes[place] {
      isSorted = false
    }
    return isSorted ? codes : Array(Set(codes)).sorted()
  }
}

extension Column {
  /// The columns of pages, one after the other. Names get their codes in the order in which they
  /// first appear, as if the cards had been read one by one. O(rows).
  static func joined(_ pages: [Column], rows: Int) -> Column? {
    guard let first = pages.first else { return nil }
    switch first {
    case .float:
      return .float(join(pages, rows) { if case .float(let values) = $0 { values } else { nil } })
    case .integer:
      return .integer(
        join(pages, rows) { if case .integer(let values) = $0 { values } else { nil } })
    case .place:
      return .place(join(pages, rows) { if case .place(let values) = $0 { values } else { nil } })
    case .text:
      return .text(join(pages, rows) { if case .text(let values) = $0 { values } else { nil } })
    case .vector(let dimension, _):
      return .vector(
        dimension: dimension,
        values: join(pages, rows * dimension) {
          if case .vector(_, let values) = $0 { values } else { nil }
        })
    case .category:
      var names = NameTable()
      var codes: [Int32] = []
      codes.reserveCapacity(rows)
      for case .category(let page, let pageNames) in pages {
        let renamed = pageNames.names.map { names.insert($0) }
        for code in page { codes.append(code < 0 ? -1 : renamed[Int(code)]) }
      }
      return .category(codes: codes, names: names)
    case .tags:
      var names = NameTable()
      var lists = CodeLists()
      lists.reserveCapacity(rows)
      for case .tags(let page, let pageNames) in pages {
        let renamed = pageNames.names.map { names.insert($0) }
        for codes in page { lists.append(codes.map { renamed[Int($0)] }) }
      }
      return .tags(codes: lists.lists, names: names)
    case .numbers:
      var names = NameTable()
      var all: [NamedNumbers] = []
      all.reserveCapacity(rows)
      for case .numbers(let page, let pageNames) in pages {
        let renamed = pageNames.names.map { names.insert($0) }
        for numbers in page { all.append(numbers.renamed { renamed[Int($0)] }) }
      }
      return .numbers(all, names: names)
    }
  }

  private static func join<Element>(
    _ pages: [Column], _ count: Int, _ values: (Column) -> [Element]?
  ) -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    for page in pages { all.append(contentsOf: values(page) ?? []) }
    return all
  }
}
