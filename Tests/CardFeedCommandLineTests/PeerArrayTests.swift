import CardFeedExperiments
import Testing

@testable import CardFeedCommandLine

@Suite("Arrays as NumPy writes them")
struct PeerArrayTests {
  private func file(
    _ description: String, _ shape: String, _ bytes: [UInt8], order: String = "False"
  ) -> [UInt8] {
    let header = Array(
      "{'descr': '\(description)', 'fortran_order': \(order), 'shape': \(shape), }\n".utf8)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.count), 0] + header + bytes
  }

  private func array(_ bytes: [UInt8]) throws -> PeerArray {
    let folder = try ScratchFolder()
    let path = folder.file("array.npy")
    try FileSystem.write(bytes, to: path)
    return try PeerArray(path: path)
  }

  private let floats = [Float(1.5), -2, 0.25, 8].flatMap { number in
    (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt32($0))) }
  }

  @Test func vectorsAndFiltersAreRead() throws {
    let vectors = try array(file("<f4", "(2, 2)", floats)).vectors()
    #expect(vectors.count == 2)
    #expect(vectors.dimension == 2)
    #expect(vectors[1] == [0.25, 8])
    #expect(try array(file("|u1", "(3,)", [0, 1, 1])).bools() == [false, true, true])
  }

  @Test func whatDoesNotFitIsRefused() {
    #expect(throws: PeerArray.Problem.self) { try array([1, 2, 3]) }
    #expect(throws: PeerArray.Problem.self) { try array(Array(file("<f4", "(2, 2)", [])[..<30])) }
    #expect(throws: PeerArray.Problem.self) {
      try array(file("<f4", "(2, 2)", floats, order: "True"))
    }
    for (description, shape) in [
      ("<f8", "(2, 2)"), ("<f4", "(2, 3)"), ("<f4", "(4,)"), ("<f4", "(4, 0)"),
    ] {
      #expect(throws: PeerArray.Problem.self) {
        try array(file(description, shape, floats)).vectors()
      }
    }
    #expect(throws: PeerArray.Problem.self) { try array(file("|u1", "(4,)", [1, 2])).bools() }
    #expect(throws: PeerArray.Problem.self) { try array(file("<f4", "(1,)", floats)).bools() }
  }
}
