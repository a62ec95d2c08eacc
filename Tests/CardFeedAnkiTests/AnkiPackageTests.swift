import CZstd
import Foundation
import Testing

@testable import CardFeedAnki

/// Packages: ZIP archives with a collection in them.
@Suite struct AnkiPackageTests {
  private let folder: AnkiFolder

  init() throws { folder = try AnkiFolder() }

  /// One card in a deck A::B, as Python's zipfile and the program zstd pack it: the form of 2015, with
  /// DEFLATE, and the form of 2022.
  private static let packed: [String] = [
    """
      UEsDBBQAAAAAAAAAIQAxs7zjGQAAABkAAAAFAAAAbWVkaWF7IjAiOiJhLm1wMyIsIjEiOiJiLnBuZyJ9UEsDBBQAAA\
      AAAAAAIQDl1F0/AwAAAAMAAAAQAAAAY29sbGVjdGlvbi5hbmtpMm9sZFBLAwQUAAAACAAAACEAroOGDtEBAAAACgAA\
      EQAAAGNvbGxlY3Rpb24uYW5raTIx7VLPa9RAFJ6XH5sEUQ/rEnoQ45y6OIjSi+TS7tatCL3YFkGkyDSZrKGTnW1msi\
      Ah4EI9+Q/5B6hX/woPHv0PnEmqdk9e9GL3472XeR953zfw5vDZfq5YlImyoCraQhYCQDtRhBAKdLroN8zZudQD+jMC\
      dD+B6+3gJwSf4R3c1oe/jeeOF25swNJT9ISzki24mHbV3T2YjI4m0dFovD+JOm4zT0mik1HJSL7ghFOpnupvRhMlSq\
      LyghH1Zs6Gme2FYQjLe61uQstUtsVZUW0pIzrTmeoUZUoKkbYa5KxiFSNp1VmVbC6131wySYQhhR4Ybls94/OqtZkJ\
      xWRb7BWbljI200qXQqeiU0kynsrhI+iF/T686O4puA5r9Y6Cby5YSZJSmasxLknKklM5NLsByJGONf4llregB87yCb\
      vGDj68rfFDHNfYvBAcPyDYbBHHL2s8o4Vm8B5uyK9mjJtjglUx590/Z1mhNF3Xe02DCaY/27Fum+OmuRC/mH7MMlpx\
      pQXx1iV6FMdat+n2/w3pWON/xkA/v5tB/647jVSUlWKm7pzQ5HS9/yuCAdwAAN/x/cA38FybHX5H6/1fEQwgcAEC37\
      J8eP/l62vk2cFH+/wHUEsBAhQDFAAAAAAAAAAhADGzvOMZAAAAGQAAAAUAAAAAAAAAAAAAAIABAAAAAG1lZGlhUEsB\
      AhQDFAAAAAAAAAAhAOXUXT8DAAAAAwAAABAAAAAAAAAAAAAAAIABPAAAAGNvbGxlY3Rpb24uYW5raTJQSwECFAMUAA\
      AACAAAACEAroOGDtEBAAAACgAAEQAAAAAAAAAAAAAAgAFtAAAAY29sbGVjdGlvbi5hbmtpMjFQSwUGAAAAAAMAAwCw\
      AAAAbQIAAAAA
    """,
    """
      UEsDBBQAAAAAAAAAIQBNyQkQAgAAAAIAAAAEAAAAbWV0YQgDUEsDBBQAAAAAAAAAIQBd5Ne8bwIAAG8CAAASAAAAY2\
      9sbGVjdGlvbi5hbmtpMjFiKLUv/QRoFRMAxpxlOUBzc/s1wFMuIeL7f8cwDADkDoEfHlZcbWI7kLaVbQny0B+COKys\
      hW3VDY0AvKidbyWvYUV298qdUlEAWABVAHhmG62UYvT/B0S+CzLaqlyG3e5SGYKogl77gpr3mhOXDBzCfj7ded/5d3\
      cBjH6859/ds/8WnMDfseoA7k7g7l0H4f9+eUO3L1nmsMNbrMDQCBsmVEZElsojCS43lDcw4Daso0U1jVclG++swiPI\
      3Rc/GnFaVqIWzuEsCd/yM+8yjk2AaMU+O4Fqxa4s53nec/4KqPOn96hMmDo3D6GJWXl6XbT+Z9VxNALXmEsvEnHaK3\
      gaHEOrU3eTrNTUH9pV8nK2GuuVXuGSBVrMwqwRC2bSgmUGVZgGy/spoDzHcdsMPYtJcdsy7++GFFvf0Y4kosX64s+C\
      IqlDVZxMGx0qe2TdEEsc1Pmf08g0RT+vzeZ13m1E0qbBEYshhqY5eCkxVOVvq0hV433HFYm3x4byMHlVAFrkw2AEZa\
      j/8Cn/8l4fa7VOoVZrwsQk+5BCN+833i4/W2ISUlio4TxmkDIjVWFaklYDgMoUSU3akqGuhwRSCa2YiX8mmHiH5gHc\
      4A4g5wD26VDZKhPPcE+g/K6J6YlQGS8twowGC+jJPG045xmJPIftiPTgFa5ewmQXZbsSwD7jbw0bUBodBKZLp63eXS\
      Q+pvVR0wEPtK4rsilf0PoshKvoQ829GGzRGmXRgcoWOuHbl/gt+E4fYVLGshwCiGjS/iIgDU/8cfX9J4Td4mbCpEvR\
      eSSf6MXnVuUBKLVqnLgZibgReMvIK7CwilBBFTP6/VVQSwMEFAAAAAAAAAAhAOXUXT8DAAAAAwAAABAAAABjb2xsZW\
      N0aW9uLmFua2kyb2xkUEsDBBQAAAAAAAAAIQBCI0+1KwAAACsAAAAFAAAAbWVkaWEotS/9BGjxAAAKDQoFYS5tcDMQ\
      BRoCeHkKDQoFYi5wbmcQBRoCeHmiDlWVUEsBAhQDFAAAAAAAAAAhAE3JCRACAAAAAgAAAAQAAAAAAAAAAAAAAIABAA\
      AAAG1ldGFQSwECFAMUAAAAAAAAACEAXeTXvG8CAABvAgAAEgAAAAAAAAAAAAAAgAEkAAAAY29sbGVjdGlvbi5hbmtp\
      MjFiUEsBAhQDFAAAAAAAAAAhAOXUXT8DAAAAAwAAABAAAAAAAAAAAAAAAIABwwIAAGNvbGxlY3Rpb24uYW5raTJQSw\
      ECFAMUAAAAAAAAACEAQiNPtSsAAAArAAAABQAAAAAAAAAAAAAAgAH0AgAAbWVkaWFQSwUGAAAAAAQABADjAAAAQgMA\
      AAAA
    """,
  ]

