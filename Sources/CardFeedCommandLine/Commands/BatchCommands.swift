internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedExperiments
internal import CardFeedVectorFiles
internal import Glibc

/// Training on an engine for large data: out with the answers, in with the vectors.
extension Tool {
  static var modelsFolder: CommandOption {
    .value(
      "into", "FOLDER", "The folder of models that the configuration names.", isRequired: true)
  }

  var datasetExportCommand: Command {
    Command(
      name: "export", summary: "Writes every answer of a store as a table, for a batch training.",
      discussion: """
        DIR/interactions.csv has the columns viewer, item, answer, meaning (1, 0, -1) and time, in the \
        order of the log; viewers and items are the store's own numbers. DIR/export.json has its \
        checksum. Only reads; servers may go on. Parquet is made of the table by python3 with pyarrow.
        """,
      options: [
        Self.configuration, .value("out", "DIR", "Where the files go.", isRequired: true),
        .value("format", "FORMAT", "The table's.", default: "csv", allowed: ["csv", "parquet"]),
      ]
    ) { arguments, context in
      let folder = arguments.value("out") ?? ""
      let export = try await exportAnswers(arguments, to: folder, context)
      if arguments.value("format") == "parquet" { try Self.makeParquet(in: folder) }
      try context.print(
        "\(folder): \(export.answers) answers up to event \(export.position.rawValue), checksum "
          + export.checksum)
      return .fine
    }
  }

  var importModelCommand: Command {
    Command(
      name: "import-model",
      summary: "Checks vectors that a batch training made, and puts them to use.",
      discussion: """
        MODEL is a folder with ids.npy, vec.npy, viewer_ids.npy, viewer_vec.npy and manifest.json. \
        Checksums, shapes, order and finiteness are checked, and with --config whether the model was \
        trained on this deck and store; then the files are copied beside the models that were there, \
        and FOLDER/current.json names the new one. Servers go over to it by themselves. Whatever is \
        wrong, the model in use goes on serving.
        """,
      arguments: [CommandArgument("MODEL", "The folder of the model.")],
      options: [
        Self.modelsFolder,
        .value("config", short: "c", "FILE", "The feed configuration whose store it belongs to."),
      ]
    ) { arguments, context in
      let configuration = try arguments.value("config").map { try readConfiguration($0) }
      return try await importModel(
        arguments.required("MODEL"), into: arguments.value("into") ?? "", configuration, context)
    }
  }

  var batchTrainCommand: Command {
    Command(
      name: "batch-train",
      summary: "Exports answers, runs a training program, and takes its model.",
      discussion: """
        PROGRAM is run by a shell with two more arguments: the folder of the export and the one where \
        the model goes, such as "python3 Scripts/train-als.py --rank 64". Both are removed afterwards.
        """,
      options: [
        Self.configuration, Self.modelsFolder,
        .value("program", "PROGRAM", "What trains.", isRequired: true),
      ]
    ) { arguments, context in
      let into = arguments.value("into") ?? ""
      try FileSystem.makeDirectory(into)
      let scratch = "\(into)/training.unfinished"
      Self.removeFolder(scratch)
      try FileSystem.makeDirectory(scratch + "/export")
      defer { Self.removeFolder(scratch) }
      let export = try await exportAnswers(arguments, to: scratch + "/export", context)
      context.note("\(export.answers) answers exported")
      let trainer = ProgramTrainer(command: arguments.value("program") ?? "") { context.note($0) }
      try await trainer.train(on: scratch + "/export", into: scratch + "/model")
      return try await importModel(
        scratch + "/model", into: into,
        try readConfiguration(arguments.value("config") ?? ""), context)
    }
  }

  private func exportAnswers(
    _ arguments: ParsedArguments, to folder: String, _ context: CommandContext
  ) async throws -> AnswerExport {
    let configuration = try readConfiguration(arguments.value("config") ?? "")
    try FileSystem.makeDirectory(folder)
    let store = try await configuration.openStore(plugins: plugins)
    let progress = ProgressReporter("export", total: nil, context: context)
    do {
      let export = try await AnswerExport.write(
        store, deck: configuration.deck, folder: folder
      ) { progress.update(done: $0, total: $1) }
      progress.finish()
      try await store.close()
      return export
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await store.close()
      throw error
    }
  }

  private static func makeParquet(in folder: String) throws {
    let script =
      "import sys; import pyarrow.csv as c, pyarrow.parquet as p; "
      + "p.write_table(c.read_csv(sys.argv[1]), sys.argv[2])"
    do throws(VectorFileError) {
      try ProgramTrainer(command: "python3 -c \(ProgramTrainer.quoted(script))").run(
        arguments: ["interactions.csv", "interactions.parquet"].map { folder + "/" + $0 })
    } catch {
      throw FeedError(
        .badInput, "the table cannot be made into Parquet: \(error)",
        hint: "install pyarrow for python3, or take the CSV, which is there")
    }
  }

  private static func removeFolder(_ path: String) {
    for part in ["export", "model", ""] {
      let folder = part.isEmpty ? path : path + "/" + part
      guard let directory = opendir(folder) else { continue }
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink(folder + "/" + name) }
      }
      closedir(directory)
      rmdir(folder)
    }
  }
}
