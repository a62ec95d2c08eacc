import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

@Suite struct RouteTableTests {
  private static func route(_ method: HTTPMethod, _ path: String) -> Route {
    Route(
      method, path, name: "\(method) \(path)", scope: nil, summary: "", answers: []
    ) { _, _ in HTTPResponse(status: 200) }
  }

  private let table = RouteTable([
    route(.get, "/"), route(.get, "/a"), route(.post, "/a/{x}"), route(.get, "/a/{x}/b/{y}"),
    route(.post, "/a/c"), route(.get, "/a/{x}"),
  ])

  private func found(_ method: HTTPMethod, _ path: String) -> String {
    switch table.match(method, path) {
    case .route(let index, let parts):
      let parts = parts.map { String(decoding: $0, as: UTF8.self) }
      return ([table.routes[index].path] + parts).joined(separator: " ")
    case .otherMethod(let methods): return methods.map(\.rawValue).joined(separator: ",")
    case .nothing: return "nothing"
    }
  }

  @Test(arguments: [
    (HTTPMethod.get, "/", "/"), (.head, "/a", "/a"), (.post, "/a/c", "/a/c"),
    // Written out goes first, unless only the part that varies has the method.
    (.get, "/a/c", "/a/{x} c"), (.post, "/a/d", "/a/{x} d"),
    (.get, "/a/p%2Fq/b/%41", "/a/{x}/b/{y} p/q A"), (.get, "/a/1/b/", "nothing"),
    (.get, "/a/", "nothing"), (.get, "//a", "nothing"), (.get, "/A", "nothing"),
    (.get, "/a/1/b/2/3", "nothing"), (.get, "", "nothing"), (.options, "*", "nothing"),
    (.delete, "/a/c", "GET,POST"), (.put, "/a", "GET"),
  ])
  func finds(_ example: (method: HTTPMethod, path: String, found: String)) {
    #expect(found(example.method, example.path) == example.found)
  }

  @Test func descriptionHasEveryRouteOnceWithANameOfItsOwn() throws {
    let service = TestService.service()
    let document = try JSONDocument(parsing: service.description)
    #expect(document.duplicateKeys.isEmpty)
    var names: [String] = []
    for path in document.root["paths"]?.object?.members ?? [] {
      for operation in path.value.object?.members ?? [] {
        names.append(try #require(operation.value["operationId"]?.string))
      }
    }
    #expect(names.sorted() == service.table.routes.map(\.name).sorted())
    #expect(Set(names).count == names.count)
  }
}
