import CardFeedLayout
import CardFeedStack
import Foundation
import Testing

/// The presets: their numbers one by one, and what they come to.
struct LayoutPresetTests {
  @Test(arguments: [
    ("stack-of-three", [[1, 0, 1, 2], [0.95, -8, 0.8, 1], [0.9, -16, 0.6, 0]]),
    ("pair", [[1, 0, 1, 1], [0.95, 0, 1, 0]]),
    (
      "layered",
      [
        [1, 0, 1, 5],
        [0.9575782, -10.1812409, 0.5787037, 4.1515633],
        [0.9223548, -18.634854, 0.2962963, 3.4470955],
        [0.8931084, -25.6539959, 0.125, 2.862167],
        [0.8688247, -31.4820782, 0.05, 2.3764935],
      ]
    ),
    (
      "pool-of-seven",
      [[1, 0, 1, 4], [0.875, 0, 0.421875, 3], [0.85, 0, 0.125, 2], [0.85, 0, 0.05, 1]]
    ),
  ])
  func layersAreThoseOfTheTable(name: String, expected: [[Double]]) throws {
    let preset = try #require(LayoutPreset.named(name))
    for (distance, numbers) in expected.enumerated() {
      let layer = preset.style.layer(at: distance)
      for (value, number) in zip([layer.scale, layer.offsetY, layer.alpha, layer.z], numbers) {
        #expect(abs(value - number) < 5e-8, "\(name) at \(distance): \(value), not \(number)")
      }
    }
  }

  @Test func theSecondCardGrowsWithTheFirstOnesDrag() {
    for preset in [LayoutPreset.stackOfThree, .pair] {
      for drag in stride(from: -450.0, through: 450, by: 15) {
        let expected = 0.95 + 0.05 * min(abs(drag) / 300, 1)
        #expect(abs(preset.style.layer(at: 1, drag: drag).scale - expected) < 1e-12)
        #expect(preset.style.layer(at: 0, drag: drag) == preset.style.layer(at: 0))
      }
    }
    #expect(LayoutPreset.stackOfThree.style.layer(at: 2, drag: 300).offsetY == -8)
  }

  @Test(arguments: LayoutPreset.all)
  func cardsFurtherDownAreSmallerPalerAndBehind(preset: LayoutPreset) {
    for distance in 1..<preset.style.layers + 3 {
      let above = preset.style.layer(at: distance - 1)
      let below = preset.style.layer(at: distance)
      #expect(below.scale <= above.scale && below.scale > 0)
      #expect(below.alpha <= above.alpha && (0...1).contains(below.alpha))
      #expect(below.z < above.z || distance >= preset.style.layers)
    }
  }

  @Test func jitterIsBoundedSteadyAndNotOfTheTopCard() {
    let style = LayoutPreset.layered.style
    let angles = (0..<200).map { style.layer(at: 1, position: $0).rotation }
    #expect(angles.allSatisfy { abs($0) <= 2 })
    #expect(Set(angles).count > 190)
    #expect(angles == (0..<200).map { style.layer(at: 1, position: $0).rotation })
    #expect((0..<200).allSatisfy { style.layer(at: 0, position: $0).rotation == 0 })
  }

