public import CardFeedConfiguration

/// The files and texts of an experiment's result.
public struct ExperimentReport: Sendable {
  /// The result.
  public let result: ExperimentResult

  /// A report of a result.
  public init(_ result: ExperimentResult) { self.result = result }

  /// One object: experiment, fingerprint, data, seed, and for each arm its figures by name.
  public var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("experiment", JSONValue(result.experiment)),
      ("fingerprint", JSONValue(result.fingerprint)),
      (
        "data",
        [
          "set": JSONValue(result.dataSet), "checksum": JSONValue(result.dataChecksum),
          "people": JSONValue(result.people), "pairs": JSONValue(result.pairs),
          "matches": result.matches.map { JSONValue($0) } ?? .null,
          "predictions": result.predictionsChecksum.map { JSONValue($0) } ?? .null,
        ]
      ), ("seed", JSONValue(result.seed)), ("arms", JSONValue(result.arms.map(json))),
    ]
    if !result.differences.isEmpty {
      members.append(("differences", JSONValue(result.differences.map(json))))
    }
    if !result.choices.isEmpty {
      members.append(
        (
          "choices",
          JSONValue(
            result.choices.map {
              [
                "arm": JSONValue($0.arm), "parameters": JSONValue($0.parameters),
                "validation-ndcg@10": JSONValue(orNull: $0.validation),
              ]
            })
        ))
    }
    return JSONValue(JSONObject(members))
  }

  private func json(_ difference: ExperimentResult.Difference) -> JSONValue {
    [
      "arm": JSONValue(difference.arm), "against": JSONValue(difference.against),
      "metric": JSONValue(difference.metric.description),
      "value": JSONValue(orNull: difference.figure.value), "interval": interval(difference.figure),
    ]
  }

  private func interval(_ figure: ExperimentResult.Figure) -> JSONValue {
    figure.interval.map {
      [JSONValue(orNull: $0.lowerBound), JSONValue(orNull: $0.upperBound)]
    } ?? .null
  }

  /// The object of `json`, with the compiler and the machine: the result file.
  public func file(build: BuildFacts) -> JSONValue {
    guard var object = json.object else { return json }
    object["compiler"] = JSONValue(build.compiler)
    object["machine"] = JSONValue(build.machine)
    return JSONValue(object)
  }

  private func json(_ arm: ExperimentResult.Arm) -> JSONValue {
    let metrics = arm.figures.map { metric, figure in
      return (
        metric.description,
        ["value": JSONValue(orNull: figure.value), "interval": interval(figure)] as JSONValue
      )
    }
    return [
      "name": JSONValue(arm.name), "fingerprint": JSONValue(arm.fingerprint),
      "seeds": JSONValue(arm.seeds), "metrics": JSONValue(JSONObject(metrics)),
    ]
  }
}

/// What a figure depends on besides code and data: in result files, never in the figures.
public struct BuildFacts: Sendable, Equatable {
  /// The compiler.
  public let compiler: String
  /// The kind of machine.
  public let machine: String

  /// Names a compiler and a machine.
  public init(compiler: String, machine: String) {
    self.compiler = compiler
    self.machine = machine
  }
}
