#if HNSW
  import Foundation
  import Testing

  @testable import CardFeedVectorIndex

  @Suite("A graph of near vectors")
  struct VectorGraphTests {
    /// The share of the nearest rows that the graph finds.
    private func recall(
      _ graph: VectorGraph, _ queries: [[Float]], among kept: RowSet? = nil, effort: Int = 80
    ) throws -> Double {
      var hits = 0
      var all = 0
      for query in queries {
        let exact = try graph.index.nearest(20, to: query, among: kept)
        let found = try graph.nearest(20, to: query, among: kept, effort: effort)
        #expect(found.count == exact.count)
        #expect(Set(found.map(\.row)).count == found.count)
        #expect(found == found.sorted { ($1.score, $0.row) < ($0.score, $1.row) })
        for neighbour in found {
          #expect(try graph.index.score(of: neighbour.row, to: query) == neighbour.score)
          #expect(kept?.contains(neighbour.row) ?? true)
        }
        hits += Set(exact.map(\.row)).intersection(found.map(\.row)).count
        all += exact.count
      }
      return Double(hits) / Double(all)
    }

    @Test("it finds nearly all of the nearest, by every metric", arguments: VectorMetric.allCases)
    func recall(metric: VectorMetric) throws {
      var numbers = SeededNumbers(seed: 31)
      let vectors = numbers.vectors(1030, dimension: 24)
      let index = try VectorIndex(Array(vectors[..<1000]), metric)
      let queries = Array(vectors[1000...])
      for kernel in VectorKernel.available {
        let graph = try VectorGraph(of: index.using(kernel))
        let share = try recall(graph, queries)
        #expect(share > 0.95, "\(metric) \(kernel)")
      }
    }

    @Test("a filter is kept, whether it keeps half, a few or none")
    func filters() throws {
      var numbers = SeededNumbers(seed: 32)
      let vectors = numbers.vectors(3020, dimension: 24)
      let graph = try VectorGraph(of: VectorIndex(Array(vectors[..<3000]), .cosine))
      let queries = Array(vectors[3000...])
      for one in [2, 6, 100] {
        let kept = RowSet(below: 3000) { _ in numbers.below(one) == 0 }
        #expect(try recall(graph, queries, among: kept) > 0.95)
      }
      #expect(try graph.nearest(20, to: queries[0], among: RowSet()) == [])
      #expect(try graph.nearest(3000, to: queries[0]).count == 3000)
    }

    @Test("rows that are added, set and removed are found, found anew, and found no more")
    func changes() throws {
      var numbers = SeededNumbers(seed: 33)
      let fresh = numbers.vectors(3000, dimension: 24)
      var index = try VectorIndex(Array(fresh[..<1500]), .cosine)
      let graph = try VectorGraph(of: index)
      for round in 0..<5 {
        var changed: [Int] = []
        for step in 0..<200 {
          let row = numbers.below(index.count)
          changed.append(row)
          switch step % 3 {
          case 0: index.remove(at: row)
          case 1: try index.set(fresh[numbers.below(3000)], at: row)
          default:
            changed[changed.count - 1] = index.count
            try index.append(fresh[1500 + round * 200 + step])
          }
        }
        try graph.update(to: index, rows: changed)
        let queries = (0..<20).map { _ in fresh[numbers.below(3000)] }
        #expect(try recall(graph, queries) > 0.9)
      }
      let row = try #require((0..<index.count).first { index.hasVector(at: $0) })
      index.remove(at: row)
      try graph.update(to: index, rows: [row])
      let gone = try graph.nearest(50, to: fresh[0]).map(\.row)
      #expect(!gone.contains(row))
    }

    @Test("readers search while a writer changes the graph")
    func concurrent() async throws {
      var numbers = SeededNumbers(seed: 34)
      let fresh = numbers.vectors(1200, dimension: 16)
      let index = try VectorIndex(Array(fresh[..<800]), .innerProduct)
      let graph = try VectorGraph(of: index)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var next = index
          for row in 0..<400 {
            try next.append(fresh[800 + row])
            next.remove(at: row)
            try graph.update(to: next, rows: [800 + row, row])
          }
        }
        for reader in 0..<3 {
          group.addTask {
            for step in 0..<300 {
              let query = fresh[(step * 7 + reader) % 1200]
              let found = try graph.nearest(20, to: query)
              #expect(found.count == 20)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(graph.index.vectorCount == 800)
    }

    private func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
      withUnsafeBytes(of: graphFileChecksum(of: Array(bytes))) { Array($0) }
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try body(folder.appending(path: "vectors.graph").path)
    }

    @Test("a graph that was saved and read answers alike, and can be changed further")
    func saving() throws {
      try inFolder { path in
        var numbers = SeededNumbers(seed: 35)
        var index = try VectorIndex(numbers.vectors(4500, dimension: 10), .euclidean)
        for _ in 0..<100 { index.remove(at: numbers.below(4500)) }
        let graph = try VectorGraph(of: index)
        // A node that is marked deleted is written, too.
        let removed = try #require((0..<4500).first { index.hasVector(at: $0) })
        index.remove(at: removed)
        try graph.update(to: index, rows: [removed])
        try graph.save(to: path)
        try graph.save(to: path)
        #expect(!FileManager.default.fileExists(atPath: path + ".part"))
        let read = try VectorGraph(contentsOf: path)
        #expect(read.index.count == 4500)
        #expect(read.index.vectorCount == index.vectorCount)
        let queries = numbers.vectors(30, dimension: 10)
        for query in queries {
          #expect(try read.nearest(20, to: query) == graph.nearest(20, to: query))
        }
        var next = read.index
        try next.append(queries[0])
        try read.update(to: next, rows: [4500])
        #expect(try read.nearest(1, to: queries[0]).map(\.row) == [4500])
      }
    }

    @Test("a file that was cut or changed anywhere is refused, whatever its checksum says")
    func damage() throws {
      try inFolder { path in
        var numbers = SeededNumbers(seed: 36)
        let index = try VectorIndex(numbers.vectors(60, dimension: 4), .cosine)
        try VectorGraph(of: index).save(to: path)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func read(_ bytes: [UInt8]) throws -> VectorGraph {
          try Data(bytes).write(to: URL(filePath: path))
          return try VectorGraph(contentsOf: path)
        }
        #expect(try read(whole).index.count == 60)
        for count in stride(from: 0, to: whole.count, by: 97) {
          #expect(throws: VectorGraphError.self) { try read(Array(whole[..<count])) }
        }
        for place in stride(from: 0, to: whole.count, by: 29) {
          var changed = whole
          changed[place] ^= 1 << UInt8(numbers.below(8))
          #expect(throws: VectorGraphError.self) { try read(changed) }
        }
        // With a right checksum it is either refused or searched without harm.
        let body = whole.count - 8
        var refused = 0
        for _ in 0..<300 {
          var changed = whole
          changed[numbers.below(body)] = UInt8(numbers.below(256))
          changed.replaceSubrange(body..., with: checksum(of: changed[..<body]))
          do {
            let graph = try read(changed)
            #expect(try graph.nearest(5, to: [1, 2, 3, 4]).count <= 60)
          } catch is VectorGraphError { refused += 1 }
        }
        #expect(refused > 25)
        #expect(throws: VectorGraphError.self) { try VectorGraph(contentsOf: path + ".none") }
      }
    }
  }
#endif
