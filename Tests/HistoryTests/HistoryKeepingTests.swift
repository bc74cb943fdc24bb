import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("States that a history keeps")
struct HistoryKeepingTests {
  private struct Sheet: FluxState {
    var cells = Array(0..<1_000)
    /// The address of the cells in memory.
    var address: UInt { cells.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
  }

  private struct Fill: Action { let value: Int }
  private struct Note: Action {}

  private func store(_ history: History<Sheet>) -> Store<Sheet> {
    Store<Sheet>(
      reducer: { (sheet: inout Sheet, action: any Action) in
        if let action = action as? Fill { sheet.cells[action.value] = -1 }
        if action is Note { sheet.cells[0] += 1 }
      }, plugins: [history.plugin], state: Sheet())
  }

  /// The indices of the actions that copied the cells.
  private func copies(_ store: Store<Sheet>, _ actions: [any Action]) -> [Bool] {
    actions.map { action in
      let before = store.withState(\.address)
      store.dispatch(action)
      return store.withState(\.address) != before
    }
  }

  @Test("if every state is kept, each action copies the storage that it changes")
  func everyState() {
    let store = store(History())
    #expect(copies(store, (1...4).map(Fill.init)) == [true, true, true, true])
  }

  @Test("if each n-th state is kept, the actions between them change the state in place")
  func eachNth() {
    let store = store(History(keepingEvery: 3))
    #expect(
      copies(store, (1...8).map(Fill.init)) == [true, false, false, true, false, false, true, false])
  }

  @Test("the current state is not kept, so that unrecorded actions change it in place")
  func unrecorded() {
    let store = store(History(records: .except(Note.self)))
    #expect(
      copies(store, [Note(), Note(), Fill(value: 1), Note(), Note()]) == [true, false, true, false, false])
  }

  @Test("after a commit the state is not kept")
  func commit() {
    let store = store(History(records: .except(Note.self)))
    store.dispatch(Fill(value: 1))
    store.dispatch(HistoryAction.commit)
    #expect(copies(store, [Note(), Fill(value: 2)]) == [false, true])
  }

  @Test("a kept state shares its storage with the store's state")
  func shared() {
    let history = History<Sheet>()
    let store = store(history)
    store.dispatch(Fill(value: 1))
    let address = store.withState(\.address)
    store.dispatch(Fill(value: 2))
    #expect(history.keptState(at: 1)?.address == address)
    store.dispatch(HistoryAction.undo)
    #expect(store.withState(\.address) == address)
  }

  @Test("a kept state can be read; a state that is not kept, or an entry that does not exist, returns nil")
  func keptStates() {
    let desk = Desk(History(keepingEvery: 2))
    desk.write("abcde")
    #expect(
      (-1...6).map { desk.history.keptState(at: $0)?.lines.joined() } == [
        nil, "", nil, "ab", nil, "abcd", nil, nil,
      ])
  }

  @Test("undo recomputes from the nearest kept state")
  func recompute() {
    let reduced = Shared(0)
    let history = History<Notebook>(keepingEvery: 4)
    let store = Store<Notebook>(
      reducer: { (notebook: inout Notebook, action: any Action) in
        reduced.increment()
        notebookReducer(&notebook, action)
      }, plugins: [history.plugin], state: Notebook())
    for line in ["a", "b", "c", "d", "e", "f", "g"] { store.dispatch(Write(line)) }
    reduced.value = 0
    store.dispatch(HistoryAction.undo)
    #expect(reduced.value == 2)
    store.dispatch(HistoryAction.redo)
    #expect(reduced.value == 3)
    #expect(store.state.lines.joined() == "abcdefg")
  }

  @Test("states on a long way are kept again, so that the next move is fast")
  func keepOnTheWay() throws {
    let desk = Desk(History(keepingEvery: 2))
    desk.write("abcdef")
    desk.dispatch(.skip(try desk.id(1)))
    #expect(
      (0...6).map { desk.history.keptState(at: $0)?.lines.joined() } == [
        "", nil, "b", nil, "bcd", nil, nil,
      ])
  }

  @Test(
    "there are at most limit + keepingEvery - 1 entries, and limit entries can always be undone",
    arguments: [(1, 1), (3, 1), (1, 3), (4, 3), (0, 0)])
  func limit(limit: Int, stride: Int) {
    let desk = Desk(History(limit: limit, keepingEvery: stride))
    let text = "abcdefghijklmnopqrst"
    for (index, character) in text.enumerated() {
      desk.write("\(character)")
      #expect(desk.record.count >= min(index + 1, limit))
      #expect(desk.record.count <= max(1, limit) + max(1, stride) - 1)
    }
    let count = desk.record.count
    for _ in 0..<count { desk.dispatch(.undo) }
    #expect(desk.text == text.dropLast(count))
    #expect(!desk.record.canUndo)
    for _ in 0..<count { desk.dispatch(.redo) }
    #expect(desk.text == text)
  }

  @Test("removing the oldest entries reduces no action again", arguments: [1, 3])
  func forgetting(stride: Int) {
    let reduced = Shared(0)
    let history = History<Notebook>(limit: 4, keepingEvery: stride)
    let store = Store<Notebook>(
      reducer: { (_: inout Notebook, _: any Action) in reduced.increment() }, plugins: [history.plugin],
      state: Notebook())
    for _ in 0..<20 { store.dispatch(Repeat()) }
    #expect(reduced.value == 20)
  }

  @Test("the limit holds even when the states up to which entries are folded are not kept")
  func limitAfterSkip() throws {
    let desk = Desk(History(limit: 4, records: .except(Tick.self), unrecorded: .undoneWithEntry))
    desk.write("abc")
    desk.store.dispatch(Tick())
    // After the third entry the computation continues from the tick's result, so earlier states
    // are not computed again.
    desk.dispatch(.skip(try desk.id(1)))
    desk.write("def")
    #expect(desk.record.count == 4)
    desk.dispatch(.jump(to: 0))
    #expect(desk.store.state == Notebook(lines: ["b"]))
  }

  @Test("forgotten values are released immediately")
  func released() {
    struct Holder: FluxState { var held: LifetimeTracker.Tracked? }
    struct Hold: Action { let held: LifetimeTracker.Tracked }
    let tracker = LifetimeTracker()
    let history = History<Holder>(limit: 3)
    let store = Store<Holder>(
      reducer: { (holder: inout Holder, action: any Action) in
        holder.held = (action as? Hold)?.held ?? holder.held
      }, plugins: [history.plugin], state: Holder())
    for _ in 0..<10 { store.dispatch(Hold(held: tracker.make())) }
    // The entries' own states, and the base's.
    #expect(tracker.alive == 4)
    store.dispatch(HistoryAction.commit)
    #expect(tracker.alive == 1)
  }
}
