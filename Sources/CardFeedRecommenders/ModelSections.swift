/// Named lists of numbers: what a model consists of in a file.
struct ModelSections: @unchecked Sendable {
  // Unchecked: what `written` points at is kept by `kept`, or is the mapping, and is never written to.

  /// Where a list lies.
  struct Place {
    var width: Int
    var offset: Int
    var count: Int
  }

  /// Lists to be written: name, width of an element, count, and the bytes.
  private(set) var written:
    [(name: String, width: Int, count: Int, bytes: UnsafeRawBufferPointer)] =
      []
  /// Keeps what `written` points at.
  private var kept: [AnyObject] = []
  private let places: [String: Place]
  private let mapping: MappedFile?

  /// Nothing yet, for writing.
  init() {
    places = [:]
    mapping = nil
  }

  /// The lists of a file, in its order. Those of the cards' ids are not among what would be written
  /// again.
  init(_ lists: [(name: String, place: Place)], in mapping: MappedFile) {
    places = Dictionary(lists.map { ($0.name, $0.place) }) { _, last in last }
    self.mapping = mapping
    for (name, place) in lists where !name.hasPrefix(CardNames.prefix) {
      let bytes = mapping.bytes[place.offset..<place.offset + place.count * place.width]
      written.append((name, place.width, place.count, UnsafeRawBufferPointer(rebasing: bytes)))
    }
  }

  mutating func add<Element>(_ name: String, _ numbers: Numbers<Element>) {
    written.append(
      (name, MemoryLayout<Element>.stride, numbers.count, UnsafeRawBufferPointer(numbers.buffer)))
    kept.append(Box(numbers))
  }

  mutating func add<Element: BitwiseCopyable & Sendable>(_ name: String, _ elements: [Element]) {
    add(name, Numbers(elements))
  }

  private final class Box<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// A list of the file.
  ///
  /// - Throws: ``RecommenderError`` `damagedFile` where it is missing or has other elements.
  func numbers<Element>(
    _ name: String, _: Element.Type
  ) throws(RecommenderError) -> Numbers<Element> {
    guard let mapping, let place = places[name], place.width == MemoryLayout<Element>.stride else {
      throw damaged("the list \"\(name)\" is missing or has numbers of another size")
    }
    let bytes = UnsafeRawBufferPointer(
      rebasing: mapping.bytes[place.offset..<place.offset + place.count * place.width])
    return Numbers(bytes.assumingMemoryBound(to: Element.self), of: mapping)
  }

  func damaged(_ reason: String) -> RecommenderError {
    RecommenderError(
      .damagedFile,
      "\(mapping?.path ?? "a model"): \(reason); allowed: a model file as it was written. Train the "
        + "model again")
  }
}

extension HistoryDecay {
  var numbers: [Double] {
    switch self {
    case .none: [0, 1]
    case .perSwipe(let rate): [1, rate]
    case .perTime(let rate): [2, rate]
    }
  }

  init?(_ numbers: some RandomAccessCollection<Double>) {
    guard let kind = numbers.first, let rate = numbers.last, numbers.count == 2, rate.isFinite
    else {
      return nil
    }
    switch kind {
    case 0: self = .none
    case 1: self = .perSwipe(rate)
    case 2: self = .perTime(rate)
    default: return nil
    }
  }
}

extension ModelSections {
  func decay(_ prefix: String) throws(RecommenderError) -> HistoryDecay {
    guard let decay = HistoryDecay(try numbers(prefix + "decay", Double.self)) else {
      throw damaged("the list \"\(prefix)decay\" is no decay")
    }
    return decay
  }
}