  @Test func rolesAreThreeLayersOfResponsibility() {
    #expect(
      (0..<5).map(LayoutPreset.layered.role(at:))
        == [.interactive, .rising, .rising, .waiting, .waiting])
    #expect(LayoutPreset.poolOfSeven.role(at: -1) == .waiting)
  }

  @Test func theTopCardFollowsTheFinger() {
    let size = CardSize(width: 320, height: 480)
    let layer = LayoutPreset.stackOfThree.top(draggedBy: Drag(x: 60, y: -10), size: size)
    #expect(layer.offsetX == 60 && layer.offsetY == -10 && layer.rotation == 3 && layer.scale == 1)
  }

  @Test(arguments: LayoutPreset.all)
  func poolsAreLargeEnoughForTheirWindows(preset: LayoutPreset) {
    #expect(preset.slots >= preset.window.count)
    #expect(preset.window.contains(0))
  }

  @Test func presetsAreFoundByNameOnly() {
    #expect(LayoutPreset.all.map(\.name) == ["stack-of-three", "pair", "layered", "pool-of-seven"])
    #expect(LayoutPreset.named("Pair") == nil)
  }

  /// Every number of every preset with its unit.
  @Test(arguments: [
    (
      "stack-of-three",
      """
      window.first 0 cards; window.last 2 cards; window.hold 1.2 cards; slots 5 cards; rising 2 cards; \
      layers 3 cards; scale.0 1 ratio; scale.1 0.95 ratio; scale.2 0.9 ratio; offset-y.0 0 points; \
      offset-y.1 -8 points; offset-y.2 -16 points; alpha.0 1 ratio; alpha.1 0.8 ratio; alpha.2 0.6 ratio; \
      z.0 2 depth; z.1 1 depth; z.2 0 depth; jitter.amplitude 0 degrees; jitter.step 0 radians; \
      rising-distance 300 points; threshold 120 points; release-speed 1000 points per second; \
      rotation 20 points per degree; fly-out.share 1.5 ratio; fly-out.shortest 0.15 seconds; \
      fly-out.longest 0.4 seconds; fly-out.speed 1200 points per second; spring 0.35 seconds
      """
    ),
    (
      "pair",
      """
      window.first 0 cards; window.last 1 cards; window.hold 1.2 cards; slots 2 cards; rising 1 cards; \
      layers 2 cards; scale.0 1 ratio; scale.1 0.95 ratio; offset-y 0 points; alpha 1 ratio; z.0 1 depth; \
      z.1 0 depth; jitter.amplitude 0 degrees; jitter.step 0 radians; rising-distance 300 points; \
      threshold 80 points; release-speed 1000 points per second; rotation 10 points per degree; \
      fly-out.share 1.5 ratio; fly-out.shortest 0.15 seconds; fly-out.longest 0.4 seconds; \
      fly-out.speed 1200 points per second; spring 0.3 seconds
      """
    ),
    (
      "layered",
      """
      window.first 0 cards; window.last 4 cards; window.hold 1.2 cards; slots 5 cards; rising 2 cards; \
      layers 5 cards; scale.base 0.75 ratio; scale.depth 0.25 ratio; scale.ratio 0.8 ratio; \
      scale.reach 1.2 cards; offset-y.base -60 points; offset-y.depth 60 points; offset-y.ratio 0.8 ratio; \
      offset-y.reach 1.2 cards; alpha.floor 0.05 ratio; alpha.reach 6 cards; z.base 0 depth; \
      z.depth 5 depth; z.ratio 0.8 ratio; z.reach 1.2 cards; jitter.amplitude 2 degrees; \
      jitter.step 2.399963229728653 radians; rising-distance 300 points; threshold 0.5 ratio; \
      release-speed 1000 points per second; rotation 12 degrees; fly-out.share 1.5 ratio; \
      fly-out.shortest 0.15 seconds; fly-out.longest 0.4 seconds; fly-out.speed 1200 points per second; \
      spring 0.35 seconds
      """
    ),
    (
      "pool-of-seven",
      """
      window.first -2 cards; window.last 2 cards; window.hold 1.2 cards; slots 7 cards; rising 2 cards; \
      layers 5 cards; scale.base 1 ratio; scale.fall 0.15 ratio; scale.reach 1.2 cards; \
      offset-y 0 points; alpha.floor 0.05 ratio; alpha.reach 4 cards; z.base 4 depth; z.fall 4 depth; \
      z.reach 4 cards; jitter.amplitude 0 degrees; jitter.step 0 radians; rising-distance 300 points; \
      threshold 80 points; release-speed 1000 points per second; rotation 12 degrees; \
      fly-out.share 1.5 ratio; fly-out.shortest 0.15 seconds; fly-out.longest 0.4 seconds; \
      fly-out.speed 1200 points per second; spring 0.35 seconds
      """
    ),
  ])
  func constantsAreThoseOfTheTable(name: String, golden: String) throws {
    let preset = try #require(LayoutPreset.named(name))
    let table = preset.constants.map { constant -> String in
      let value = constant.value
      let number = value == value.rounded() ? String(Int(value)) : String(value)
      return "\(constant.name) \(number) \(constant.unit.rawValue)"
    }
    #expect(table.joined(separator: "; ") == golden)
  }

  @Test(arguments: LayoutPreset.all)
  func aDocumentSaysWhatTheLibraryDraws(preset: LayoutPreset) throws {
    let document = LayoutDocument(preset)
    let bytes = try JSONEncoder().encode(document)
    #expect(try JSONDecoder().decode(LayoutDocument.self, from: bytes) == document)
    #expect(document.samples.count == preset.style.layers * 20 + 1)
    for distance in 0..<preset.style.layers {
      let sample = document.samples[distance * 20]
      #expect(sample.distance == Double(distance))
      var layer = preset.style.layer(at: distance)
      layer.rotation = 0
      #expect(sample.layer == layer)
    }
    #expect(document.spring.first == 1 && document.spring.last == 0)
    #expect(document.jitter == (0..<64).map(preset.style.jitter.rotation(at:)))
  }
}