  private func package(_ files: [(String, [UInt8])]) throws -> String {
    let path = folder.file("deck.apkg")
    unlink(path)
    try PackageArchive.write(
      files.map { (name: $0.0, content: .bytes($0.1)) }, to: path, called: path)
    return path
  }

  private func saved(_ bytes: [UInt8]) throws -> String {
    let path = folder.file("deck.apkg")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func refused(_ path: String, within limit: UnpackingLimit? = nil) throws -> String {
    let error = #expect(throws: AnkiError.self) {
      try AnkiCollection(reading: path, within: limit ?? UnpackingLimit())
    }
    // The path differs from run to run.
    return try #require(error).description.replacingOccurrences(of: path, with: "PACKAGE")
  }

  private func sample() throws -> [UInt8] {
    try bytes(folder.database("c.anki2", AnkiSample.schema11()))
  }

  private func compressed(_ content: [UInt8]) throws -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count))
    let count = ZSTD_compress(&packed, packed.count, content, content.count, 3)
    try #require(ZSTD_isError(count) == 0)
    return Array(packed[..<count])
  }

  @Test(arguments: packed.indices)
  func whatOthersPackIsRead(index: Int) throws {
    let data = try #require(
      Data(base64Encoded: Self.packed[index], options: .ignoreUnknownCharacters))
    let collection = try AnkiCollection(reading: saved(Array(data)))
    #expect(collection.decks.map(\.name) == ["Default", "A::B"])
    #expect(collection.cards.map(\.deck) == [3])
    let study = StudyFiles(collection)
    #expect(
      study.cards == [
        .init(
          id: "7", prompt: "front", answer: "back", note: "g", tags: ["t", "deck:A::B"], order: 1)
      ])
    #expect(study.answers == [.init(card: "7", grade: .good, time: 1_700_000_000_000)])
    #expect(study.omitted == ["media files": 2])
  }

  /// Whatever is changed is refused or makes no difference; above all nothing traps.
  @Test(arguments: packed.indices)
  func damageIsFoundWhereverItLies(index: Int) throws {
    let whole = Array(
      try #require(Data(base64Encoded: Self.packed[index], options: .ignoreUnknownCharacters)))
    let right = try AnkiCollection(reading: saved(whole))
    var refusals = 0
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 1 << UInt8(place % 8)
      let path = try saved(changed)
      do throws(AnkiError) {
        let read = try AnkiCollection(reading: path)
        #expect(read.cards == right.cards && read.reviews == right.reviews, "byte \(place)")
      } catch {
        refusals += 1
      }
    }
    #expect(refusals > whole.count / 2)
    for count in 4..<whole.count {
      let text = try refused(saved(Array(whole.prefix(count))))
      #expect(text.hasPrefix("PACKAGE: found a damaged ZIP archive ("))
    }
  }

  @Test func metaSaysWhichCollectionCounts() throws {
    let sample = try sample()
    let direct = try AnkiCollection(reading: folder.file("c.anki2"))
    func same(_ files: [(String, [UInt8])]) throws {
      #expect(try AnkiCollection(reading: package(files)) == direct)
    }
    try same([("collection.anki2", sample), ("media", Array("{}".utf8))])
    // Without it the newer one. A log beside the file makes no difference.
    var logged = sample
    logged[18] = 2
    logged[19] = 2
    let (old, mid, new) = ("collection.anki2", "collection.anki21", "collection.anki21b")
    try same([(old, [1]), (mid, logged)])
    try same([(old, [1]), (mid, [1]), (new, compressed(sample))])
    try same([(old, sample), (mid, [1]), (new, [1]), ("meta", [8, 1])])
    try same([(old, [1]), (mid, sample), (new, [1]), ("meta", [8, 2])])
    try same([(old, [1]), (mid, [1]), (new, compressed(sample)), ("meta", [8, 3])])
    // Several frames are one file.
    let frames = try compressed(Array(sample[..<5000])) + compressed(Array(sample[5000...]))
    try same([(new, frames), ("meta", [8, 3])])
    // The file by itself.
    let path = try saved(compressed(sample))
    #expect(try AnkiCollection(reading: path) == direct)
  }

  @Test func otherPackagesAreRefused() throws {
    let sample = try sample()
    func refused(_ files: [(String, [UInt8])]) throws -> String { try self.refused(package(files)) }
    let old = "collection.anki2"
    #expect(
      try refused([("x", [1])])
        == "PACKAGE: found a ZIP archive without a collection; allowed: a package of Anki")
    #expect(
      try refused([(old, sample), ("meta", [8, 4])])
        == "PACKAGE, meta: found version 4; allowed: 1 … 3; export the deck again with support for "
        + "older versions of Anki")
    #expect(try refused([(old, sample), ("meta", [])]).contains("meta: found version 0"))
    #expect(try refused([(old, sample), ("meta", [8])]).contains("the version cannot be read"))
    #expect(
      try refused([(old, sample), ("meta", [8, 2])])
        == "PACKAGE: the file meta names collection.anki21, which is missing; allowed: a package of "
        + "Anki; export or download it again")
    #expect(
      try refused([(old, Array("no database".utf8))])
        .contains("collection in it: SQLite says: file is not a database"))
    #expect(
      try refused([(old, sample), ("media", Array("[]".utf8))])
        .contains("media: the list of media cannot be read"))
    let twice = """
      UEsDBBQAAAAAAAAAIQCDFtyMAQAAAAEAAAAQAAAAY29sbGVjdGlvbi5hbmtpMnhQSwMEFAAAAAAAAAAhABUm2/sBAA\
      AAAQAAABAAAABjb2xsZWN0aW9uLmFua2kyeVBLAQIUAxQAAAAAAAAAIQCDFtyMAQAAAAEAAAAQAAAAAAAAAAAAAACA\
      AQAAAABjb2xsZWN0aW9uLmFua2kyUEsBAhQDFAAAAAAAAAAhABUm2/sBAAAAAQAAABAAAAAAAAAAAAAAAIABLwAAAG\
      NvbGxlY3Rpb24uYW5raTJQSwUGAAAAAAIAAgB8AAAAXgAAAAAA
      """
    #expect(
      try self.refused(
        saved(Array(try #require(Data(base64Encoded: twice, options: .ignoreUnknownCharacters)))))
        == "PACKAGE, collection.anki2: the file cannot be unpacked (it stands 2 times in the package); "
        + "export or download it again")
  }

  @Test func damagedZstdIsRefused() throws {
    let packed = try compressed(sample())
    let new = "collection.anki21b"
    func refused(_ content: [UInt8]) throws -> String {
      try self.refused(package([(new, content), ("meta", [8, 3])]))
    }
    for count in stride(from: 0, to: packed.count, by: 53) {
      #expect(
        try refused(Array(packed.prefix(count)))
          == "PACKAGE, collection.anki21b: the file cannot be unpacked (zstd: the end is missing); "
          + "export or download it again")
    }
    #expect(try refused([1, 2, 3, 4, 5]).contains("(zstd: Unknown frame descriptor)"))
    #expect(try refused(packed + [1, 2, 3, 4, 5]).contains("(zstd: Unknown frame descriptor)"))
  }

  @Test func aSmallFileCannotFillTheMemory() throws {
    let zeros = [UInt8](repeating: 0, count: 200_000)
    let old = "collection.anki2"
    let small = UnpackingLimit(bytes: 1 << 30, bytesAlways: 1000, ratio: 50)
    let archive = try package([(old, zeros)])
    #expect(
      try refused(archive, within: small).hasSuffix(
        "allowed: 1073741824 bytes, and beyond 1000 at most 50 times the packed size; unpack it "
          + "yourself if you trust it, and name the collection"))
    #expect(
      try refused(archive, within: UnpackingLimit(bytes: 199_999)).contains("more than 199999"))
    #expect(try refused(archive, within: UnpackingLimit(bytes: 200_000)).contains("SQLite says"))

    // A list that gives a smaller size than the data have.
    var bytes = try bytes(archive)
    let size = withUnsafeBytes(of: UInt32(200_000).littleEndian) { Array($0) }
    for place in 0..<(bytes.count - 4) where Array(bytes[place..<(place + 4)]) == size {
      bytes.replaceSubrange(place..<(place + 4), with: [1, 0, 0, 0])
    }
    #expect(try refused(saved(bytes)).contains("collection.anki2: the file cannot be unpacked"))

    let frame = try compressed(zeros)
    let new = try package([("collection.anki21b", frame), ("meta", [8, 3])])
    #expect(try refused(new, within: small).contains("collection.anki21b: \(frame.count) bytes"))
    #expect(try refused(new, within: UnpackingLimit(bytes: 200_000)).contains("SQLite says"))
    #expect(UnpackingLimit().allowed(ofPacked: 1) == 1 << 26)
    #expect(UnpackingLimit().allowed(ofPacked: 1 << 20) == 200 << 20)
    #expect(UnpackingLimit().allowed(ofPacked: .max) == 1 << 30)
  }

  @Test func aPackageIsWrittenAndReadAgain() throws {
    let study = StudyFiles(
      cards: [
        .init(id: "1", prompt: "p", answer: "a", tags: ["t", "deck:A::B c"]),
        .init(id: "2", prompt: "q", answer: "b", tags: ["deck:a::b C"]),
        .init(id: "3", prompt: "r", answer: "c", tags: ["deck:"]),
      ],
      answers: [.init(card: "1", grade: .good, time: 1_700_000_000_000)])
    let collection = try AnkiCollection(study, at: 1_710_000_000_000, file: "s")
    // Anki holds names that differ in the case of letters for one.
    #expect(collection.decks.map(\.name) == ["Default", "A::B c"])
    let path = folder.file("new.apkg")
    try collection.write(to: path, at: 1_710_000_000_000)
    let again = StudyFiles(try AnkiCollection(reading: path))
    #expect(again.answers == study.answers)
    #expect(again.cards.map(\.tags) == [["t", "deck:A::B c"], ["deck:A::B c"], ["deck:"]])
    #expect(try folder.names == ["new.apkg"])
    let archive = try PackageArchive(reading: path)
    #expect(try archive.file("media", within: UnpackingLimit()) == Array("{}".utf8))
    #expect(try archive.file("meta", within: UnpackingLimit()) == [8, 1])
    // The same files make the same bytes.
    try collection.write(to: folder.file("twin.apkg"), at: 1_710_000_000_000)
    #expect(try bytes(path) == bytes(folder.file("twin.apkg")))
    // Where nothing can be written nothing is left.
    #expect(throws: AnkiError.self) {
      try collection.write(to: folder.file("missing/new.apkg"), at: 1_710_000_000_000)
    }
    #expect(try folder.names == ["new.apkg", "twin.apkg"])
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
