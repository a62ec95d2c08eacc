internal import CardFeed

extension FeedConfiguration {
  /// Reads a configuration in two passes: first the text, then what it means.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - file: What error texts call it.
  ///   - plugins: The decks, strategies and stores that it may ask for.
  /// - Throws: A `ConfigurationError` with every problem at once. A syntax error ends the first
  ///   pass and is the only one.
  public init(
    parsing bytes: [UInt8], file: String, plugins: PluginSet
  ) throws(ConfigurationError) {
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, plugins: plugins, &reader)
    }
  }

  /// Reads a configuration that is a JSON value already, as one inside an experiment.
  public init(
    _ value: JSONValue, file: String, plugins: PluginSet
  ) throws(ConfigurationError) {
    let document = JSONDocument(root: value, duplicateKeys: [])
    self = try ConfigurationReader.read(document, file: file) { root, reader in
      Self.decode(root, plugins: plugins, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, plugins: PluginSet, _ reader: inout ConfigurationReader
  ) -> FeedConfiguration? {
    guard let object = reader.object(root, at: .root) else { return nil }
    reader.checkKeys(of: object, at: .root, known: keys)
    checkVersion(object, root, &reader)
    guard let deck = deck(object, root, plugins: plugins, &reader) else { return nil }
    let strategies =
      plugins.descriptions(for: deck.plugin) + plugins.stores.map(\.description)
    // What the file does not say, the deck says; what the deck does not say, CardFeed says.
    let deckDefaults = deck.plugin.defaults.object ?? [:]
    func value(_ key: String) -> JSONValue? {
      object[key] ?? deckDefaults[key] ?? defaults[key]
    }

    let store = value("store").flatMap {
      reader.strategy($0, .store, at: .root.appending("store"), strategies: strategies)
    }
    let options = options(object, &reader)
    let variantValues = value("variants") ?? []
    let base = pipeline(value, at: JSONPath.root, strategies: strategies, &reader)
    let variants = variants(
      variantValues, base: value, strategies: strategies, &reader)
    let salt = value("salt")?.string
    if salt == nil {
      reader.report(
        "wrong value", at: .root.appending("salt"), value("salt")?.location,
        found: value("salt")?.kind.description, allowed: "a text")
    }
    guard let store, let options, let base, let variants, let salt else { return nil }

    var decides = base.effective.members.map { ($0.key, $0.value) }
    let variantJSON = variants.map { variant in
      JSONValue(
        JSONObject([
          ("name", JSONValue(variant.name)), ("share", JSONValue(orNull: variant.share)),
          ("set", JSONValue(variant.pipeline.effective)),
        ]))
    }
    decides += [("variants", JSONValue(variantJSON)), ("salt", JSONValue(salt))]
    let head: [(String, JSONValue)] = [
      ("version", 1), ("deck", JSONValue(deck.name)), ("store", store.effective),
      ("seed", JSONValue(options.seed)), ("sessions", JSONValue(options.sessions)),
      ("trace", ["share": JSONValue(orNull: options.traceShare)]),
    ]
    return FeedConfiguration(
      deck: deck.name, store: store, options: options, base: base, variants: variants,
      salt: salt, effective: JSONValue(JSONObject(head + decides)),
      fingerprint: fingerprint(of: JSONValue(JSONObject(decides))))
  }

  private static func checkVersion(
    _ object: JSONObject, _ root: JSONValue, _ reader: inout ConfigurationReader
  ) {
    guard let version = object["version"] else {
      return reader.report(
        "missing key \"version\"", at: .root, root.location, allowed: "1")
    }
    if version.int64 != 1 {
      reader.report(
        "unknown version", at: .root.appending("version"), version.location,
        found: version.number?.text ?? version.kind.description, allowed: "1")
    }
  }

  private static func deck(
    _ object: JSONObject, _ root: JSONValue, plugins: PluginSet,
    _ reader: inout ConfigurationReader
  ) -> (name: String, plugin: any DeckPlugin)? {
    let names = plugins.deckNames
    let allowed = names.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let value = object["deck"] else {
      reader.report(
        "missing key \"deck\", so that nothing else could be checked", at: .root, root.location,
        allowed: allowed)
      return nil
    }
    let path = JSONPath.root.appending("deck")
    guard let name = value.string else {
      reader.report(
        "must be the name of a deck", at: path, value.location, found: value.kind.description,
        allowed: allowed)
      return nil
    }
    guard let plugin = plugins.deck(named: name) else {
      reader.report(
        "unknown deck \"\(name)\", so that nothing else could be checked", at: path,
        value.location, allowed: allowed, nearest: nearestName(to: name, in: names))
      return nil
    }
    return (name, plugin)
  }

  private static func options(
    _ object: JSONObject, _ reader: inout ConfigurationReader
  ) -> FeedOptions? {
    let own = JSONObject(
      object.members.filter { member in optionParameters.contains { $0.name == member.key } }
        .map { ($0.key, $0.value) })
    let path = JSONPath.root
    let decoded = reader.parameters(own, at: path, nil, by: optionParameters, strategies: [])
    let traceValue = object["trace"] ?? [:]
    let trace = reader.object(traceValue, at: path.appending("trace")).flatMap {
      reader.parameters(
        $0, at: path.appending("trace"), traceValue.location, by: traceParameters,
        strategies: [])
    }
    guard let decoded, let trace else { return nil }
    return FeedOptions(
      seed: UInt64(decoded.parameters.integer("seed")),
      sessions: decoded.parameters.integer("sessions"),
      traceShare: trace.parameters.number("share"))
  }
}
