import Testing

@testable import CardFeedExperiments

@Suite("Statistics")
struct StatisticsTests {
  @Test("mean, standard deviations and quantiles by hand")
  func sample() throws {
    let values = [2.0, 4, 4, 4, 5, 5, 7, 9]
    #expect(SampleStatistics.mean(values) == 5)
    #expect(SampleStatistics.populationStandardDeviation(values) == 2)
    let sd = try #require(SampleStatistics.standardDeviation(values))
    #expect(abs(sd - 2.138089935299395) < 1e-15)
    #expect(SampleStatistics.quantile([4, 1, 3, 2], 0.5) == 2.5)
    #expect(SampleStatistics.quantile([1, 2, 3, 4], 0) == 1)
    #expect(SampleStatistics.quantile([1, 2, 3, 4], 1) == 4)
    // numpy.percentile([10, 20, 40], 97.5)
    #expect(SampleStatistics.quantile([10, 20, 40], 0.975) == 39)
    #expect(SampleStatistics.mean([]) == nil)
    #expect(SampleStatistics.standardDeviation([1]) == nil)
    #expect(SampleStatistics.quantile([], 0.5) == nil)
  }

  @Test("an index is drawn from every place about equally often, and never outside")
  func drawIndex() {
    var generator = TestSplitMix64(seed: 1)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[generator.drawIndex(below: 7)] += 1 }
    // Ten standard deviations of a binomial count.
    #expect(counts.allSatisfy { abs($0 - 10_000) < 930 })
  }

  // Computed by a second implementation of the same methods, in another language.
  @Test("the first draws for a seed are written down: they may not change")
  func golden() {
    var generator = TestSplitMix64(seed: 42)
    #expect((0..<6).map { _ in generator.drawIndex(below: 100) } == [74, 15, 27, 34, 3, 86])
    var order = Array(0..<8)
    generator.shuffle(&order)
    #expect(order == [4, 6, 7, 0, 3, 2, 5, 1])
    #expect(generator.drawNormal() == 0.2523812245321891)
  }

  @Test("normal deviates have mean 0, variance 1 and the right share beyond 1.96")
  func normal() throws {
    var generator = TestSplitMix64(seed: 3)
    let values = (0..<20_000).map { _ in generator.drawNormal() }
    #expect(abs(try #require(SampleStatistics.mean(values))) < 0.04)
    #expect(abs(try #require(SampleStatistics.standardDeviation(values)) - 1) < 0.03)
    let beyond = Double(values.count { abs($0) > 1.959964 }) / 20_000
    #expect(abs(beyond - 0.05) < 0.01)
  }

  @Test("rows are collected by cluster, and drawn clusters give their rows again")
  func clusters() {
    let clusters = Clusters([3, 1, 3, 2])
    #expect(clusters.keys == [1, 2, 3])
    #expect(clusters.rows == [[1], [3], [0, 2]])
    #expect(clusters.rows(of: [2, 0, 2]) == [0, 2, 1, 0, 2])
    #expect(clusters.sums(of: [1, 10, 100, 1000]) == [10, 1000, 101])
    let ratio = ClusterRatio(meanOf: [1, 10, 100, 1000], in: clusters)
    #expect(ratio.value(over: [0, 2]) == 111.0 / 3)
    #expect(ClusterRatio(numerators: [1], denominators: [0]).value(over: [0]) == nil)
  }

  @Test("the interval of a mean over clusters is that of their normal approximation")
  func interval() throws {
    var generator = TestSplitMix64(seed: 8)
    let clusters = (0..<40).map { _ in generator.unit() }
    let ratio = ClusterRatio(numerators: clusters, denominators: clusters.map { _ in 1 })
    let interval = try #require(
      ClusterBootstrap(resamples: 4000).interval(
        clusterCount: 40, using: &generator, statistic: ratio.value))
    let mean = try #require(SampleStatistics.mean(clusters))
    let sd = try #require(SampleStatistics.populationStandardDeviation(clusters))
    let half = 1.96 * sd / 40.0.squareRoot()
    #expect(interval.estimate == mean)
    #expect(abs(interval.lower - (mean - half)) < 0.015)
    #expect(abs(interval.upper - (mean + half)) < 0.015)
    #expect(interval.undefinedResamples == 0)
  }

  @Test("the same seed gives the same interval")
  func seeded() throws {
    func run(_ seed: UInt64) -> BootstrapInterval? {
      var generator = TestSplitMix64(seed: seed)
      return ClusterBootstrap(resamples: 50).interval(
        clusterCount: 9, using: &generator, statistic: { Double($0.reduce(0, +)) })
    }
    #expect(run(1) != nil)
    #expect(run(1) == run(1))
    #expect(run(1) != run(2))
  }

  @Test("undefined resamples are left out and counted; undefined on the whole sample is nil")
  func undefined() throws {
    var generator = TestSplitMix64(seed: 2)
    let bootstrap = ClusterBootstrap(resamples: 200)
    let needsFirst = try #require(
      bootstrap.interval(clusterCount: 3, using: &generator) { $0.contains(0) ? 1 : nil })
    #expect(needsFirst.undefinedResamples > 20 && needsFirst.undefinedResamples < 100)
    #expect(needsFirst.lower == 1 && needsFirst.upper == 1)
    let notANumber = bootstrap.interval(
      clusterCount: 3, using: &generator, statistic: { _ in Double.nan })
    #expect(notANumber == nil)
    #expect(bootstrap.interval(clusterCount: 0, using: &generator, statistic: { _ in 1 }) == nil)
  }

  @Test("an engine against itself has difference 0 and p = 1")
  func itself() throws {
    var generator = TestSplitMix64(seed: 4)
    let values = (0..<12).map { _ in generator.unit() }
    let ratio = ClusterRatio(numerators: values, denominators: values.map { _ in 1 })
    let difference = try #require(
      ClusterBootstrap(resamples: 300).pairedDifference(
        clusterCount: 12, using: &generator, a: ratio.value, b: ratio.value))
    #expect(difference.pValue == 1)
    #expect(difference.difference == 0)
    #expect(difference.interval.lower == 0 && difference.interval.upper == 0)
  }

  @Test(
    "a strictly better engine has a positive difference and a small p, and the reverse a negative")
  func better() throws {
    var generator = TestSplitMix64(seed: 6)
    let bootstrap = ClusterBootstrap(resamples: 999)
    let worse = (0..<15).map { _ in generator.unit() }
    let better = worse.map { $0 + 0.05 + 0.1 * generator.unit() }
    let ones = worse.map { _ in 1.0 }
    let high = ClusterRatio(numerators: better, denominators: ones)
    let low = ClusterRatio(numerators: worse, denominators: ones)
    let up = try #require(
      bootstrap.pairedDifference(
        clusterCount: 15, using: &generator, a: high.value, b: low.value))
    #expect(up.difference > 0.05 && up.interval.lower > 0)
    #expect(up.pValue == 2.0 / 1000)
    #expect(up.a > up.b)
    let down = try #require(
      bootstrap.pairedDifference(
        clusterCount: 15, using: &generator, a: low.value, b: high.value))
    #expect(down.difference < 0 && down.interval.upper < 0)
    #expect(down.pValue == 2.0 / 1000)
  }

  @Test("logarithm and exponential agree with the standard ones")
  func portableMath() {
    #expect(PortableMath.log(1) == 0)
    #expect(PortableMath.exp(0) == 1)
    // ln 10, ln 2⁻¹⁰⁷⁴ (the smallest positive number), e, e⁻²⁰, e¹⁰⁰.
    let pairs: [(Double, Double)] = [
      (PortableMath.log(10), 2.302585092994046), (PortableMath.log(0.001), -6.907755278982137),
      (PortableMath.log(Double.leastNonzeroMagnitude), -744.4400719213812),
      (PortableMath.exp(1), 2.718281828459045),
      (PortableMath.exp(-20), 2.061153622438558e-09),
      (PortableMath.exp(100), 2.6881171418161356e43),
      (PortableMath.logistic(-2), 0.11920292202211755),
      (PortableMath.logit(0.2), -1.3862943611198906),
    ]
    for (own, expected) in pairs {
      #expect(abs(own - expected) <= 4e-16 * abs(expected) * 4, "\(own) against \(expected)")
    }
  }
}
