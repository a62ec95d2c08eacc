import CardFeedVectorFiles
import Foundation
import Testing

@Suite("Files of vectors")
struct VectorFileTests {
  private func table(_ ids: [UInt8], _ vectors: [UInt8]) throws -> VectorTable {
    let scratch = try ModelScratch()
    return try VectorTable(
      ids: scratch.write(ids, to: "ids.npy"), vectors: scratch.write(vectors, to: "vec.npy"))
  }

  @Test func whatIsWrittenIsMapped() throws {
    let table = try table(
      NumPyFile.bytes(of: [2, 5, 1 << 40]), NumPyFile.bytes(of: [1, 2, 3, 4, 5, 6], columns: 2))
    try table.check("vec.npy")
    #expect(table.count == 3 && table.dimension == 2)
    #expect(table.numbers == [2, 5, 1 << 40])
    #expect(
      [0, 2, 3, 5, 6, 1 << 40, .max].map { table.row(of: $0) } == [nil, 0, nil, 1, nil, 2, nil])
    #expect(table.vector(at: 2) == [5, 6])
    let products = table.products(of: [1, -1], with: [5, 7, 2])
    #expect(products[0] == -1 && products[1].isNaN && products[2] == -1)
  }

  /// The bytes that NumPy 2.4 writes for `numpy.save(file, numpy.array([[1.5, -2]], dtype="<f4"))`.
  @Test func bytesAreNumPys() throws {
    let header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }"
      + String(repeating: " ", count: 58) + "\n"
    let expected: [UInt8] =
      [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(header.utf8)
      + [0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0]
    #expect(NumPyFile.bytes(of: [1.5, -2], columns: 2) == expected)
  }

  @Test func tablesThatDoNotFitAreRefused() throws {
    func refused(_ ids: [UInt8], _ vectors: [UInt8], _ text: String) {
      let error = #expect(throws: VectorFileError.self) {
        try table(ids, vectors).check("vec.npy")
      }
      #expect(error?.description.contains(text) ?? false, "\(String(describing: error))")
    }
    let (ids, vectors) = (
      NumPyFile.bytes(of: [1, 2]), NumPyFile.bytes(of: [1, 2, 3, 4], columns: 2)
    )
    refused(NumPyFile.bytes(of: [1, 2, 3]), vectors, "2 vectors for 3 numbers")
    refused(NumPyFile.bytes(of: [2, 1]), vectors, "not in order")
    refused(NumPyFile.bytes(of: [1, 1]), vectors, "not in order")
    refused(NumPyFile.bytes(of: [0, 1]), vectors, "not in order")
    refused(ids, NumPyFile.bytes(of: [1, 2, .nan, 4], columns: 2), "not finite")
    refused(ids, NumPyFile.bytes(of: [1, 2, 3, .infinity], columns: 2), "not finite")
    refused(vectors, vectors, "no numbers of cards")
    refused(ids, ids, "no vectors")
  }

  /// Cut anywhere, or with another byte anywhere in the header, a file is refused or read, and never
  /// trapped over.
  @Test func damagedFilesAreRefused() throws {
    let scratch = try ModelScratch()
    let whole = NumPyFile.bytes(of: [1, 2, 3])
    for length in 0..<whole.count {
      let path = try scratch.write(Array(whole.prefix(length)), to: "cut.npy")
      #expect(throws: VectorFileError.self) { _ = try NumPyFile(path: path) }
    }
    var refused = 0
    for place in 0..<128 {
      for byte in [0, 0x20, 0x27, 0x39, 0xff] as [UInt8] {
        var changed = whole
        changed[place] = byte
        let path = try scratch.write(changed, to: "changed.npy")
        do { _ = try NumPyFile(path: path) } catch { refused += 1 }
      }
    }
    #expect(refused > 128)
    let tooMuch = String(decoding: whole[10..<128], as: UTF8.self)
      .replacing("(3,)", with: "(4611686018427387904, 4)")
    let header = Array(tooMuch.utf8.prefix(117)) + [0x0a]
    let path = try scratch.write(Array(whole[..<10]) + header, to: "huge.npy")
    let error = #expect(throws: VectorFileError.self) { _ = try NumPyFile(path: path) }
    #expect(error?.reason.contains("more elements than there can be") ?? false)
    #expect(throws: VectorFileError.self) { _ = try NumPyFile(path: scratch.path) }
    #expect(throws: VectorFileError.self) { _ = try NumPyFile(path: scratch.path + "/none") }
  }

  @Test func anotherModelIsTakenAndABrokenOneIsNot() throws {
    let scratch = try ModelScratch()
    let models = VectorModelFolder(path: scratch.path)
    #expect(try models.current() == nil)
    try scratch.writeModel("1", cards: [(7, [1, 0])], viewers: [(8, [1, 1])])
    try models.publish(1)
    #expect(try models.current()?.version == 1)
    try scratch.writeModel("2", cards: [(7, [2, 0]), (9, [0, 1])], viewers: [(8, [1, 1])])
    #expect(try models.current()?.version == 1)
    try models.publish(2)
    #expect(try models.current()?.model.cards.count == 2)
    // The third one has another dimension than it says: the second goes on serving.
    try scratch.writeModel("3", cards: [(7, [1, 0])], viewers: [(8, [1, 1])], dimension: 3)
    try models.publish(3)
    #expect(try models.current()?.version == 2)
    #expect(models.failure?.reason.contains("another dimension") ?? false)
    try scratch.write(Array("{\"model_version\": 0}".utf8), to: "current.json")
    #expect(try models.current()?.version == 2)
    try scratch.writeModel("4", cards: [(7, [3, 0])], viewers: [(8, [1, 1])])
    try models.publish(4)
    #expect(try models.current()?.version == 4)
    #expect(models.failure == nil)
    // Who comes after a broken one has nothing to go on with, and says why.
    try models.publish(3)
    #expect(throws: VectorFileError.self) {
      _ = try VectorModelFolder(path: scratch.path).current()
    }
  }

  @Test(arguments: [
    ("{", "no JSON"), ("{}", "another format"),
    (#"{"format": "cardfeed-vectors/2"}"#, "another format"),
    (#"{"format": "cardfeed-vectors/1"}"#, "trained on"),
    (
      #"{"format": "cardfeed-vectors/1", "export": {"deck": "toy", "position": 1, "sha256": "x"}}"#,
      "no dimension"
    ),
  ]) func manifestsThatSayTooLittleAreRefused(text: String, expected: String) {
    let error = #expect(throws: VectorFileError.self) {
      _ = try VectorModelManifest(parsing: Array(text.utf8), path: "manifest.json")
    }
    #expect(error?.reason.contains(expected) ?? false, "\(String(describing: error))")
  }

  @Test func aProgramGetsTheTwoFoldersAndItsFailureIsSaid() async throws {
    let scratch = try ModelScratch()
    let trainer = ProgramTrainer(
      command: "printf '%s' > \(ProgramTrainer.quoted(scratch.path + "/x"))")
    try await trainer.train(on: "a 'b", into: "$HOME")
    #expect(try String(contentsOfFile: scratch.path + "/x", encoding: .utf8) == "a 'b$HOME")
    await #expect(throws: VectorFileError.self) {
      try await ProgramTrainer(command: "false").train(on: "a", into: "b")
    }
  }
}
