/// What a browser makes of an event stream, step by step after WHATWG, "HTML Living Standard",
/// section 9.2.6, "Interpreting an event stream": the other side of what is tested.
struct EventStreamParser {
  struct Message: Hashable {
    var name: String
    var data: String
    var lastID: String
  }

  private(set) var messages: [Message] = []
  /// The last event ID string of the event source, which a client sends when it connects again.
  private(set) var lastID = ""
  private(set) var retry: Int?
  private(set) var comments = 0

  private var rest: [UInt8] = []
  private var idBuffer = ""
  private var name = ""
  private var data = ""

  init(_ chunks: [[UInt8]] = []) { chunks.forEach { feed($0) } }

  mutating func feed(_ bytes: [UInt8]) {
    // The streams that are parsed here end their lines with LF alone.
    rest += bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeFirst(end + 1)
      interpret(line)
    }
  }

  private mutating func interpret(_ line: String) {
    if line.isEmpty { return dispatch() }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return field(line, "")
    }
    if colon == line.startIndex {
      comments += 1
      return
    }
    var value = line[line.utf8.index(after: colon)...]
    if value.utf8.first == UInt8(ascii: " ") {
      value = value[value.utf8.index(after: value.startIndex)...]
    }
    field(String(line[..<colon]), String(value))
  }

  private mutating func field(_ field: String, _ value: String) {
    switch field {
    case "event": name = value
    case "data": data += value + "\n"
    case "id": if !value.utf8.contains(0) { idBuffer = value }
    case "retry": retry = Int(value) ?? retry
    default: break
    }
  }

  private mutating func dispatch() {
    defer {
      name = ""
      data = ""
    }
    lastID = idBuffer
    if data.isEmpty { return }
    data.removeLast()
    messages.append(Message(name: name.isEmpty ? "message" : name, data: data, lastID: lastID))
  }
}
