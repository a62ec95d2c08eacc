/// What a caller may do.
public struct AccessScopes: OptionSet, Sendable, Hashable {
  /// One bit for each scope.
  public let rawValue: UInt8

  /// Takes the bits as they are.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Hands, swipes and everything else of viewers.
  public static let serve = AccessScopes(rawValue: 1)
  /// Cards as well.
  public static let write = AccessScopes(rawValue: 2)
  /// Configurations, explanations and the data of persons as well.
  public static let admin = AccessScopes(rawValue: 4)
  /// Everything.
  public static let all: AccessScopes = [.serve, .write, .admin]

  /// The scopes and what they imply: admin implies write, and write implies serve.
  public var widened: AccessScopes {
    if contains(.admin) { return .all }
    return contains(.write) ? [.write, .serve] : self
  }

  /// The names in files of tokens and in the description of the service.
  static let names: [(name: String, scope: AccessScopes)] = [
    ("serve", .serve), ("write", .write), ("admin", .admin),
  ]

  /// The scope of a name: `serve`, `write` or `admin`; nil for any other.
  public static func named(_ name: some StringProtocol) -> AccessScopes? {
    names.first { $0.name == name }?.scope
  }

  /// The names, in order.
  var names: [String] { Self.names.filter { contains($0.scope) }.map(\.name) }
}

/// Who calls, as far as the service found out.
struct AccessGrant: Sendable {
  /// What they may do.
  var scopes: AccessScopes
  /// What the rate of requests is counted by: a token or an address.
  var key: String
}
