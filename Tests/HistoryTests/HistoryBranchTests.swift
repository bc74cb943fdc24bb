import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Branches of a history")
struct HistoryBranchTests {
  /// A branch as numbers: the entry that it follows, or 0, and its first and last entries.
  private func branches(_ desk: Desk) -> [[Int]] {
    desk.record.branches.map { branch in
      #expect(branch.last.rawValue - branch.first.rawValue + 1 == branch.count)
      return [branch.fork?.rawValue ?? 0, branch.first.rawValue, branch.last.rawValue]
    }
  }

  @Test("An action after a jump into the past sets the undone entries aside", arguments: [1, 10])
  func setAside(stride: Int) {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("abc")
    desk.dispatch(.jump(to: 1))
    desk.write("x")
    #expect(desk.text == "ax")
    #expect(branches(desk) == [[1, 2, 3]])
    #expect(desk.history.status.branches == desk.record.branches)
  }

  @Test("A jump to an entry of a branch makes the branch current", arguments: [1, 10])
  func restore(stride: Int) throws {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("abc")
    desk.dispatch(.jump(to: 1))
    desk.write("xy")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 2)))
    #expect(desk.text == "ab")
    #expect(desk.record.position == 2)
    #expect(branches(desk) == [[1, 4, 5]])
    desk.dispatch(.redo)
    #expect(desk.text == "abc")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 5)))
    #expect(desk.text == "axy")
    #expect(branches(desk) == [[1, 2, 3]])
  }

  @Test("An action after an undo replaces the undone entries, and sets none aside")
  func undo() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo)
    desk.write("x")
    #expect(branches(desk) == [])
    #expect(desk.record.evicted == 0)
  }

  @Test("An undo after a jump into the past still sets entries aside")
  func undoAfterJump() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.jump(to: 2), .undo)
    desk.write("x")
    #expect(branches(desk) == [[1, 2, 3]])
  }

  @Test("A redo to the last entry ends the look into the past")
  func redoAfterJump() {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.jump(to: 2), .redo, .undo)
    desk.write("x")
    #expect(branches(desk) == [])
  }

  @Test("A jump to an entry of a branch of a branch restores both", arguments: [1, 10])
  func nested(stride: Int) {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("ab")
    desk.dispatch(.jump(to: 1))
    desk.write("cd")
    desk.dispatch(.jump(to: 2))
    desk.write("e")
    #expect(branches(desk) == [[1, 2, 2], [3, 4, 4]])
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 2)))
    #expect(desk.text == "ab")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 4)))
    #expect(desk.text == "acd")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 5)))
    #expect(desk.text == "ace")
    #expect(Set(branches(desk)) == [[1, 2, 2], [3, 4, 4]])
  }

  @Test("A branch keeps the unrecorded actions that came since")
  func unrecorded() {
    let desk = Desk(History(records: .except(Receive.self)))
    desk.write("ab")
    desk.store.dispatch(Receive("R"))
    desk.dispatch(.jump(to: 1))
    desk.write("x")
    desk.store.dispatch(Receive("S"))
    #expect(desk.text == "aRxS")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 2)))
    #expect(desk.text == "abRS")
    desk.dispatch(.jump(to: HistoryEntry.ID(rawValue: 3)))
    #expect(desk.text == "aRxS")
  }

  @Test("Skipping an entry that a branch builds on shows when the branch is restored", arguments: [1, 10])
  func skip(stride: Int) throws {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("abc")
    desk.dispatch(.jump(to: 1))
    desk.write("x")
    desk.dispatch(.skip(try desk.id(1)), .jump(to: HistoryEntry.ID(rawValue: 3)))
    #expect(desk.text == "bc")
  }

  @Test("The oldest branch is removed when the branches have more entries than the limit, and counted")
  func limit() {
    let desk = Desk(History(limit: 4))
    desk.write("abc")
    for line in ["x", "y", "z"] {
      desk.dispatch(.jump(to: 1))
      desk.write(line)
    }
    #expect(branches(desk) == [[1, 2, 3], [1, 4, 4], [1, 5, 5]])
    desk.dispatch(.jump(to: 1))
    desk.write("u")
    #expect(branches(desk) == [[1, 4, 4], [1, 5, 5], [1, 6, 6]])
    #expect(desk.record.evicted == 2)
    #expect(desk.history.status.evicted == 2)
  }

  @Test("A branch is removed with the entry that it follows, and counted")
  func folded() {
    let desk = Desk(History(limit: 3))
    desk.write("abc")
    desk.dispatch(.jump(to: 1))
    desk.write("xy")
    #expect(branches(desk) == [[1, 2, 3]])
    desk.write("z")
    #expect(branches(desk) == [])
    #expect(desk.record.evicted == 2)
  }

  @Test("A commit, a rollback, and a reset forget the branches", arguments: ["commit", "rollback", "reset"])
  func forget(name: String) {
    let actions: [String: HistoryAction] = ["commit": .commit, "rollback": .rollback, "reset": .reset]
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.jump(to: 1))
    desk.write("x")
    #expect(branches(desk) == [[1, 2, 2]])
    if let action = actions[name] { desk.dispatch(action) }
    #expect(branches(desk) == [])
    #expect(desk.record.evicted == 0)
  }

  @Test("An entry of a branch is found by its id, with the position that it takes in the branch")
  func entry() throws {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.jump(to: 1))
    desk.write("x")
    let entry = try #require(desk.history.entry(HistoryEntry.ID(rawValue: 3)))
    #expect(entry.position == 3)
    #expect(entry.action as? Write == Write("c"))
    desk.dispatch(.skip(entry.id))
    #expect(desk.history.entry(entry.id)?.isSkipped == false)
  }

  @Test("An action after an import of a past position sets the undone entries aside")
  func imported() throws {
    let registry = ActionRegistry(Write.self)
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo)
    let copy = Desk()
    let data = try desk.history.export(from: desk.store, with: registry)
    copy.store.dispatch(try copy.history.importing(data, with: registry))
    copy.write("x")
    #expect(copy.text == "abx")
    #expect(branches(copy) == [[2, 3, 3]])
  }

  @Test("Actions of a branch that is removed are released, and their deinit may read the history")
  func released() {
    struct Holder: FluxState { var held: LifetimeTracker.Tracked? }
    struct Hold: Action { let held: LifetimeTracker.Tracked }
    let tracker = LifetimeTracker()
    let history = Shared<History<Holder>?>(History())
    let reads = Recorder<Int>()
    let store = Store<Holder>(
      reducer: { (holder: inout Holder, action: any Action) in
        if let action = action as? Hold { holder.held = action.held }
      }, plugins: history.value.map { [$0.plugin] } ?? [], state: Holder())
    for _ in 0..<2 {
      let held = tracker.make { if let history = history.value { reads.record(history.record.count) } }
      store.dispatch(Hold(held: held))
    }
    store.dispatch(HistoryAction.jump(to: 0))
    store.dispatch(Hold(held: tracker.make()))
    #expect(tracker.alive == 3)
    store.dispatch(HistoryAction.commit)
    #expect(tracker.alive == 1)
    #expect(reads.values == [0, 0])
    history.value = nil
  }
}
