import CardFeedConfiguration
import Testing

/// The parser against an independent recogniser and against the writer, on random texts.
struct JSONFuzzTests {
  static let seeds = [
    #"{"version":1,"deck":"dating","hand":{"size":5,"rewind":20},"on":true,"off":[false,null]}"#,
    #"[0,-0,1.5e+10,-2E-3,"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00",[],{},[[{"k":[1]}]]]"#,
    "{\"caf\u{E9}\" : \"\u{1F600} \u{20AC}\",\r\n\t\"x\": [ 1 , 2 ] }",
    #"{"a":{"a":1,"b":2,"a":3},"b":[{"c":1,"c":2}],"a":"again"}"#,
  ]

  @Test(arguments: 0..<20)
  func mutatedTextsAreJudgedLikeTheRecogniserDoes(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    var acceptedCount = 0
    for _ in 0..<1500 {
      let bytes = mutate(Array(Self.seeds[random.below(Self.seeds.count)].utf8), &random)
      let isAccepted = JSONRecogniser.accepts(bytes)
      do {
        let document = try JSONDocument(parsing: bytes)
        #expect(isAccepted, "accepted \(bytes)")
        acceptedCount += 1
        try checkLocations(document.root, in: bytes)
        for style in [JSONWriter.Style.compact, .pretty] {
          let again = try JSONDocument(parsing: document.root.bytes(style))
          #expect(again.root == document.root)
          #expect(again.duplicateKeys.isEmpty)
        }
      } catch let error as JSONSyntaxError {
        #expect(!isAccepted, "refused \(bytes): \(error)")
        #expect(error.location.byteOffset <= bytes.count)
        #expect(!error.message.isEmpty && !error.found.isEmpty && !error.allowed.isEmpty)
      }
    }
    // Without both outcomes the comparison would say nothing.
    #expect(acceptedCount > 20 && acceptedCount < 1480)
  }

  @Test(arguments: 0..<20)
  func randomValuesSurviveWritingAndReading(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) &+ 1000)
    for _ in 0..<200 {
      let value = randomValue(depth: 4, &random)
      let compact = value.bytes(.compact)
      let read = try JSONDocument(parsing: compact).root
      #expect(read == value)
      #expect(read.hashValue == value.hashValue)
      #expect(read.bytes(.compact) == compact)
      #expect(try JSONDocument(parsing: value.bytes(.pretty)).root.bytes(.compact) == compact)
      let canonical = value.canonicalBytes()
      let shuffled = shuffle(value, &random)
      #expect(shuffled == value)
      #expect(shuffled.hashValue == value.hashValue)
      #expect(shuffled.canonicalBytes() == canonical)
      #expect(try JSONDocument(parsing: canonical).root.canonicalBytes() == canonical)
      let other = randomValue(depth: 2, &random)
      #expect((other == value) == (other.canonicalBytes() == canonical))
    }
  }

  @Test(arguments: 0..<10)
  func randomDoublesSurviveWritingAndReading(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) &+ 2000)
    for _ in 0..<2000 {
      let double = Double(bitPattern: random.next())
      guard let number = JSONNumber(finite: double) else { continue }
      #expect(JSONNumber(text: number.text)?.double == double)
      #expect(JSONNumber(text: number.canonicalText)?.double == double)
      let decimal = "\(Int64(truncatingIfNeeded: random.next()) >> 20).\(random.below(100_000))"
      #expect(JSONNumber(text: decimal)?.double == Double(decimal))
    }
  }

  /// Compares the counters of the parser with a slow count from the beginning of the text.
  private func checkLocations(_ value: JSONValue, in bytes: [UInt8]) throws {
    func check(_ location: JSONLocation?, allowed: Set<UInt8>) throws {
      let location = try #require(location)
      #expect(allowed.contains(bytes[location.byteOffset]))
      var line = 1
      var column = 1
      let before = String(decoding: bytes[..<location.byteOffset], as: UTF8.self)
      var previous: Unicode.Scalar?
      for scalar in before.unicodeScalars {
        switch scalar {
        case "\n" where previous == "\r": break
        case "\n", "\r": (line, column) = (line + 1, 1)
        default: column += 1
        }
        previous = scalar
      }
      #expect((location.line, location.column) == (line, column))
    }
    switch value.content {
    case .null: try check(value.location, allowed: [0x6E])
    case .bool: try check(value.location, allowed: [0x74, 0x66])
    case .number: try check(value.location, allowed: Set(0x30...0x39).union([0x2D]))
    case .string: try check(value.location, allowed: [0x22])
    case .array(let elements):
      try check(value.location, allowed: [0x5B])
      for element in elements { try checkLocations(element, in: bytes) }
    case .object(let object):
      try check(value.location, allowed: [0x7B])
      for member in object.members {
        try check(member.keyLocation, allowed: [0x22])
        try checkLocations(member.value, in: bytes)
      }
    }
  }

  private func mutate(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "9", "-", "+", ".", "e", " ", "\n", "\r",
      "null", "true", "\\u00", "\\ud800", "\\udc00", "\u{E9}", "\u{FEFF}", "\u{0}", "1e400", "[[",
    ].map { Array($0.utf8) }
    var bytes = bytes
    for _ in 0..<random.below(4) {
      let place = random.below(bytes.count + 1)
      switch random.below(5) {
      case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: place)
      case 3:
        let end = min(bytes.count, place + random.below(12))
        bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
      default:
        bytes.removeSubrange(place..<min(bytes.count, place + random.below(6)))
      }
    }
    return bytes
  }

  private func randomValue(depth: Int, _ random: inout SplitMix) -> JSONValue {
    switch random.below(depth > 0 ? 8 : 6) {
    case 0: return nil
    case 1: return JSONValue(random.below(2) == 0)
    case 2: return JSONValue(Int64(truncatingIfNeeded: random.next()) >> random.below(64))
    case 3: return JSONValue(orNull: Double(bitPattern: random.next()))
    case 4: return JSONValue(orNull: Double(random.below(2000)) / 8)
    case 5: return JSONValue(randomString(&random))
    case 6:
      return JSONValue((0..<random.below(6)).map { _ in randomValue(depth: depth - 1, &random) })
    default:
      var object = JSONObject()
      for _ in 0..<random.below(40) {
        object[randomString(&random)] = randomValue(depth: depth - 2, &random)
      }
      return JSONValue(object)
    }
  }

  private func randomString(_ random: inout SplitMix) -> String {
    let limits: [UInt32] = [0x20, 0x7F, 0x7F, 0x7FF, 0xFFFF, 0x10FFFF]
    let scalars = (0..<random.below(20)).compactMap { _ in
      Unicode.Scalar(UInt32(random.below(Int(limits[random.below(limits.count)]) + 1)))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private func shuffle(_ value: JSONValue, _ random: inout SplitMix) -> JSONValue {
    switch value.content {
    case .array(let elements):
      return JSONValue(elements.map { shuffle($0, &random) })
    case .object(let object):
      let members = object.members.map { ($0.key, shuffle($0.value, &random)) }
      return JSONValue(JSONObject(members.shuffled(using: &random)))
    default:
      return value
    }
  }
}

/// A small seeded generator (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014), so that a failure repeats.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
