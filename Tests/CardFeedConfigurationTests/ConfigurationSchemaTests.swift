import CardFeedConfiguration
import CardFeedStandardPlugins
import Foundation
import Testing

/// The JSON Schema: verbatim, and in the judgement of a validator that is not ours.
@Suite struct ConfigurationSchemaTests {
  /// `CARDFEED_REGENERATE=1 swift test --filter ConfigurationSchemaTests` writes the file anew; read
  /// the difference before it is committed.
  @Test func theSchemaIsTheGoldenOne() throws {
    let bytes = ConfigurationSchema.document(plugins: .plain).bytes(.pretty) + [0x0a]
    let text = String(decoding: bytes, as: UTF8.self)
    let file = TestFiles.golden("configuration.schema.json")
    if TestFiles.regenerates {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, pair) in zip(lines, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("line \(line + 1) is '\(pair.0)', the golden one is '\(pair.1)'")
    }
    #expect(lines.count == expected.count)
  }

  /// Reads a schema and texts, one JSON text a line; prints 1 for each text that is valid, else 0.
  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema, *texts = [json.loads(line) for line in sys.stdin]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    print("".join("1" if validator.is_valid(text) else "0" for text in texts))
    """

  private func verdicts(of texts: [String], plugins: PluginSet) throws -> [Bool]? {
    let import2020 = "from jsonschema import Draft202012Validator"
    guard try TestFiles.python(import2020, input: "") != nil else {
      print("skipped: no jsonschema")
      return nil
    }
    // One line each: the texts of the corpus have line feeds.
    let lines =
      [ConfigurationSchema.document(plugins: plugins).description]
      + texts.map {
        $0.replacing("\n", with: " ")
      }
    let output = try #require(
      try TestFiles.python(Self.script, input: lines.joined(separator: "\n") + "\n"))
    let verdicts = output.filter { $0 != "\n" }.map { $0 == "1" }
    #expect(verdicts.count == texts.count)
    return verdicts
  }

  @Test func aValidatorJudgesAsTheDecoderDoes() throws {
    let examples = try TestFiles.examples().map { try String(contentsOf: $0, encoding: .utf8) }
    let right = ConfigurationCorpus.right.map(\.text) + examples
    let wrong = ConfigurationCorpus.wrong
    guard let verdicts = try verdicts(of: right + wrong.map(\.text), plugins: .plain) else {
      return
    }
    for (text, isValid) in zip(right, verdicts) { #expect(isValid, "\(text)") }
    for (case_, isValid) in zip(wrong, verdicts.dropFirst(right.count)) {
      #expect(isValid == case_.isBeyondSchema, "\(case_.name)")
    }
  }

  @Test func whatTheDecoderSpellsOutIsValid() throws {
    let texts = try ConfigurationCorpus.right.map {
      try FeedConfiguration($0.text).effective.description
    }
    guard let verdicts = try verdicts(of: texts, plugins: .plain) else { return }
    for (text, isValid) in zip(texts, verdicts) { #expect(isValid, "\(text)") }
  }

  @Test func aSchemaOfTwoDecksRefersToTheDefinitionsOfEach() throws {
    let toy = #"{"version": 1, "deck": "toy", "sources": [{"use": "all"}], "#
    let texts = [
      #"{"version": 1, "deck": "dating", "matchProbability": {"use": "elo-two-scale"}}"#,
      toy + #""match": {"use": "mutual-like"}}"#,
      toy + #""match": {"use": "mutual-like"}, "matchProbability": {"use": "elo-two-scale"}}"#,
      #"{"version": 1, "deck": "other"}"#,
    ]
    guard let verdicts = try verdicts(of: texts, plugins: .withToy) else { return }
    #expect(verdicts == [true, true, false, false])
    for (text, isValid) in zip(texts, verdicts) {
      #expect(FeedConfiguration.problems(of: text, plugins: .withToy).isEmpty == isValid)
    }
  }
}
