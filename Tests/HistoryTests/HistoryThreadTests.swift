import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("A history on several threads")
struct HistoryThreadTests {
  private struct Sum: FluxState {
    var sum = 0
  }

  private struct Add: Action { let amount: Int }

  private func store(_ history: History<Sum>) -> Store<Sum> {
    Store<Sum>(
      reducer: { (state: inout Sum, action: any Action) in
        if let action = action as? Add { state.sum += action.amount }
      }, plugins: [history.plugin], state: Sum())
  }

  @Test("each action is reduced once, and all actions can be undone")
  func actions() {
    let history = History<Sum>(limit: 10_000, keepingEvery: 7)
    let store = store(history)
    onThreads(4) { index in
      for _ in 0..<500 { store.dispatch(Add(amount: index + 1)) }
    }
    #expect(store.state.sum == 500 * (1 + 2 + 3 + 4))
    #expect(history.record.count == 2_000)
    #expect(history.record.entries.map(\.id.rawValue) == Array(1...2_000))
    onThreads(4) { _ in
      for _ in 0..<500 { store.dispatch(HistoryAction.undo) }
    }
    #expect(store.state.sum == 0)
    #expect(history.record.position == 0)
  }

  @Test("undo and redo among dispatches lose no action: the state is the sum of the done entries")
  func moves() {
    let history = History<Sum>(limit: 100_000, keepingEvery: 3)
    let store = store(history)
    let dispatched = Shared(0)
    onThreads(4) { index in
      for round in 0..<300 {
        switch index {
        case 0, 1:
          store.dispatch(Add(amount: 1))
          dispatched.increment()
        case 2: store.dispatch(round.isMultiple(of: 2) ? HistoryAction.undo : HistoryAction.redo)
        default:
          let record = history.record
          #expect((0...record.count).contains(record.position))
          _ = history.canUndo
          _ = history.keptState(at: record.position)
        }
      }
    }
    let record = history.record
    #expect(store.state.sum == record.position)
    // A missing entry was undone and then replaced.
    #expect(record.entries.last?.id.rawValue ?? 0 <= dispatched.value)
    store.dispatch(HistoryAction.jump(to: record.count))
    #expect(store.state.sum == record.count)
    store.dispatch(Add(amount: 0))
    #expect(history.record.entries.last?.id.rawValue == dispatched.value + 1)
  }

  @Test("a thread that reads changes while others dispatch has the whole record in the end")
  func following() {
    let history = History<Sum>(limit: 10_000, keepingEvery: 3)
    let store = store(history)
    let known = Shared(KnownRecord())
    onThreads(4) { index in
      for round in 0..<300 {
        switch index {
        case 0, 1: store.dispatch(Add(amount: 1))
        case 2: store.dispatch(round.isMultiple(of: 2) ? HistoryAction.undo : .skip(.init(rawValue: round)))
        default: known.change { $0.read(history) }
        }
      }
    }
    known.change { $0.read(history) }
    #expect(known.value.difference(from: history) == nil)
  }

  @Test("while one thread locks the history, every action of the others is counted")
  func locked() {
    let history = History<Sum>(limit: 100_000)
    let store = store(history)
    onThreads(4) { index in
      for round in 0..<200 {
        if index == 0 {
          store.dispatch(round.isMultiple(of: 2) ? HistoryAction.lock : HistoryAction.unlock)
        } else {
          store.dispatch(Add(amount: 1))
        }
      }
    }
    #expect(store.state.sum + history.record.refused == 600)
    #expect(history.record.count == store.state.sum)
  }
}
