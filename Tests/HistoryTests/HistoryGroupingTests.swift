import FluxCore
import FluxMiddleware
import Testing

@Suite("Grouping of a history")
struct HistoryGroupingTests {
  /// Letters extend a word; any other character ends it.
  private static let words = HistoryGrouping.when(Write.self) { previous, current in
    previous.line != " " && current.line != " "
  }

  @Test("typing a word is one step")
  func words() {
    let desk = Desk(History(grouping: Self.words))
    desk.write("one two")
    #expect(desk.record.entries.map(\.step.rawValue) == [1, 1, 1, 4, 5, 5, 5])
    var texts: [String] = []
    for _ in 0..<4 {
      texts.append(desk.text)
      desk.dispatch(.undo)
    }
    #expect(texts == ["one two", "one ", "one", ""])
    desk.dispatch(.redo)
    #expect(desk.text == "one")
    desk.dispatch(.redo, .redo)
    #expect(desk.text == "one two")
  }

  @Test("a jump can lead into a step; undo returns to the start of the step, and redo to its end")
  func intoStep() {
    let desk = Desk(History(grouping: Self.words))
    desk.write("a two")
    desk.dispatch(.jump(to: 4))
    #expect(desk.text == "a tw")
    desk.dispatch(.redo)
    #expect(desk.text == "a two")
    desk.dispatch(.jump(to: 4), .undo)
    #expect(desk.text == "a ")
  }

  @Test("typing after a history action is a separate step")
  func ended() {
    let desk = Desk(History(grouping: Self.words))
    desk.write("ab")
    desk.dispatch(.undo, .redo)
    desk.write("cd")
    desk.dispatch(.undo)
    #expect(desk.text == "ab")
    desk.dispatch(.undo)
    #expect(desk.text == "")
  }

  @Test("a history action that does nothing does not end a step")
  func notEnded() {
    let desk = Desk(History(grouping: Self.words))
    desk.write("ab")
    desk.dispatch(.redo, .jump(to: 9))
    desk.write("c")
    #expect(desk.record.entries.map(\.step.rawValue) == [1, 1, 1])
  }

  @Test("an unrecorded action does not end a step, and is undone with it")
  func unrecorded() {
    let desk = Desk(History(records: .except(Tick.self), unrecorded: .undoneWithEntry, grouping: Self.words))
    desk.write("a")
    desk.store.dispatch(Tick())
    desk.write("b")
    desk.dispatch(.undo)
    #expect(desk.store.state == Notebook())
  }

  @Test("with grouping by type, a run of actions of the given types is a step")
  func byType() {
    let desk = Desk(History(grouping: .byType(Write.self, Tick.self)))
    desk.write("ab")
    desk.store.dispatch(Tick())
    desk.store.dispatch(Tick())
    desk.store.dispatch(Repeat())
    desk.store.dispatch(Repeat())
    #expect(desk.record.entries.map(\.step.rawValue) == [1, 1, 3, 3, 5, 6])
  }

  @Test("without grouping, every action is a step")
  func ungrouped() {
    let desk = Desk()
    desk.write("aa")
    #expect(desk.record.entries.map(\.step.rawValue) == [1, 2])
  }

  @Test("several groupings together group the actions that any of them groups")
  func anyOf() {
    let desk = Desk(History(grouping: .any(of: .byType(Tick.self), Self.words)))
    desk.write("ab")
    desk.store.dispatch(Tick())
    desk.store.dispatch(Tick())
    #expect(desk.record.entries.map(\.step.rawValue) == [1, 1, 3, 3])
  }

  @Test("the grouping closure receives the action that was recorded before")
  func closure() {
    let desk = Desk(
      History(grouping: HistoryGrouping { previous, current in previous is Write && current is Repeat }))
    desk.write("a")
    desk.store.dispatch(Repeat())
    desk.store.dispatch(Repeat())
    desk.dispatch(.undo)
    #expect(desk.text == "aa")
    desk.dispatch(.undo)
    #expect(desk.text == "")
  }

  @Test("a step that the limit has shortened is undone as far as it exists")
  func cut() {
    let desk = Desk(History(limit: 2, grouping: Self.words))
    desk.write("abcd")
    #expect(desk.record.count == 2)
    desk.dispatch(.undo)
    #expect(desk.text == "ab")
  }
}
