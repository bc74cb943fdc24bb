import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Notes of a history about actions")
struct HistoryNotingTests {
  private static let day = Date(timeIntervalSince1970: 86_400)

  /// A desk on which each action takes a second.
  private func slowDesk(_ noting: HistoryNoting, on clock: ManualClock) -> Desk {
    Desk(History(noting: noting), behind: { clock.advance(by: .seconds(1)) })
  }

  @Test("a history without noting notes nothing")
  func nothing() {
    let desk = Desk()
    desk.write("a")
    #expect(desk.record.entries.map { $0.note == nil } == [true])
  }

  @Test("the time and duration are the reducer's, without the time to find the origin")
  func times() throws {
    let clock = ManualClock()
    let noting = HistoryNoting(
      origin: { action in
        clock.advance(by: .seconds(100))
        return "\(action)"
      }, clock: clock, date: { Self.day })
    let desk = slowDesk(noting, on: clock)
    desk.write("a")
    let note = try #require(desk.record.entries.first?.note)
    #expect(note.time == Self.day)
    #expect(note.duration == .seconds(1))
    #expect(note.origin as? String == "Write(line: \"a\")")
  }

  @Test("with `times` an entry has a time and a duration, and no origin")
  func onlyTimes() throws {
    let desk = Desk(History(noting: .times))
    desk.write("a")
    let note = try #require(desk.record.entries.first?.note)
    #expect(note.duration >= .zero)
    #expect(note.origin == nil)
  }

  @Test("noting can be switched on and off, and applies to actions while it is on")
  func switched() {
    let noting = HistoryNoting(isOn: false)
    let desk = Desk(History(noting: noting))
    desk.write("a")
    noting.isOn = true
    desk.write("b")
    noting.isOn = false
    desk.write("c")
    #expect(desk.record.entries.map { $0.note != nil } == [false, true, false])
  }

  @Test("an unrecorded action, and an action that is reduced again, are not noted again")
  func onlyRecorded() throws {
    let asked = Shared<[String]>([])
    let noting = HistoryNoting(origin: { action in
      asked.change { $0.append("\(action)") }
      return nil
    })
    let desk = Desk(History(keepingEvery: 5, noting: noting))
    desk.write("ab")
    desk.dispatch(.jump(to: 1), .pause)
    desk.store.dispatch(Tick())
    #expect(asked.value == ["Write(line: \"a\")", "Write(line: \"b\")"])
  }

  @Test("notes are removed and kept together with their entries")
  func forgotten() throws {
    let desk = Desk(History(limit: 2, noting: HistoryNoting(origin: { "\($0)" })))
    func noted() -> [String] { desk.record.entries.map { $0.note?.origin as? String ?? "nothing" } }
    desk.write("abc")
    #expect(noted() == ["Write(line: \"b\")", "Write(line: \"c\")"])
    desk.dispatch(.undo)
    desk.write("d")
    #expect(noted() == ["Write(line: \"b\")", "Write(line: \"d\")"])
    let data = try desk.history.export(from: desk.store, with: ActionRegistry(Write.self))
    desk.store.dispatch(try desk.history.importing(data, with: ActionRegistry(Write.self)))
    #expect(noted() == ["nothing", "nothing"])
  }

  @Test("the origin is determined on the dispatching thread")
  func thread() throws {
    let name = TaskLocal<String>(wrappedValue: "nobody")
    let desk = Desk(History(noting: HistoryNoting(origin: { _ in name.get() })))
    name.withValue("somebody") { desk.write("a") }
    #expect(desk.record.entries.first?.note?.origin as? String == "somebody")
  }
}
