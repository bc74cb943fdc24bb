import FluxCore
import FluxMiddleware
import Testing

@Suite("Unrecorded actions of a history")
struct HistoryUnrecordedTests {
  /// A desk whose history records `Write` and `Repeat` only.
  private func desk(keepingEvery stride: Int = 1) -> Desk {
    Desk(History(keepingEvery: stride, records: .except(Tick.self, Receive.self)))
  }

  @Test("An undo keeps the effect of an unrecorded action", arguments: [1, 10])
  func undo(stride: Int) {
    let desk = desk(keepingEvery: stride)
    desk.write("ab")
    desk.store.dispatch(Receive("B"))
    desk.dispatch(.undo)
    #expect(desk.text == "aB")
    desk.dispatch(.undo)
    #expect(desk.text == "B")
  }

  @Test("A redo restores the state before the undo, in the order of the actions", arguments: [1, 10])
  func redo(stride: Int) {
    let desk = desk(keepingEvery: stride)
    desk.write("a")
    desk.store.dispatch(Receive("B"))
    desk.write("c")
    desk.dispatch(.undo, .undo)
    #expect(desk.text == "B")
    desk.store.dispatch(Receive("D"))
    desk.dispatch(.redo)
    #expect(desk.text == "aBD")
    desk.dispatch(.redo)
    #expect(desk.text == "aBcD")
  }

  @Test("A failed attempt of work is not recorded, and keeps what can be redone")
  func failedAttempt() {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.undo)
    desk.store.dispatch(WorkAttemptFailed(error: CancellationError(), action: Tick(), attempt: 1))
    #expect(desk.history.record.entries.count == 2)
    desk.dispatch(.redo)
    #expect(desk.text == "ab")
  }

  @Test("An undo keeps the effect of an action that came while the history was paused")
  func paused() {
    let desk = Desk()
    desk.write("a")
    desk.dispatch(.pause)
    desk.store.dispatch(Receive("B"))
    desk.dispatch(.resume, .undo)
    #expect(desk.text == "B")
  }

  @Test("A jump keeps the effects of unrecorded actions")
  func jump() {
    let desk = desk()
    desk.write("a")
    desk.store.dispatch(Receive("B"))
    desk.write("c")
    desk.dispatch(.jump(to: 0))
    #expect(desk.text == "B")
    desk.dispatch(.jump(to: 2))
    #expect(desk.text == "aBc")
  }

  @Test("Skipping an entry reduces the unrecorded actions behind it again", arguments: [1, 10])
  func skip(stride: Int) throws {
    let desk = desk(keepingEvery: stride)
    desk.write("ab")
    desk.store.dispatch(Receive("B"))
    desk.write("c")
    desk.dispatch(.skip(try desk.id(1)))
    #expect(desk.text == "bBc")
    desk.dispatch(.skip(try desk.id(2)))
    #expect(desk.text == "Bc")
  }

  @Test("A rollback keeps the effects of unrecorded actions, and a reset does not")
  func rollback() {
    let desk = desk()
    desk.write("a")
    desk.store.dispatch(Receive("B"))
    desk.dispatch(.rollback)
    #expect(desk.text == "B")
    desk.dispatch(.reset)
    #expect(desk.text == "")
  }

  @Test("An entry recorded after an undo keeps the unrecorded actions before it")
  func recordAfterUndo() {
    let desk = desk()
    desk.write("ab")
    desk.store.dispatch(Receive("B"))
    desk.dispatch(.undo)
    desk.write("c")
    #expect(desk.text == "aBc")
    for text in ["aB", "B"] {
      desk.dispatch(.undo)
      #expect(desk.text == text)
    }
    desk.dispatch(.redo, .redo)
    #expect(desk.text == "aBc")
  }
}
