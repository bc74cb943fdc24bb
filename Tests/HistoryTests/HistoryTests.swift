import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("A history")
struct HistoryTests {
  @Test("undo takes back the last action, and redo applies it again")
  func undoAndRedo() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo)
    #expect(desk.text == "ab")
    desk.dispatch(.undo, .undo)
    #expect(desk.text == "")
    desk.dispatch(.redo)
    #expect(desk.text == "a")
    desk.dispatch(.redo, .redo)
    #expect(desk.text == "abc")
  }

  @Test("without entries to undo or redo, nothing changes")
  func nothingToUndo() {
    let desk = Desk()
    desk.dispatch(.undo, .redo)
    #expect(desk.record.count == 0)
    desk.write("a")
    desk.dispatch(.redo)
    #expect(desk.text == "a")
    desk.dispatch(.undo, .undo)
    #expect(desk.text == "")
    #expect(desk.record.position == 0)
    #expect(desk.record.count == 1)
  }

  @Test("a history reports whether it can undo and redo")
  func canUndo() {
    let desk = Desk()
    func abilities() -> [Bool] {
      #expect(desk.record.canUndo == desk.history.canUndo)
      #expect(desk.record.canRedo == desk.history.canRedo)
      return [desk.history.canUndo, desk.history.canRedo]
    }
    #expect(abilities() == [false, false])
    desk.write("ab")
    #expect(abilities() == [true, false])
    desk.dispatch(.undo)
    #expect(abilities() == [true, true])
    desk.dispatch(.undo)
    #expect(abilities() == [false, true])
  }

  @Test("an action after an undo replaces the undone entries")
  func branch() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo, .undo)
    desk.write("x")
    #expect(desk.text == "ax")
    #expect(desk.record.entries.map(\.description) == ["Write(line: \"a\")", "Write(line: \"x\")"])
    desk.dispatch(.redo)
    #expect(desk.text == "ax")
  }

  @Test("ids ascend, and the ids of forgotten entries are not used again")
  func ids() {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.undo)
    desk.write("c")
    #expect(desk.record.entries.map(\.id.rawValue) == [1, 3])
    desk.dispatch(.commit)
    desk.write("d")
    #expect(desk.record.entries.map(\.id.rawValue) == [4])
  }

  @Test("a jump can lead to any position, including 0 and the last one")
  func jump() {
    let desk = Desk()
    desk.write("abcd")
    for (position, text) in [(2, "ab"), (4, "abcd"), (0, ""), (3, "abc"), (3, "abc")] {
      desk.dispatch(.jump(to: position))
      #expect(desk.text == text)
      #expect(desk.record.position == position)
    }
  }

  @Test("a jump to an entry leads to the state after it, whatever its present position")
  func jumpToEntry() throws {
    let desk = Desk(History(limit: 3))
    desk.write("ab")
    let second = try desk.id(2)
    desk.write("cd")
    desk.dispatch(.jump(to: second))
    #expect(desk.text == "ab")
    #expect(desk.record.position == 1)
  }

  @Test("a jump to an unknown position changes nothing")
  func jumpToNowhere() {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.jump(to: 3), .jump(to: -1), .jump(to: .init(rawValue: 7)))
    #expect(desk.text == "ab")
    #expect(desk.record.position == 2)
  }

  @Test("a commit forgets all entries, including undone ones, and keeps the state")
  func commit() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo, .commit)
    #expect(desk.text == "ab")
    #expect(desk.record.count == 0)
    desk.dispatch(.undo, .redo)
    #expect(desk.text == "ab")
  }

  @Test("a rollback returns to the last commit, and forgets all entries")
  func rollback() {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.commit)
    desk.write("cd")
    desk.dispatch(.rollback)
    #expect(desk.text == "ab")
    #expect(desk.record.count == 0)
    desk.dispatch(.rollback)
    #expect(desk.text == "ab")
  }

  @Test("a rollback without a commit returns to the initial state")
  func rollbackToFirst() {
    let desk = Desk(state: Notebook(lines: ["!"]))
    desk.write("ab")
    desk.dispatch(.rollback)
    #expect(desk.text == "!")
  }

  @Test("a reset returns to the initial state, even after a commit, and forgets all entries")
  func reset() {
    let desk = Desk(state: Notebook(lines: ["!"]))
    desk.write("ab")
    desk.dispatch(.commit)
    desk.write("c")
    desk.dispatch(.reset)
    #expect(desk.text == "!")
    #expect(desk.record.count == 0)
    desk.write("d")
    desk.dispatch(.undo)
    #expect(desk.text == "!")
  }

  @Test("a history action makes a transition like any other, and observers receive its state")
  func observed() {
    let versions = Recorder<UInt64>()
    let heard = Recorder<String>()
    let history = History<Notebook>()
    let store = Store(
      reducer: notebookReducer,
      plugins: [history.plugin, Plugin(onTransition: .actions { _, version in versions.record(version) })],
      state: Notebook())
    let token = store.subscribe(to: \.lines) { heard.record($0.joined()) }
    store.dispatch(Write("a"))
    store.dispatch(HistoryAction.undo)
    store.dispatch(HistoryAction.redo)
    #expect(heard.values == ["", "a", "", "a"])
    #expect(versions.values == [1, 2, 3])
    token.cancel()
  }

  @Test("the store's reducer does not receive the history's own actions")
  func ownActions() {
    let seen = Recorder<String>()
    let history = History<Notebook>(named: "mine")
    let store = Store<Notebook>(
      reducer: { (_: inout Notebook, action: any Action) in seen.record("\(action)") },
      plugins: [history.plugin], state: Notebook())
    store.dispatch(HistoryAction.undo.in("mine"))
    store.dispatch(HistoryAction.undo.in("other"))
    store.dispatch(HistoryAction.undo)
    #expect(seen.values == ["History: undo in other", "History: undo"])
  }

  @Test("of several histories only the named one moves, and the others do not record the move")
  func named() {
    struct Spread: FluxState, Equatable {
      var left = 0
      var right = 0
    }
    struct Left: Action {}
    struct Right: Action {}
    let left = History<Spread>(named: "left", records: .only(Left.self))
    let right = History<Spread>(named: "right", records: .only(Right.self))
    let store = Store<Spread>(
      reducer: { (state: inout Spread, action: any Action) in
        if action is Left { state.left += 1 }
        if action is Right { state.right += 1 }
      }, plugins: [left.plugin, right.plugin], state: Spread())
    for action in [Left(), Right(), Left()] as [any Action] { store.dispatch(action) }
    store.dispatch(HistoryAction.undo.in(left))
    #expect(store.state == Spread(left: 1, right: 1))
    #expect(left.record.position == 1)
    #expect(right.record.position == 1)
    store.dispatch(HistoryAction.undo.in("right"))
    #expect(right.record.position == 0)
    #expect(left.record.count == 2)
  }

  @Test("a history inside another history's reducer does not record actions that the outer one repeats")
  func nested() throws {
    let outer = History<Notebook>(named: "outer", keepingEvery: 10)
    let inner = History<Notebook>(named: "inner")
    let store = Store(
      reducer: notebookReducer, plugins: [outer.plugin, inner.plugin], state: Notebook())
    for line in ["a", "b", "c"] { store.dispatch(Write(line)) }
    store.dispatch(HistoryAction.undo.in("outer"))
    #expect(store.state.lines == ["a", "b"])
    #expect(inner.record.count == 3)
  }

  @Test("after replaceReducer the record continues, and states are computed by the new reducer")
  func replaceReducer() {
    let desk = Desk(History(keepingEvery: 10))
    desk.write("ab")
    desk.store.replaceReducer { (notebook: inout Notebook, action: any Action) in
      if let action = action as? Write { notebook.lines.append(action.line.uppercased()) }
    }
    desk.write("c")
    #expect(desk.text == "abC")
    #expect(desk.record.count == 3)
    desk.dispatch(.undo)
    #expect(desk.text == "AB")
  }

  @Test("a state need not be equatable, and is released with the store")
  func release() {
    struct Holder: FluxState { var held: [LifetimeTracker.Tracked] = [] }
    struct Hold: Action { let held: LifetimeTracker.Tracked }
    let tracker = LifetimeTracker()
    let history = Shared<History<Holder>?>(History())
    do {
      let store = Store<Holder>(
        reducer: { (holder: inout Holder, action: any Action) in
          if let action = action as? Hold { holder.held.append(action.held) }
        }, plugins: [history.value?.plugin].compactMap(\.self), state: Holder())
      for _ in 0..<3 { store.dispatch(Hold(held: tracker.make())) }
      store.dispatch(HistoryAction.undo)
      #expect(tracker.alive == 3)
      store.dispatch(HistoryAction.rollback)
      #expect(tracker.alive == 0)
      store.dispatch(Hold(held: tracker.make()))
      history.value = nil
      #expect(tracker.alive == 1)
    }
    #expect(tracker.alive == 0)
  }
}
