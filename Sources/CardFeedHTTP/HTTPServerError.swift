/// Why a server did not start.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong. Further ones may come.
  public enum Kind: String, Sendable, Hashable {
    /// The address is no numeric one of IPv4 or IPv6.
    case badAddress = "bad-address"
    /// An option is outside of what is allowed.
    case badOption = "bad-option"
    /// Somebody listens there already.
    case portInUse = "port-in-use"
    /// The port is reserved for other users.
    case noPermission = "no-permission"
    /// The machine does not have the address.
    case addressNotAvailable = "address-not-available"
    /// The server runs or ran.
    case alreadyStarted = "already-started"
    /// The system refused something else.
    case system
  }

  /// What is wrong.
  public let kind: Kind
  /// What is wrong, where, and what to do.
  public let description: String
}
