import Foundation
import Testing

@testable import CardFeedAnki

/// Packages: ZIP archives with a collection in them.
@Suite struct AnkiPackageTests {
  private let folder: AnkiFolder

  init() throws { folder = try AnkiFolder() }

  /// What zlib 1.3 made of texts, with the strategies that give each kind of block.
  private static let squares = (0..<120).map { String($0 * $0) }.joined(separator: ",")
  private static let packed: [(text: String, base64: String)] = [
    ("stored", "AQYA+f9zdG9yZWQ="),
    ("card feed card feed card feed", "S04sSlFIS01NUUjGZAEA"),
    (
      String(repeating: "\0", count: 100_000) + "x",
      "7cEhAQAAAAIgZzvfGwYgAQ" + String(repeating: "A", count: 127) + "F51"
    ),
    (
      squares,
      """
      JZHJAcQwCAMb4mEOg+m/sR1lXyZBwCCOuZWteVtcy7Za67Ln5ueYB28VWRSLBE1c3reWUeipRlfF+8pu\
      rN1pa3TNO3wP/x/5RbetvhT6oYM7rVw9PWjuqSmlcVdzWwAtkoHIX4kBwjiicBHHWYs8ZVHHIaMiWtHo\
      31N20aUqkv6Chjzpl0Xn1IwcpuVjbi4EdWApUVXCVwVpNcw12lZr3MM+17VwamMydrXzHUXLvz5kqXLc\
      pKIvtT106Ue/OVfmUDHMtLnMnYFgFpYn61/A90q3aJjfg361BwoiKHGTLfed71Yy68QX15HBjQKbEbur\
      zj1ScclHb1nqT+7G/9Ipz+PK/hhdIvY7ynefrPsdSFfL1QHL238=
      """
    ),
  ]

  @Test(arguments: packed.indices)
  func whatZlibPacksIsUnpacked(index: Int) throws {
    let (text, base64) = Self.packed[index]
    let bytes = Array(try #require(Data(base64Encoded: base64)))
    let content = Array(text.utf8)
    #expect(Inflate.bytes(of: bytes[...], count: content.count) == content)
    // Neither more nor less than was promised.
    #expect(Inflate.bytes(of: bytes[...], count: content.count - 1) == nil)
    #expect(Inflate.bytes(of: bytes[...], count: content.count + 1) == nil)
    for count in bytes.indices {
      #expect(Inflate.bytes(of: bytes.prefix(count), count: content.count) == nil)
    }
  }

  @Test func noBytesMakeItTrap() throws {
    let bytes = Array(try #require(Data(base64Encoded: Self.packed[3].base64)))
    let content = Array(Self.squares.utf8)
    var wrong = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        if Inflate.bytes(of: changed[...], count: content.count) != content { wrong += 1 }
      }
    }
    #expect(wrong > bytes.count * 7)
  }

  private func package(_ files: [(String, [UInt8])]) throws -> String {
    let path = folder.file("deck.apkg")
    try Data(ZIPArchive.bytes(storing: files.map { (name: $0.0, content: $0.1) }))
      .write(to: URL(fileURLWithPath: path))
    return path
  }

  private func sample() throws -> [UInt8] {
    let path = try folder.database("c.anki2", AnkiSample.schema11())
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func theNewestCollectionOfAPackageIsRead() throws {
    let sample = try sample()
    let direct = try AnkiCollection(reading: folder.file("c.anki2"))
    let old = try package([("collection.anki2", sample), ("media", Array("{}".utf8))])
    #expect(try AnkiCollection(reading: old) == direct)
    // The older file of two only tells people to update. A log beside the file makes no difference.
    var logged = sample
    logged[18] = 2
    logged[19] = 2
    let new = try package([("collection.anki2", [1]), ("collection.anki21", logged)])
    #expect(try AnkiCollection(reading: new) == direct)
  }

  @Test func otherPackagesAreRefused() throws {
    let sample = try sample()
    func refused(_ path: String) throws -> String {
      let error = #expect(throws: AnkiError.self) { try AnkiCollection(reading: path) }
      return try #require(error).description
    }
    let zstd = try package([("collection.anki2", sample), ("collection.anki21b", [1])])
    #expect(try refused(zstd).contains("with support for older versions of Anki"))
    #expect(try refused(package([("x", [1])])).contains("without a collection"))
    #expect(
      try refused(package([("collection.anki2", Array("no database".utf8))]))
        .contains("collection in it: SQLite says: file is not a database"))

    let whole = Array(
      try Data(contentsOf: URL(fileURLWithPath: package([("collection.anki2", sample)]))))
    var changed = whole
    changed[5000] ^= 1
    try Data(changed).write(to: URL(fileURLWithPath: folder.file("deck.apkg")))
    #expect(try refused(folder.file("deck.apkg")).contains("collection.anki2: the file is damaged"))
    for count in stride(from: 4, to: whole.count, by: 997) {
      try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: folder.file("deck.apkg")))
      #expect(try refused(folder.file("deck.apkg")).contains("found a damaged ZIP archive"))
    }
  }

  @Test func aPackageIsWrittenAndReadAgain() throws {
    let study = StudyFiles(
      cards: [.init(id: "1", prompt: "p", answer: "a")],
      answers: [.init(card: "1", grade: .good, time: 1_700_000_000_000)])
    let collection = try AnkiCollection(study, at: 1_710_000_000_000, file: "s")
    let path = folder.file("new.apkg")
    try collection.write(to: path, at: 1_710_000_000_000)
    #expect(StudyFiles(try AnkiCollection(reading: path)).answers == study.answers)
    #expect(try folder.names == ["new.apkg"])
    let archive = try #require(ZIPArchive(Array(Data(contentsOf: URL(fileURLWithPath: path)))))
    #expect(archive.names == ["collection.anki2", "media"])
    #expect(archive.file("media") == Array("{}".utf8))
  }

  @Test func theChecksumOfAFirstFieldIsSHA1() {
    // FIPS 180-4, examples: "abc", and a message of two blocks; and of none.
    #expect(SHA1.beginning(of: Array("abc".utf8)) == 0xa999_3e36)
    #expect(
      SHA1.beginning(
        of: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)) == 0x8498_3e44)
    #expect(SHA1.beginning(of: []) == 0xda39_a3ee)
  }
}
