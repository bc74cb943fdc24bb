import TestSupport
import Testing

@Suite("Edits of an entry, in every order of events", .unlessItHangs)
struct OverlayModelTests {
  /// The number of events of an order.
  private static let length = 5

  private struct Walk {
    var orders = 0
    /// The first order whose text differs from the reference, and the difference.
    var finding: (order: [OverlayEvent], difference: String)?

    init(_ mistake: OverlayMistake? = nil) {
      walk(OverlayModel(mistake), [])
    }

    private mutating func walk(_ model: OverlayModel, _ order: [OverlayEvent]) {
      orders += 1
      if let difference = model.difference {
        finding = (order, difference)
        return
      }
      guard order.count < OverlayModelTests.length else { return }
      for event in OverlayEvent.allCases where finding == nil {
        var next = model
        if next.happen(event) { walk(next, order + [event]) }
      }
    }
  }

  // A long computation runs on a separate thread, because other tests need the threads of tasks.
  @Test("the shown result is the last result with the confirmed edits and the running edits")
  func everyOrder() async {
    let walk = await resultOfThread { Walk() }
    printStatistics("edits: \(walk.orders) orders")
    #expect(walk.finding == nil, "\(String(describing: walk.finding))")
    #expect(walk.orders > 50_000)
  }

  @Test("the exploration finds each planted mistake", arguments: OverlayMistake.allCases)
  func mistakes(mistake: OverlayMistake) async {
    let walk = await resultOfThread { Walk(mistake) }
    printStatistics("\(mistake): \(String(describing: walk.finding))")
    #expect(walk.finding != nil)
  }
}
