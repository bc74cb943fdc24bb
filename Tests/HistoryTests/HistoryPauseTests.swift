import FluxCore
import FluxMiddleware
import Testing

@Suite("Pausing and locking a history")
struct HistoryPauseTests {
  @Test("while a history is paused, actions are reduced and not recorded")
  func paused() {
    let desk = Desk()
    desk.write("a")
    desk.dispatch(.pause)
    #expect(desk.record.isPaused)
    desk.write("bc")
    #expect(desk.text == "abc")
    #expect(desk.record.count == 1)
    desk.dispatch(.resume)
    #expect(!desk.record.isPaused)
    desk.write("d")
    #expect(desk.record.count == 2)
  }

  @Test("an unrecorded action belongs to the current point: undo removes it and redo restores it")
  func amended() {
    let desk = Desk(History(records: .except(Tick.self), unrecorded: .undoneWithEntry))
    desk.write("a")
    desk.store.dispatch(Tick())
    desk.write("b")
    #expect(desk.record.entries.map(\.isAmended) == [true, false])
    desk.dispatch(.undo)
    #expect(desk.store.state == Notebook(lines: ["a"], ticks: 1))
    desk.dispatch(.undo)
    #expect(desk.store.state == Notebook())
    desk.dispatch(.redo)
    #expect(desk.store.state == Notebook(lines: ["a"], ticks: 1))
  }

  @Test("an unrecorded action before the first entry changes the base")
  func amendedBase() {
    let desk = Desk(History(records: .except(Tick.self)))
    desk.store.dispatch(Tick())
    desk.write("a")
    desk.dispatch(.undo)
    #expect(desk.store.state == Notebook(ticks: 1))
    desk.write("b")
    desk.dispatch(.rollback)
    #expect(desk.store.state == Notebook(ticks: 1))
    desk.dispatch(.reset)
    #expect(desk.store.state == Notebook())
  }

  @Test("an unrecorded action at an earlier position is still effective after a redo")
  func amendedInTheMiddle() {
    let desk = Desk(History(records: .except(Tick.self), unrecorded: .undoneWithEntry))
    desk.write("abc")
    desk.dispatch(.undo, .undo)
    desk.store.dispatch(Tick())
    desk.dispatch(.redo, .redo)
    #expect(desk.store.state == Notebook(lines: ["a", "b", "c"], ticks: 1))
    desk.dispatch(.jump(to: 0))
    #expect(desk.store.state == Notebook())
    desk.dispatch(.jump(to: 1))
    #expect(desk.store.state == Notebook(lines: ["a"], ticks: 1))
  }

  @Test(
    "an unrecorded action that changes nothing leaves the point unchanged, so that skips reach past it")
  func unchanged() throws {
    let desk = Desk(History(records: .only(Write.self)))
    desk.write("ab")
    desk.store.dispatch(Idle())
    desk.write("c")
    #expect(desk.record.entries.map(\.isAmended) == [false, false, false])
    desk.dispatch(.skip(try desk.id(1)))
    #expect(desk.text == "bc")
  }

  @Test("without a comparison of states, any unrecorded action amends the point")
  func incomparable() {
    struct Opaque: FluxState {
      var lines: [String] = []
    }
    let history = History<Opaque>(records: .only(Write.self))
    let store = Store(
      reducer: { (state: inout Opaque, action: any Action) in
        if let action = action as? Write { state.lines.append(action.line) }
      }, plugins: [history.plugin], state: Opaque())
    store.dispatch(Write("a"))
    store.dispatch(Idle())
    #expect(history.record.entries.map(\.isAmended) == [true])
  }

  @Test("while a history is locked, actions change nothing and are counted, and the history can still move")
  func locked() {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.lock)
    #expect(desk.record.isLocked)
    desk.write("cd")
    #expect(desk.text == "ab")
    #expect(desk.record.refused == 2)
    desk.dispatch(.undo)
    #expect(desk.text == "a")
    desk.write("x")
    desk.dispatch(.redo, .unlock)
    #expect(desk.text == "ab")
    #expect(!desk.record.isLocked)
    desk.write("c")
    #expect(desk.text == "abc")
    #expect(desk.record.refused == 3)
  }

  @Test("a locked history also refuses actions that it would not record")
  func lockedAndPaused() {
    let desk = Desk(History(records: .except(Tick.self)))
    desk.dispatch(.lock, .pause)
    desk.store.dispatch(Tick())
    desk.write("a")
    #expect(desk.store.state == Notebook())
    #expect(desk.record.refused == 2)
  }
}
