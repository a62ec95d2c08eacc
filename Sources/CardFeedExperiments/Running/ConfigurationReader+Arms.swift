internal import CardFeedConfiguration

extension ConfigurationReader {
  /// Reads the arms of an experiment, whatever an arm is made of: a list that is not empty, of objects
  /// with names of their own.
  ///
  /// - Parameters:
  ///   - object: The experiment.
  ///   - root: Its document.
  ///   - read: Makes an arm of an object at a place; nil where it has reported a problem.
  /// - Returns: The arms; nil, and a report, where one of them is wrong.
  mutating func arms<Arm>(
    of object: JSONObject, _ root: JSONValue,
    read: (inout ConfigurationReader, JSONObject, JSONValue, JSONPath) -> Arm?
  ) -> [Arm]? {
    let path = JSONPath.root.appending("arms")
    guard let value = object["arms"], let elements = value.array, !elements.isEmpty else {
      report(
        "must be a list of one or more arms", at: path,
        object["arms"]?.location ?? root.location,
        found: object["arms"]?.kind.description ?? "nothing", allowed: "a list of arms")
      return nil
    }
    var arms: [Arm] = []
    var names = Set<String>()
    for (index, element) in elements.enumerated() {
      let place = path.appending(index)
      guard let object = self.object(element, at: place) else { continue }
      if let name = object["name"], let text = name.string, !names.insert(text).inserted {
        report(
          "two arms are called \"\(text)\"", at: place.appending("name"), name.location,
          allowed: "a name of its own for each arm")
      }
      if let arm = read(&self, object, element, place) { arms.append(arm) }
    }
    return arms.count == elements.count ? arms : nil
  }
}
