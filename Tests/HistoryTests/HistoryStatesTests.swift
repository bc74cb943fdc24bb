import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("States before and after the entries of a history")
struct HistoryStatesTests {
  @Test("the state after each entry, and the base, is the state to which a jump leads", arguments: 0...3)
  func behind(position: Int) throws {
    let desk = Desk()
    desk.write("abc")
    desk.dispatch(.jump(to: position))
    #expect(desk.history.state(behind: nil, in: desk.store.proxy)?.lines == [])
    for (point, text) in ["a", "ab", "abc"].enumerated() {
      let state = desk.history.state(behind: try desk.id(point + 1), in: desk.store.proxy)
      #expect(state?.lines.joined() == text)
    }
  }

  @Test("the state at the current position is the store's, including unrecorded changes")
  func amended() throws {
    let desk = Desk(History(records: .except(Tick.self)))
    desk.write("a")
    desk.store.dispatch(Tick())
    #expect(desk.history.state(behind: try desk.id(1), in: desk.store.proxy)?.ticks == 1)
  }

  @Test("an entry has the states before and after its action")
  func around() throws {
    let desk = Desk()
    desk.write("abc")
    let states = try #require(desk.history.states(around: desk.id(3), in: desk.store.proxy))
    #expect(states.before.lines == ["a", "b"])
    #expect(states.after.lines == ["a", "b", "c"])
  }

  @Test("there is no state after an unknown entry, if none is kept, or after the store is released")
  func none() throws {
    let history = History<Notebook>(keepingEvery: 10)
    var desk: Desk? = Desk(history)
    desk?.write("abc")
    let proxy = try #require(desk?.store.proxy)
    #expect(history.state(behind: HistoryEntry.ID(rawValue: 9), in: proxy) == nil)
    #expect(history.states(around: HistoryEntry.ID(rawValue: 9), in: proxy) == nil)
    #expect(history.state(behind: HistoryEntry.ID(rawValue: 2), in: proxy) == nil)
    #expect(history.states(around: HistoryEntry.ID(rawValue: 3), in: proxy) == nil)
    #expect(history.state(behind: HistoryEntry.ID(rawValue: 3), in: proxy) != nil)
    desk = nil
    #expect(history.state(behind: HistoryEntry.ID(rawValue: 3), in: proxy) == nil)
  }

  @Test("record and state are consistent, even if an action is dispatched between reading them")
  func oneMoment() throws {
    let desk = Desk()
    desk.write("ab")
    let id = try desk.id(1)
    let hasUndone = Shared(false)
    // The closure runs after the state is read, and before the record is read.
    let proxy = desk.store.proxy(for: { state in
      if !hasUndone.exchange(true) { desk.dispatch(.undo) }
      return state
    })
    let states = try #require(desk.history.states(around: id, in: proxy))
    #expect(states.after.lines == ["a"])
    #expect(desk.text == "a")
  }

  @Test("a proxy's record is exported like the store's, and not after the store is released")
  func export() throws {
    let registry = ActionRegistry(Write.self)
    let history = History<Notebook>()
    var desk: Desk? = Desk(history)
    desk?.write("abc")
    let proxy = try #require(desk?.store.proxy)
    let whole = try desk.map { try history.export(from: $0.store, with: registry) }
    #expect(try history.export(from: proxy, with: registry) == whole)
    desk = nil
    #expect(try history.export(from: proxy, with: registry) == nil)
  }
}
