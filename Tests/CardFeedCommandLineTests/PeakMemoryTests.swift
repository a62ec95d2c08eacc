import Testing

@testable import CardFeedCommandLine

/// What `bench market` says of memory.
@Suite struct PeakMemoryTests {
  @Test func whatABodyHeldIsSeenThoughItIsGivenBack() {
    let megabytes = 96
    var sum = 0
    let peak = Machine.peakBytes {
      var block = [UInt8](repeating: 1, count: megabytes << 20)
      // Other tests may give back memory meanwhile, not as much as this.
      for place in stride(from: 0, to: block.count, by: 4096) { block[place] = 2 }
      sum = Int(block[4096])
    }
    #expect(sum == 2)
    // Where the system does not tell, there is no figure rather than a wrong one.
    if let peak { #expect(peak > megabytes << 19) }
  }
}
