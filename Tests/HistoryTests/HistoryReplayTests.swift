import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Replaying an exported history")
struct HistoryReplayTests {
  private let registry = ActionRegistry(Write.self, Repeat.self)

  /// A new store with the desk's record, after a check that the record is the same.
  private func replay(_ desk: Desk, into history: History<Notebook> = History()) throws -> Desk {
    let copy = Desk(history)
    let data = try desk.history.export(from: desk.store, with: registry)
    copy.store.dispatch(try copy.history.importing(data, with: registry))
    #expect(copy.store.state == desk.store.state)
    #expect(copy.record.position == desk.record.position)
    #expect(copy.record.entries.map(\.description) == desk.record.entries.map(\.description))
    #expect(copy.record.entries.map(\.isSkipped) == desk.record.entries.map(\.isSkipped))
    #expect(copy.record.entries.map(\.isAmended) == desk.record.entries.map(\.isAmended))
    #expect(copy.record.entries.map(\.step) == desk.record.entries.map(\.step))
    #expect(copy.record.lastImport?.arrived == true)
    #expect(try copy.history.export(from: copy.store, with: registry) == data)
    return copy
  }

  /// The strings at all positions.
  private func texts(_ desk: Desk) -> [String] {
    (0...desk.record.count).map { position in
      desk.dispatch(.jump(to: position))
      return desk.text
    }
  }

  @Test("a new store reaches the same state, at every position", arguments: [1, 3])
  func same(stride: Int) throws {
    let desk = Desk()
    desk.write("abc")
    desk.store.dispatch(Repeat())
    let copy = try replay(desk, into: History(keepingEvery: stride))
    #expect(texts(copy) == ["", "a", "ab", "abc", "abcc"])
  }

  @Test("skipped entries remain skipped")
  func skipped() throws {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.skip(try desk.id(2)))
    let copy = try replay(desk)
    #expect(texts(copy) == ["", "a", "a", "ac"])
    copy.dispatch(.unskip(try copy.id(2)))
    #expect(copy.text == "abc")
  }

  @Test("steps remain steps")
  func steps() throws {
    let desk = Desk(History(grouping: .byType(Write.self)))
    desk.write("abc")
    desk.store.dispatch(Repeat())
    let copy = try replay(desk)
    copy.dispatch(.undo, .undo)
    #expect(copy.text == "")
  }

  @Test("after a commit the base is the committed state")
  func committed() throws {
    let desk = Desk()
    desk.write("ab")
    desk.dispatch(.commit)
    desk.write("c")
    let copy = try replay(desk)
    copy.dispatch(.rollback)
    #expect(copy.text == "ab")
  }

  @Test("a position in the middle is kept, and undone entries can be redone")
  func middle() throws {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.undo, .undo)
    let copy = try replay(desk)
    copy.dispatch(.redo, .redo)
    #expect(copy.text == "abc")
  }

  @Test("unrecorded actions are included", arguments: [1, 4])
  func amended(stride: Int) throws {
    let desk = Desk(History(keepingEvery: stride, unrecorded: .undoneWithEntry))
    desk.write("a")
    desk.dispatch(.pause)
    desk.write("x")
    desk.dispatch(.resume)
    desk.write("bc")
    desk.store.dispatch(Repeat())
    desk.dispatch(.pause)
    desk.write("y")
    let copy = try replay(desk)
    #expect(texts(copy) == ["", "ax", "axb", "axbc", "axbccy"])
  }

  @Test("a record whose oldest entries are forgotten starts at its base")
  func folded() throws {
    let desk = Desk(History(limit: 3, keepingEvery: 2, grouping: .byType(Write.self)))
    desk.write("abcdefg")
    let copy = try replay(desk)
    #expect(copy.text == "abcdefg")
    copy.dispatch(.undo)
    #expect(copy.text == "abc" || copy.text == "abcd")
  }

  @Test("numbers that JSON cannot express, and text that looks like them, keep their values")
  func numbers() throws {
    struct Measured: FluxState, Codable {
      var numbers: [Double] = []
      var note = "NaN"
    }
    struct Measure: Action, Codable { let number: Double }
    let registry = ActionRegistry(Measure.self)
    func make(_ history: History<Measured>) -> Store<Measured> {
      Store<Measured>(
        reducer: { (state: inout Measured, action: any Action) in
          if let action = action as? Measure { state.numbers.append(action.number) }
        }, plugins: [history.plugin], state: Measured())
    }
    let (history, copy) = (History<Measured>(), History<Measured>())
    let (store, fresh) = (make(history), make(copy))
    let numbers = [
      0.1 + 0.2, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -0.0, .greatestFiniteMagnitude,
    ]
    for number in numbers { store.dispatch(Measure(number: number)) }
    fresh.dispatch(try copy.importing(history.export(from: store, with: registry), with: registry))
    #expect(fresh.state.numbers.map(\.bitPattern) == numbers.map(\.bitPattern))
    #expect(fresh.state.note == "NaN")
    #expect(copy.record.lastImport?.arrived == true)
  }
}
