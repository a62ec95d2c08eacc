internal import CardFeed

/// The tokens that a service takes: of each only its SHA-256, so that whoever reads the file cannot
/// call the service.
///
/// A file has one token a line: 64 hexadecimal digits, the scopes with commas between them, and
/// perhaps a name for logs and limits. Empty lines, and lines that begin with `#`, are skipped.
public struct TokenTable: Sendable {
  struct Entry: Sendable {
    let digest: [UInt8]
    let grant: AccessGrant
  }

  let entries: [Entry]

  /// Reads a file of tokens.
  ///
  /// - Parameters:
  ///   - bytes: Its content, in UTF-8.
  ///   - file: What error texts call it.
  /// - Throws: `FeedError.Code.badInput` for the first line that is wrong, and for a file without
  ///   any token. Texts have no part of a digest.
  public init(parsing bytes: [UInt8], file: String) throws {
    var entries: [Entry] = []
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      func failure(_ message: String) -> FeedError {
        FeedError(
          .badInput, "\(file):\(index + 1): \(message)",
          hint: "'cardfeed token' prints a new token and its line")
      }
      guard let digest = Self.bytes(hexadecimal: first), digest.count == 32 else {
        throw failure("the first word is no SHA-256; allowed: 64 hexadecimal digits")
      }
      guard words.count > 1 else {
        throw failure("the scopes are missing; allowed: serve, write, admin, commas between them")
      }
      var scopes: AccessScopes = []
      for name in words[1].split(separator: ",", omittingEmptySubsequences: false) {
        guard let scope = AccessScopes.named(name) else {
          throw failure("there is no scope '\(name)'; allowed: serve, write, admin")
        }
        scopes.insert(scope)
      }
      guard words.count < 4 else { throw failure("there are more than three words") }
      guard !entries.contains(where: { $0.digest == digest }) else {
        throw failure("the token stands in an earlier line, too")
      }
      let name = words.count > 2 ? String(words[2]) : "line-\(index + 1)"
      entries.append(
        Entry(digest: digest, grant: AccessGrant(scopes: scopes.widened, key: "token:" + name)))
    }
    guard !entries.isEmpty else {
      throw FeedError(
        .badInput, "\(file): there is no token in it",
        hint: "'cardfeed token' prints a new token and its line")
    }
    self.entries = entries
  }

  /// Who sends this value of the header `Authorization`; nil for nobody. Takes as long for a token
  /// that is known as for one that is not. O(tokens).
  func grant(authorization: String) -> AccessGrant? {
    let bytes = Array(authorization.utf8)
    let scheme = bytes.prefix(7).map { $0 | 0x20 }
    // Setting a letter's sixth bit makes it lower case, and leaves the space as it is.
    guard scheme == Array("bearer ".utf8) else { return nil }
    let token = Array(bytes.dropFirst(7).drop { $0 == UInt8(ascii: " ") })
    guard !token.isEmpty, token.count <= 512 else { return nil }
    let digest = SHA256.digest(of: token)
    var found: AccessGrant?
    for entry in entries {
      var difference: UInt8 = 0
      for index in 0..<32 { difference |= entry.digest[index] ^ digest[index] }
      if difference == 0 { found = entry.grant }
    }
    return found
  }

  /// A new token of 256 random bits, and its line for a file.
  ///
  /// - Parameters:
  ///   - scopes: What it allows.
  ///   - name: What logs and limits call it; nil for none.
  public static func newToken(
    scopes: AccessScopes, name: String? = nil
  ) -> (token: String, line: String) {
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let token = hexadecimal(secret)
    let digest = SHA256.hexadecimal(Array(token.utf8))
    let words = [digest, scopes.names.joined(separator: ",")] + (name.map { [$0] } ?? [])
    return (token, words.joined(separator: " "))
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    let digits = text.utf8.map { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }.compactMap(\.self)
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
