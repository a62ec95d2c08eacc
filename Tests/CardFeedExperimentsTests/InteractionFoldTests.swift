import CardFeed
import CardFeedConfiguration
import Foundation
import Testing

@testable import CardFeedExperiments

@Suite("Interactions, divided")
struct InteractionFoldTests {
  /// Numbers printed by NumPy 2.4: `default_rng(seed).random(3)` and `bit_generator.random_raw(2)`.
  @Test(
    arguments: [
      (
        42, [0.7739560485559633, 0.4388784397520523, 0.8585979199113825],
        [14_276_969_152_011_380_360, 8_095_878_257_575_067_585]
      ),
      (
        0, [0.6369616873214543, 0.2697867137638703, 0.04097352393619469],
        [11_749_869_230_777_074_271, 4_976_686_463_289_251_617]
      ),
      (
        4_294_967_301, [0.7742041803738812, 0.47072268318809307, 0.6958803443421149],
        [14_281_546_376_153_053_393, 8_683_300_866_460_616_067]
      ),
      (
        UInt64.max, [0.6800266789616931, 0.8453117585624743, 0.007403081599260064],
        [12_544_278_110_101_001_871, 15_593_249_672_699_323_225]
      ),
    ] as [(UInt64, [Double], [UInt64])])
  func drawsAreNumPys(seed: UInt64, numbers: [Double], words: [UInt64]) {
    var generator = PermutedCongruentialGenerator(seed: seed)
    #expect(numbers.map { _ in generator.unitInterval() } == numbers)
    generator = PermutedCongruentialGenerator(seed: seed)
    #expect(words.map { _ in generator.next() } == words)
  }

  /// Users with 0, 1, 2, 3 and 12 interactions; of equal times the first row is the earlier.
  private static let interactions: [Interaction] = [1, 2, 3, 12].enumerated().flatMap {
    index, count in
    (0..<count).reversed().map { place in
      Interaction(
        user: index + 1, item: place, rating: place % 5 + 1, timestamp: Int64(place / 2))
    }
  }

  @Test func theLastOneIsLeftOut() {
    let folds = InteractionFolds.leavingOneOut("x", of: Self.interactions, users: 5, items: 12)
    // Within a time of two the rows stand the other way around.
    #expect(folds.test.map(\.item) == [0, 0, 2, 10])
    #expect(folds.valid.map(\.item) == [1, 0, 11])
    #expect(folds.train.map(\.item) == [1, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8])
  }

  @Test func theLastFifthIsLeftOut() {
    let folds = InteractionFolds.byTime("x", of: Self.interactions, users: 5, items: 12)
    // Of 1: ⌈.2⌉ and nothing; of 2: 1 and 1; of 3: 1 and 1; of 12: 3 and ⌈.9⌉.
    #expect(folds.test.map(\.user) == [1, 2, 3, 4, 4, 4])
    #expect(folds.valid.map(\.user) == [2, 3, 4])
    #expect(folds.train.count == 9)
    #expect(folds.test.suffix(3).map(\.item) == [8, 11, 10])
  }

  @Test func aDrawnFifthOfWhatIsLikedIsLeftOut() {
    let folds = InteractionFolds.atRandom(
      "x", of: Self.interactions, ratedAtLeast: 1, seed: 7, users: 5, items: 12)
    #expect(folds.test.map(\.user) == [4, 4])
    #expect(folds.valid.map(\.user) == [4])
    let all = folds.train + folds.valid + folds.test
    #expect(all.count == Self.interactions.count)
    #expect(Set(all) == Set(Self.interactions))
    let liked = InteractionFolds.atRandom(
      "x", of: Self.interactions, ratedAtLeast: 4, seed: 7, users: 5, items: 12)
    #expect((liked.train + liked.valid + liked.test).allSatisfy { $0.rating >= 4 })
  }

