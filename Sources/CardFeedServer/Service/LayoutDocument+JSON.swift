internal import CardFeedConfiguration
internal import CardFeedLayout

extension LayoutDocument {
  /// The document as its `Codable` conformance would write it, without Foundation.
  var json: JSONValue {
    func numbers(_ values: [Double]) -> JSONValue {
      JSONValue(values.map { JSONValue(orNull: $0) })
    }
    return [
      "name": JSONValue(name), "summary": JSONValue(summary), "policy": JSONValue(policy),
      "directions": JSONValue(directions.map { JSONValue($0.rawValue) }),
      "anchor": ["x": JSONValue(orNull: anchor.x), "y": JSONValue(orNull: anchor.y)],
      "constants": JSONValue(
        constants.map {
          [
            "name": JSONValue($0.name), "value": JSONValue(orNull: $0.value),
            "unit": JSONValue($0.unit.rawValue),
          ]
        }),
      "roles": JSONValue(roles.map { JSONValue($0.rawValue) }),
      "samples": JSONValue(
        samples.map {
          ["distance": JSONValue(orNull: $0.distance), "layer": Self.json($0.layer)]
        }), "spring": numbers(spring), "jitter": numbers(jitter),
    ]
  }

  private static func json(_ layer: Layer) -> JSONValue {
    [
      "scale": JSONValue(orNull: layer.scale), "offsetX": JSONValue(orNull: layer.offsetX),
      "offsetY": JSONValue(orNull: layer.offsetY), "rotation": JSONValue(orNull: layer.rotation),
      "alpha": JSONValue(orNull: layer.alpha), "z": JSONValue(orNull: layer.z),
    ]
  }
}
