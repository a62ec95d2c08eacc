import CardFeedConfiguration
import CardFeedHTTP
import Testing

@testable import CardFeedServer

/// What `/metrics` says, read by the rules of Prometheus's text format 0.0.4.
@Suite struct MetricsTextTests {
  private struct Sample {
    let name: String
    let labels: String
    let value: Double
  }

  private struct Page {
    var kinds: [String: String] = [:]
    var helps: Set<String> = []
    var samples: [Sample] = []

    init(_ text: String) throws {
      #expect(text.hasSuffix("\n"))
      var seen: Set<String> = []
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        if line.hasPrefix("# HELP ") {
          #expect(words.count == 4 && helps.insert(words[2]).inserted, "\(line)")
        } else if line.hasPrefix("# TYPE ") {
          #expect(words.count == 4 && kinds[words[2]] == nil, "\(line)")
          #expect(["counter", "gauge", "histogram"].contains(words[3]), "\(line)")
          kinds[words[2]] = words[3]
        } else {
          let cut = try #require(line.lastIndex(of: " "), "\(line)")
          let value = try #require(Double(line[line.index(after: cut)...]), "\(line)")
          let series = line[..<cut]
          #expect(seen.insert(String(series)).inserted, "twice: \(series)")
          let name = String(series.prefix { $0 != "{" })
          #expect(
            name.allSatisfy { $0 == "_" || $0 == ":" || ($0.isASCII && $0.isLetter) || $0.isNumber }
          )
          samples.append(
            Sample(name: name, labels: String(series.dropFirst(name.count)), value: value))
        }
      }
    }

    /// The family a sample belongs to: that of a histogram has three endings.
    func family(_ name: String) -> String {
      for ending in ["_bucket", "_sum", "_count"] where name.hasSuffix(ending) {
        let family = String(name.dropLast(ending.count))
        if kinds[family] == "histogram" { return family }
      }
      return name
    }
  }

  @Test func everySampleBelongsToADescribedFamilyAndHistogramsAddUp() async throws {
    let service = TestService.service()
    let client = try ServiceClient(service, .inProcess)
    service.serve([try await TestService.feed()])
    _ = try await client.send(
      .post, "/v1/feeds/people/cards", body: TestService.people(["ann", "ben", "cid"]),
      type: "application/x-ndjson")
    let viewer = "/v1/feeds/people/viewers/ann"
    let before = try Page(try await client.get("/metrics").text)
    for _ in 0..<3 { _ = try await client.get(viewer + "/hand") }
    _ = try await client.post(viewer + "/swipes", ["card": "nobody", "answer": "like"], key: "s")
    let page = try Page(try await client.get("/metrics").text)
    try await client.close()

    for sample in page.samples {
      let family = page.family(sample.name)
      #expect(page.kinds[family] != nil && page.helps.contains(family), "\(sample.name)")
      #expect(sample.value.isFinite || sample.labels.contains("+Inf"), "\(sample.name)")
      if page.kinds[family] == "counter" {
        #expect(sample.value >= 0 && family.hasSuffix("_total"), "\(sample.name)")
      }
    }
    for (family, kind) in page.kinds where kind == "histogram" {
      let buckets = page.samples.filter { $0.name == family + "_bucket" }
      let series = Dictionary(grouping: buckets) { sample in
        sample.labels.split(separator: ",").filter { !$0.contains("le=") }.joined(separator: ",")
      }
      for (labels, buckets) in series {
        #expect(buckets.map(\.value) == buckets.map(\.value).sorted(), "\(family) \(labels)")
        #expect(buckets.last?.labels.contains("le=\"+Inf\"") == true, "\(family) \(labels)")
      }
      let ends = buckets.filter { $0.labels.contains("+Inf") }.reduce(0) { $0 + $1.value }
      let counts = page.samples.filter { $0.name == family + "_count" }.reduce(0) { $0 + $1.value }
      #expect(ends == counts, "\(family)")
    }
    // Three hands were asked for between the two pages.
    func requests(_ page: Page) -> Double {
      page.samples.filter { $0.name.hasSuffix("_count") && $0.labels.contains("hand") }
        .reduce(0) { $0 + $1.value }
    }
    #expect(requests(page) - requests(before) >= 3)
  }
}
