import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Histories of parts of the state")
struct HistoryLiftedTests {
  private struct Office: FluxState, Equatable {
    var left = Notebook()
    var right = Notebook()
    var count = 0
  }

  private struct Left: Action {
    let line: String
  }

  private struct Right: Action {
    let line: String
  }

  private static let reducer: MutatingReducer<Office> = { office, action in
    switch action {
    case let action as Left: office.left.lines.append(action.line)
    case let action as Right: office.right.lines.append(action.line)
    case is HistoryAction: return
    default: break
    }
    office.count += 1
  }

  private func store(_ left: History<Notebook>, _ right: History<Notebook>) -> Store<Office> {
    Store(
      reducer: Self.reducer, plugins: [lift(left.plugin, to: \.left), lift(right.plugin, to: \.right)],
      state: Office())
  }

  @Test("each history undoes its own changes, and no others", arguments: [1, 3])
  func disjoint(stride: Int) {
    let left = History<Notebook>(named: "left", keepingEvery: stride, records: .only(Left.self))
    let right = History<Notebook>(named: "right", keepingEvery: stride, records: .only(Right.self))
    let store = store(left, right)
    for line in ["a", "b", "c", "d"] {
      store.dispatch(Left(line: line))
      store.dispatch(Right(line: line))
    }
    store.dispatch(HistoryAction.undo.in(left))
    store.dispatch(HistoryAction.undo.in(left))
    store.dispatch(HistoryAction.undo.in(right))
    #expect(store.state.left.lines == ["a", "b"])
    #expect(store.state.right.lines == ["a", "b", "c"])
    #expect(store.state.count == 8)
    store.dispatch(HistoryAction.redo.in(left))
    #expect(store.state.left.lines == ["a", "b", "c"])
    #expect(right.record.position == 3)
    #expect(right.record.count == 4)
    #expect(left.record.position == 3)
    #expect(store.state.count == 8)
  }

  @Test("a record of a part is exported and replayed in another store")
  func replay() throws {
    let left = History<Notebook>(named: "left", keepingEvery: 2, records: .only(Write.self))
    let registry = ActionRegistry(Write.self)
    func make(_ history: History<Notebook>) -> Store<Office> {
      Store(
        reducer: lift(notebookReducer, to: \Office.left), plugins: [lift(history.plugin, to: \.left)],
        state: Office())
    }
    let store = make(left)
    for line in ["a", "b", "c"] { store.dispatch(Write(line)) }
    store.dispatch(HistoryAction.undo.in(left))
    let data = try left.export(from: store, at: \.left, with: registry)
    let copy = History<Notebook>(named: "left")
    let fresh = make(copy)
    fresh.dispatch(try copy.importing(data, with: registry))
    #expect(fresh.state == store.state)
    #expect(copy.record.lastImport?.arrived == true)
    fresh.dispatch(HistoryAction.redo.in(copy))
    #expect(fresh.state.left.lines == ["a", "b", "c"])
  }

  @Test("while one history is locked, the others continue")
  func locked() {
    let left = History<Notebook>(named: "left")
    let right = History<Notebook>(named: "right")
    let store = store(left, right)
    store.dispatch(HistoryAction.lock.in(left))
    store.dispatch(Left(line: "a"))
    store.dispatch(Right(line: "b"))
    #expect(store.state.left.lines == [])
    #expect(store.state.right.lines == ["b"])
    #expect(left.record.refused == 2)
  }
}
