import CardFeed
import CardFeedStandardPlugins
import Testing

@testable import CardFeedCommandLine

/// `cardfeed bench scale`, at a size that takes no time. A debug build measures nothing, but it
/// counts.
@Suite struct ScaleTests {
  private let world = ScaleWorld(cards: 400, viewers: 30, swipes: 1_000)

  @Test func handsOfReturningViewersTakeThreeStatementsAndWarmOnesNone() async throws {
    let folder = try ScratchFolder()
    let captured = CapturedContext(width: 80)
    let tool = Tool(plugins: .standard)
    let path = folder.file("scale.db")
    for isBuilt in [false, true] {
      let figures = try await tool.scale(world, sample: 6, path: path, captured.context)
      #expect((figures.buildSeconds == nil) == isBuilt)
      #expect(figures.cards == 400)
      #expect(figures.fileBytes > 0)
      // Swipes, the deals of the held hands, and matches.
      #expect(figures.events >= 1_006)
      for series in [
        figures.coldHand, figures.warmHand, figures.coldDeal, figures.warmDeal,
      ] { #expect(series.nanoseconds.count == 6) }
      #expect(figures.coldHand.statements.allSatisfy { $0 == 3 })
      #expect(figures.warmHand.statements.allSatisfy { $0 == 0 })
      #expect(figures.coldDeal.statements.allSatisfy { $0 > 3 })
      #expect(figures.warmDeal.statements.allSatisfy { $0 > 0 })
    }
    await #expect(throws: (any Error).self) {
      let other = ScaleWorld(cards: 401, viewers: 30, swipes: 1_000)
      _ = try await tool.scale(other, sample: 6, path: path, captured.context)
    }
  }

  @Test func everySwipeOfTheWorldIsMadeOnce() {
    var events: Set<String> = []
    var count = 0
    for round in 0..<world.rounds {
      for viewer in 0..<world.viewers {
        for recorded in world.swipes(
          of: viewer, round: round, like: PlainAnswer.like, pass: PlainAnswer.pass)
        {
          count += 1
          events.insert("\(recorded.swipe.event)")
          #expect(recorded.swipe.viewer != recorded.swipe.card)
        }
      }
    }
    #expect(count == world.swipes)
    #expect(events.count == world.swipes)
  }

  private enum PlainAnswer: String { case like, pass }

  @Test func aDebugBuildRefuses() async {
    guard Machine.isDebug else { return }
    let call = await Call.tool("bench", "scale")
    #expect(call.status == .failure)
    #expect(call.errors.contains("debug build"))
  }
}