  @Test func filesSayWhatTheyHold() throws {
    let folder = try TemporaryFolder()
    let folds = InteractionFolds.leavingOneOut("x", of: Self.interactions, users: 5, items: 12)
    let checksums = try InteractionFiles.write(folds, folder: folder.path)
    let test = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/x/test.csv"))
    #expect(
      String(decoding: test, as: UTF8.self)
        == "user,item,rating,timestamp\n1,0,1,0\n2,0,1,0\n3,2,3,1\n4,10,1,5\n")
    let meta = try JSONDocument(
      parsing: Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/x/meta.json")))
    ).root
    #expect(meta["n_train"] == 11)
    #expect(meta["sha256"]?["test"]?.string == checksums[2])
    #expect(checksums[2] == SHA256.hexadecimal(Array(test)))
  }

  @Test func ratingsOfMovieLensAreReadWithAndWithoutAHeader() throws {
    let rows = "196\t242\t3\t881250949\n186\t302\t3\t891717742\r\n"
    for text in [rows, "user_id:token\titem_id:token\trating:float\ttimestamp:float\n" + rows] {
      let read = try MovieLensImporter.interactions(parsing: Array(text.utf8), file: "u.data")
      #expect(read.map(\.user) == [195, 185])
      #expect(read.map(\.item) == [241, 301])
      #expect(read.map(\.timestamp) == [881_250_949, 891_717_742])
    }
  }

  @Test(arguments: [
    "1\t2\t3\n", "1\t2\t6\t4\n", "0\t2\t3\t4\n", "a\tb\tc\td\na\tb\tc\td\n", "1,2,3,4\n",
    "1\t2\t3\t4\t5\n", "1\t2\t3.5\t4\n",
  ]) func whatIsNoRatingIsRefused(text: String) {
    let problem = #expect(throws: DataProblem.self) {
      _ = try MovieLensImporter.interactions(parsing: Array(text.utf8), file: "u.data")
    }
    #expect(problem?.line == (text.hasPrefix("a") ? 2 : 1))
  }

  /// Two households buy three products; one buys too little, one product has too few buyers.
  @Test func receiptsAreDividedByWeeks() {
    func line(_ household: Int, _ product: Int, _ basket: Int, _ week: Int)
      -> CompleteJourneyImporter.Line
    {
      .init(household: household, product: product, basket: basket, week: week)
    }
    let (folds, products) = CompleteJourneyImporter.folds(
      of: [
        line(7, 50, 1, 1), line(7, 50, 1, 1), line(7, 50, 2, 44), line(7, 30, 1, 2),
        line(9, 50, 3, 5), line(9, 30, 3, 5), line(9, 80, 3, 5), line(5, 50, 4, 9),
        line(7, 50, 5, 45), line(9, 80, 5, 46), line(7, 30, 6, 48), line(9, 30, 7, 49),
        line(5, 50, 8, 50), line(7, 99, 9, 53),
      ], households: 2, products: 2)
    #expect(products == [30, 50])
    let next = folds[0]
    #expect(next.users == 2 && next.items == 2)
    #expect(
      next.train == [
        Interaction(user: 0, item: 0, rating: 1, timestamp: 2),
        Interaction(user: 0, item: 1, rating: 2, timestamp: 44),
        Interaction(user: 1, item: 0, rating: 1, timestamp: 5),
        Interaction(user: 1, item: 1, rating: 1, timestamp: 5),
      ])
    #expect(
      next.valid == [
        Interaction(user: 0, item: 0, rating: 1, timestamp: 48),
        Interaction(user: 0, item: 1, rating: 1, timestamp: 45),
      ])
    #expect(next.test == [Interaction(user: 1, item: 0, rating: 1, timestamp: 49)])
    #expect(folds[1].train == next.train)
    #expect(folds[1].valid.isEmpty && folds[1].test.isEmpty)
  }

  @Test func namesOfATableMayBeAnything() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "who,when,what\n\u{e9},3,a/b\ne\u{301},2,a/b\n\u{e9},1,\" x\"\n,0,\"a,\"\"b\"\n",
      to: "log.csv")
    var columns = InteractionTableImporter.Columns()
    columns.user = "who"
    columns.item = "what"
    columns.timestamp = "when"
    let reading = try InteractionTableImporter(columns: columns).read(path: file)
    #expect(reading.problems.isEmpty)
    #expect(
      reading.users.map { Array($0.utf8) } == ["\u{e9}", "e\u{301}", ""].map { Array($0.utf8) })
    #expect(reading.items == ["a/b", " x", "a,\"b"])
    #expect(reading.interactions.map(\.user) == [0, 1, 0, 2])
    let folds = reading.folds(.lastOut, name: "own")
    #expect(folds.test.map(\.item) == [0, 0, 2])
    try FileManager.default.createDirectory(
      atPath: folder.path + "/own", withIntermediateDirectories: true)
    try reading.writeNames(folder: folder.path + "/own")
    let items = try String(contentsOfFile: folder.path + "/own/items.csv", encoding: .utf8)
    #expect(items == "number,id\n0,a/b\n1, x\n2,\"a,\"\"b\"\n")
  }

  @Test func aRowWithoutATimeIsLeftOutAndNamed() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("user,item,time\na,b,1\na,c,soon\na,d,2\n", to: "log.csv")
    var columns = InteractionTableImporter.Columns()
    columns.timestamp = "time"
    let reading = try InteractionTableImporter(columns: columns).read(path: file)
    #expect(reading.interactions.count == 2)
    #expect(reading.problems.listed.map(\.line) == [3])
    columns.rating = "stars"
    #expect(throws: DataProblem.self) {
      _ = try InteractionTableImporter(columns: columns).read(path: file)
    }
  }

  @Test func aLogOfBanditsIsReadByItsColumns() throws {
    let folder = try TemporaryFolder()
    let header =
      ",timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,"
      + "user_feature_2,user_feature_3,user-item_affinity_0\n"
    let file = try folder.write(
      header + "0,2019-11-24 00:00:13.8+00:00,14,3,1,0.25,a,b,c,d,0.0\n", to: "all.csv")
    let (table, rounds, clicks) = try OpenBanditImporter.rounds(path: file)
    #expect(
      String(decoding: table, as: UTF8.self) == """
        timestamp,item,position,click,propensity,feature_0,feature_1,feature_2,feature_3
        2019-11-24 00:00:13.8+00:00,14,3,1,0.25,a,b,c,d

        """)
    #expect(rounds == 1 && clicks == 1)
    for wrong in ["0,t,14,4,1,0.25,a,b,c,d,0", "0,t,14,3,1,0,a,b,c,d,0", "0,t,14,3"] {
      let broken = try folder.write(header + wrong + "\n", to: "broken.csv")
      let problem = #expect(throws: DataProblem.self) {
        _ = try OpenBanditImporter.rounds(path: broken)
      }
      #expect(problem?.line == 2)
    }
  }

  /// The rows of the division by the last one, put together again, divide as they were divided
  /// elsewhere, to the byte.
  @Test(.enabled(if: SharedData.folder != nil, SharedData.skipped))
  func divisionsAreThoseMadeElsewhere() throws {
    let folder = try #require(SharedData.folder) + "/data/product"
    var all: [Interaction] = []
    for part in ["train", "valid", "test"] {
      let path = "\(folder)/ml100k_loo/\(part).csv"
      guard FileManager.default.fileExists(atPath: path) else { return }
      for line in try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 10).dropFirst()
      {
        let numbers = line.split(separator: 44).map { Int(String(decoding: $0, as: UTF8.self)) }
        all.append(
          Interaction(
            user: try #require(numbers[0]), item: try #require(numbers[1]),
            rating: try #require(numbers[2]), timestamp: Int64(try #require(numbers[3]))))
      }
    }
    for folds in MovieLensImporter.folds(of: all) {
      let meta = try JSONDocument(
        parsing: Array(
          Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(folds.name)/meta.json")))
      ).root
      #expect(meta["n_users"]?.int64 == Int64(folds.users))
      for (part, rows) in [("train", folds.train), ("valid", folds.valid), ("test", folds.test)] {
        let checksum = SHA256.hexadecimal(InteractionFiles.bytes(of: rows))
        #expect(checksum == meta["sha256"]?[part]?.string, "\(folds.name) \(part)")
      }
    }
  }
}
