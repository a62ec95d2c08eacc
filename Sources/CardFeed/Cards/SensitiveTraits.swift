/// Traits that are scored only where a configuration names them.
///
/// A trait is sensitive when its name says so: what it is about is all that is known of a trait. Over-
/// caution costs a name in a configuration, the opposite would cost more. A host that codes such
/// things under names that say nothing has to leave them out of the records.
public enum SensitiveTraits {
  /// Parts of names, in lower case, that make a trait sensitive.
  public static let words = [
    "race", "racial", "ethnic", "relig", "faith", "belief", "orientation", "sexual", "politic",
    "health", "disab", "nationality", "union",
  ]

  /// Whether the name of a trait tells that it is sensitive. O(length).
  public static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return words.contains { name.contains($0) }
  }
}

extension String {
  /// The standard library's own `contains` for texts needs a newer run-time than some machines have.
  fileprivate func contains(_ part: String) -> Bool {
    let bytes = Array(utf8)
    let sought = Array(part.utf8)
    guard sought.count <= bytes.count else { return false }
    return (0...bytes.count - sought.count).contains { start in
      bytes[start..<start + sought.count].elementsEqual(sought)
    }
  }
}
