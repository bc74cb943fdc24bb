import FluxCore
import FluxMiddleware
import Testing

@Suite("Skipping entries of a history")
struct HistorySkipTests {
  @Test("states after a skipped entry are computed again without it", arguments: [1, 3])
  func skip(stride: Int) throws {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("ab")
    desk.store.dispatch(Repeat())
    desk.write("c")
    desk.dispatch(.skip(try desk.id(2)))
    #expect(desk.text == "aac")
    #expect(desk.record.entries.map(\.isSkipped) == [false, true, false, false])
    #expect(desk.record.position == 4)
    for (position, text) in ["", "a", "a", "aa", "aac"].enumerated() {
      desk.dispatch(.jump(to: position))
      #expect(desk.text == text)
    }
  }

  @Test("a restored entry has its effect again", arguments: [1, 3])
  func unskip(stride: Int) throws {
    let desk = Desk(History(keepingEvery: stride))
    desk.write("abcd")
    let ids = try [desk.id(2), desk.id(3)]
    desk.dispatch(.skip(ids[0]), .skip(ids[1]), .unskip(ids[0]))
    #expect(desk.text == "abd")
    desk.dispatch(.unskip(ids[1]))
    #expect(desk.text == "abcd")
  }

  @Test("the skip of an undone entry takes effect when it is redone")
  func skipUndone() throws {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.jump(to: 1), .skip(try desk.id(2)))
    #expect(desk.text == "a")
    desk.dispatch(.jump(to: 3))
    #expect(desk.text == "ac")
  }

  @Test("skipping an entry twice, or an unknown entry, changes nothing")
  func skipNothing() throws {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.skip(try desk.id(1)), .skip(try desk.id(1)), .skip(.init(rawValue: 9)))
    desk.dispatch(.unskip(try desk.id(2)), .unskip(.init(rawValue: 9)))
    #expect(desk.text == "b")
  }

  @Test("undo and redo pass over skipped steps")
  func passOver() throws {
    let desk = Desk()
    desk.write("abcd")
    desk.dispatch(.skip(try desk.id(1)), .skip(try desk.id(3)), .skip(try desk.id(4)))
    desk.dispatch(.undo)
    #expect(desk.text == "")
    #expect(desk.record.position == 1)
    #expect(!desk.record.canUndo)
    desk.dispatch(.redo)
    #expect(desk.text == "b")
    #expect(desk.record.position == 2)
    #expect(!desk.record.canRedo)
  }

  @Test("an amended point and the entries after it do not change when an earlier entry is skipped")
  func amended() throws {
    let desk = Desk(History(records: .except(Tick.self), unrecorded: .undoneWithEntry))
    desk.write("ab")
    desk.store.dispatch(Tick())
    desk.write("c")
    desk.dispatch(.skip(try desk.id(1)))
    #expect(desk.store.state == Notebook(lines: ["a", "b", "c"], ticks: 1))
    desk.dispatch(.jump(to: 1))
    #expect(desk.store.state == Notebook())
    desk.dispatch(.jump(to: 2))
    #expect(desk.store.state == Notebook(lines: ["a", "b"], ticks: 1))
    desk.dispatch(.jump(to: 3), .skip(try desk.id(3)))
    #expect(desk.store.state == Notebook(lines: ["a", "b"], ticks: 1))
  }

  @Test("an amended current point keeps its amendments")
  func amendedCurrent() throws {
    let desk = Desk(History(records: .except(Tick.self), unrecorded: .undoneWithEntry))
    desk.write("ab")
    desk.store.dispatch(Tick())
    desk.dispatch(.skip(try desk.id(2)))
    #expect(desk.store.state == Notebook(lines: ["a", "b"], ticks: 1))
  }
}
