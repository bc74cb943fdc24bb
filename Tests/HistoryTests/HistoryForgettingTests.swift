import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Forgotten values of a history")
struct HistoryForgettingTests {
  /// An operation that discards entries.
  private struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The number of entries at each release.
    let reads: [Int]
    /// The number of notes that remain.
    let stay: Int
    /// The operations after three entries, in a history with a limit of three.
    let forget: @Sendable (Desk) throws -> Void

    init(
      _ name: String, reads: [Int], stay: Int = 0, _ forget: @escaping @Sendable (Desk) throws -> Void
    ) {
      testDescription = name
      self.reads = reads
      self.stay = stay
      self.forget = forget
    }
  }

  private static let ways = [
    Way("the limit", reads: [3], stay: 3) { $0.write("d") },
    Way("the limit, by a state that is computed anew", reads: [3], stay: 3) { desk in
      desk.store.dispatch(Tick())
      desk.dispatch(.skip(try desk.id(1)))
      desk.write("d")
    },
    Way("another action in their place", reads: [2, 2], stay: 2) { desk in
      desk.dispatch(.undo, .undo)
      desk.write("d")
    },
    Way("commit", reads: [0, 0, 0]) { $0.dispatch(.commit) },
    Way("rollback", reads: [0, 0, 0]) { $0.dispatch(.rollback) },
    Way("reset", reads: [0, 0, 0]) { $0.dispatch(.reset) },
    Way("import", reads: [3, 3, 3]) { desk in
      let registry = ActionRegistry(Write.self)
      let data = try desk.history.export(from: desk.store, with: registry)
      desk.store.dispatch(try desk.history.importing(data, with: registry))
    },
  ]

  @Test("the deinit of a noted value runs immediately, and may read the history", arguments: ways)
  private func note(way: Way) throws {
    let tracker = LifetimeTracker()
    let read = Shared<History<Notebook>?>(nil)
    let reads = Recorder<Int>()
    let noting = HistoryNoting(origin: { _ in
      tracker.make { if let history = read.value { reads.record(history.record.count) } }
    })
    let desk = Desk(
      History(limit: 3, records: .except(Tick.self), unrecorded: .undoneWithEntry, noting: noting))
    desk.write("abc")
    read.value = desk.history
    try way.forget(desk)
    #expect(reads.values == way.reads)
    #expect(tracker.alive == way.stay)
    read.value = nil
  }

  @Test("the deinit of a forgotten action or state may read the history")
  func actionAndState() {
    struct Holder: FluxState { var held: LifetimeTracker.Tracked }
    struct Hold: Action { let held: LifetimeTracker.Tracked }
    let tracker = LifetimeTracker()
    let history = Shared<History<Holder>?>(History(limit: 2))
    let reads = Recorder<Int>()
    func held() -> LifetimeTracker.Tracked {
      tracker.make { if let history = history.value { reads.record(history.record.count) } }
    }
    let store = Store<Holder>(
      reducer: { (holder: inout Holder, action: any Action) in
        if let action = action as? Hold { holder.held = action.held }
      }, plugins: history.value.map { [$0.plugin] } ?? [], state: Holder(held: held()))
    // The initial state of the store is kept for a reset, and the base contains the first action's
    // value.
    for _ in 0..<4 { store.dispatch(Hold(held: held())) }
    #expect(reads.values == [2])
    store.dispatch(HistoryAction.undo)
    store.dispatch(Hold(held: held()))
    #expect(reads.values == [2, 2])
    store.dispatch(HistoryAction.commit)
    #expect(reads.values == [2, 2, 0, 0])
    #expect(tracker.alive == 2)
    history.value = nil
  }
}
