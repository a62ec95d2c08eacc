internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments
internal import CardFeedVectorFiles
internal import Glibc

extension Tool {
  /// Checks a model, copies it into a folder of models and puts it to use.
  func importModel(
    _ source: String, into folder: String, _ configuration: FeedConfiguration?,
    _ context: CommandContext
  ) async throws -> ExitStatus {
    let model = try VectorModel(folder: source)
    var contents: [(name: String, bytes: [UInt8])] = []
    for name in VectorModel.files + [VectorModel.manifestFile] {
      let bytes = try FileSystem.read(source + "/" + name)
      if name != VectorModel.manifestFile {
        let found = SHA256.hexadecimal(bytes)
        guard found == model.manifest.files[name] else {
          throw VectorFileError(
            source + "/" + name, "the checksum is not the manifest's", found: found,
            allowed: model.manifest.files[name] ?? "")
        }
      }
      contents.append((name, bytes))
    }
    try model.check()
    if let configuration { try await check(model, source, against: configuration, context) }

    try FileSystem.makeDirectory(folder)
    let models = VectorModelFolder(path: folder)
    let version = try Self.nextVersion(in: models)
    let target = models.folder(of: version)
    try FileSystem.makeDirectory(target)
    for (name, bytes) in contents { try FileSystem.write(bytes, to: target + "/" + name) }
    // What was copied is what will be served.
    try VectorModel(folder: target).check()
    try models.publish(version)
    try context.print(
      "\(folder): model \(version), \(model.cards.count) cards and \(model.viewers.count) viewers "
        + "with \(model.manifest.dimension) numbers each")
    return .fine
  }

  /// The first number above that of the model in use under which nothing lies.
  private static func nextVersion(
    in models: VectorModelFolder
  ) throws(VectorFileError) -> Int64 {
    var version = (try models.publishedVersion() ?? 0) + 1
    while access(models.folder(of: version), F_OK) == 0 { version += 1 }
    return version
  }

  /// Refuses a model of another deck or store.
  private func check(
    _ model: VectorModel, _ source: String, against configuration: FeedConfiguration,
    _ context: CommandContext
  ) async throws {
    func refuse(_ reason: String, _ found: String, _ allowed: String) -> VectorFileError {
      VectorFileError(
        source + "/" + VectorModel.manifestFile, reason, found: found, allowed: allowed)
    }
    guard model.manifest.deck == configuration.deck else {
      throw refuse(
        "the model belongs to another deck", "'\(model.manifest.deck)'",
        "'\(configuration.deck)'")
    }
    let store = try await configuration.openStore(plugins: plugins)
    do {
      let last = try await store.lastPosition()
      guard model.manifest.position <= last.rawValue else {
        throw refuse(
          "the model was trained on events that this store does not have",
          "event \(model.manifest.position)", "\(last.rawValue) at most: a model of this store")
      }
      var unknown = 0
      for table in [model.cards, model.viewers] {
        for chunk in table.numbers.chunks(of: 4096) {
          let ids = try await store.ids(for: chunk.map { CardNumber($0) })
          unknown += ids.count { $0 == nil }
        }
      }
      if unknown > 0 {
        context.note(
          "\(unknown) numbers of the model are not, or not any more, in the store; nobody is asked "
            + "about them")
      }
      try await store.close()
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await store.close()
      throw error
    }
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
