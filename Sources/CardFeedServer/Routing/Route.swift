internal import CardFeedConfiguration
internal import CardFeedHTTP

/// One thing that can be asked of the service: the row of the table from which requests find their
/// way, unknown methods are answered, the description in OpenAPI and the labels of metrics are made.
final class Route: Sendable {
  typealias Handler = @Sendable (FeedService, ServiceCall) async throws -> HTTPResponse

  /// What may be sent with it.
  enum Body: Sendable {
    /// One JSON text of a schema, at most so many bytes.
    case json(JSONValue, limit: Int)
    /// JSON Lines of any length, read as they come.
    case lines(JSONValue)

    /// The content types that are taken, the first one is the usual one.
    var types: [String] {
      switch self {
      case .json: ["application/json"]
      case .lines: ["application/x-ndjson", "application/jsonl", "application/x-jsonlines"]
      }
    }

    var schema: JSONValue {
      switch self {
      case .json(let schema, _), .lines(let schema): schema
      }
    }
  }

  /// An answer that is no problem.
  struct Answer: Sendable {
    var status: Int
    var description: String
    var type = "application/json"
    /// Nil for what is no JSON.
    var schema: JSONValue?
  }

  /// A parameter of the query or a header. Those of the path follow from the path.
  struct Parameter: Sendable {
    enum Place: String, Sendable { case query, header }

    var name: String
    var place: Place
    var isRequired = false
    var description: String
    var schema: JSONValue
  }

  let method: HTTPMethod
  /// With `{name}` for each part that varies.
  let path: String
  /// Its name in descriptions and metrics, unique.
  let name: String
  /// Nil for what anybody may ask.
  let scope: AccessScopes?
  let summary: String
  let discussion: String
  let parameters: [Parameter]
  let body: Body?
  let answers: [Answer]
  /// Beside those that every route of its kind has.
  let problems: [Problem.Kind]
  let handler: Handler
  /// The parts of the path, without slashes.
  let parts: [Part]
  /// The names of the parts that vary, in order.
  let parameterNames: [String]

  init(
    _ method: HTTPMethod, _ path: String, name: String, scope: AccessScopes?, summary: String,
    discussion: String = "", parameters: [Parameter] = [], body: Body? = nil, answers: [Answer],
    problems: [Problem.Kind] = [], handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.scope = scope
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
    self.body = body
    self.answers = answers
    self.problems = problems
    self.handler = handler
    parts =
      path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
        part.hasPrefix("{")
          ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
      }
    parameterNames = parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  enum Part: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  /// Every kind of problem that it can answer with.
  var allProblems: [Problem.Kind] {
    // A route that wants no body is sent one all the same, and too long or too slow it is refused.
    var kinds: Set<Problem.Kind> = [.internal, .badRequest, .overLimit, .tooLarge, .tooSlow]
    kinds.formUnion(problems)
    if scope != nil { kinds.formUnion([.unauthorized, .forbidden]) }
    if path.contains("{") { kinds.formUnion([.notFound]) }
    if path.contains("{feed}") { kinds.formUnion([.unavailable]) }
    if body != nil {
      kinds.formUnion([.unsupportedMediaType, .unprocessable])
    }
    return Problem.Kind.allCases.filter(kinds.contains)
  }
}
