import FluxCore
import FluxMiddleware
import Testing

@Suite("Changes of a history since it was read")
struct HistoryChangesTests {
  @Test("a first read returns the whole history")
  func first() {
    let desk = Desk()
    desk.write("abc")
    let changes = desk.history.changes(since: nil)
    #expect(changes.isWhole)
    #expect(changes.entries.map(\.id.rawValue) == [1, 2, 3])
    #expect(changes.first == HistoryEntry.ID(rawValue: 1))
    #expect(changes.keptThrough == nil)
  }

  @Test("only the new entry is returned")
  func appended() {
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.revision
    desk.write("d")
    let changes = desk.history.changes(since: known)
    #expect(!changes.isWhole)
    #expect(changes.entries.map(\.id.rawValue) == [4])
    #expect(changes.entries.map(\.position) == [4])
    #expect(changes.status.current == HistoryEntry.ID(rawValue: 4))
    #expect(changes.keptThrough == nil)
  }

  @Test("when nothing has happened, the revision is the same, and no changes are returned")
  func nothing() {
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.changes(since: nil).revision
    #expect(desk.history.revision == known)
    #expect(desk.history.changes(since: known).entries.isEmpty)
  }

  @Test(
    "any change of the record or the state creates another revision",
    arguments: [
      .undo, .jump(to: 1), .skip(HistoryEntry.ID(rawValue: 1)), .commit, .rollback, .reset, .pause, .lock,
    ] as [HistoryAction])
  func revision(action: HistoryAction) {
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.revision
    desk.dispatch(action)
    #expect(desk.history.revision != known)
  }

  @Test("a fold that reduces again creates its own revision, after that of the action before it")
  func foldingAnew() {
    struct Count: FluxState {
      var sum = 0
    }
    struct Add: Action {}
    struct Tick: Action {}
    let history = History<Count>(limit: 4, records: .except(Tick.self), unrecorded: .undoneWithEntry)
    let seen = Locked<(revision: HistoryRevision, count: Int)?>(nil)
    let store = Store(
      reducer: { (state: inout Count, _: any Action) in
        state.sum += 1
        let (revision, count) = (history.revision, history.record.count)
        seen.withLock { $0 = (revision, count) }
      }, plugins: [history.plugin], state: Count())
    for _ in 1...3 { store.dispatch(Add()) }
    store.dispatch(Tick())
    // The states before the tick's result are no longer kept, so the fifth entry reduces one of
    // them again.
    store.dispatch(HistoryAction.skip(HistoryEntry.ID(rawValue: 1)))
    for _ in 4...6 { store.dispatch(Add()) }
    #expect(seen.withLock { $0?.count } == 5, "the last reduction was the fold's")
    #expect(history.record.count == 4)
    #expect(history.revision != seen.withLock { $0?.revision })
  }

  @Test("an action that is not recorded, and one that is refused, each create another revision")
  func unrecorded() {
    let desk = Desk()
    desk.dispatch(.pause)
    var known = desk.history.revision
    desk.write("a")
    #expect(desk.history.revision != known)
    desk.dispatch(.lock)
    known = desk.history.revision
    desk.write("b")
    #expect(desk.history.revision != known)
    #expect(desk.history.status.refused == 1)
  }

  @Test("undone entries that another entry replaced are returned as removed")
  func cut() {
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.revision
    desk.dispatch(.jump(to: 1))
    desk.write("d")
    let changes = desk.history.changes(since: known)
    #expect(!changes.isWhole)
    #expect(changes.keptThrough == HistoryEntry.ID(rawValue: 1))
    #expect(changes.entries.map(\.id.rawValue) == [4])
  }

  @Test("entries that were added and removed between two reads are not returned")
  func cameAndWent() {
    let desk = Desk()
    desk.write("a")
    let known = desk.history.revision
    desk.write("bc")
    desk.dispatch(.jump(to: 1))
    desk.write("d")
    let changes = desk.history.changes(since: known)
    #expect(changes.keptThrough == nil)
    #expect(changes.entries.map(\.id.rawValue) == [4])
  }

  @Test("an entry that is skipped, restored, or amended is returned again, once")
  func changed() throws {
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.revision
    desk.dispatch(.skip(try desk.id(2)), .unskip(try desk.id(2)), .skip(try desk.id(2)), .pause)
    desk.write("xy")
    let changes = desk.history.changes(since: known)
    #expect(!changes.isWhole)
    #expect(changes.entries.map(\.id.rawValue) == [2, 3])
    #expect(changes.entries.map(\.isSkipped) == [true, false])
    #expect(changes.entries.map(\.isAmended) == [false, true])
  }

  @Test("entries that the limit removed are returned as removed")
  func folded() {
    let desk = Desk(History(limit: 3))
    desk.write("abc")
    let known = desk.history.revision
    desk.write("de")
    let changes = desk.history.changes(since: known)
    #expect(!changes.isWhole)
    #expect(changes.first == HistoryEntry.ID(rawValue: 3))
    #expect(changes.entries.map(\.id.rawValue) == [4, 5])
  }

  @Test("without an entry, the first entry is the next one")
  func firstOfNone() {
    let desk = Desk()
    #expect(desk.history.changes(since: nil).first == HistoryEntry.ID(rawValue: 1))
    desk.write("ab")
    desk.dispatch(.commit)
    #expect(desk.history.changes(since: nil).first == HistoryEntry.ID(rawValue: 3))
  }

  @Test("after a commit, a rollback, a reset, or an import, the whole history is returned", arguments: 0..<4)
  func whole(which: Int) throws {
    let registry = ActionRegistry(Write.self)
    let desk = Desk()
    desk.write("abc")
    let known = desk.history.revision
    let report = try desk.history.importing(
      desk.history.export(from: desk.store, with: registry), with: registry)
    let actions: [any Action] = [HistoryAction.commit, HistoryAction.rollback, HistoryAction.reset, report]
    desk.store.dispatch(actions[which])
    let changes = desk.history.changes(since: known)
    #expect(changes.isWhole)
    #expect(changes.entries.count == (which == 3 ? 3 : 0))
  }

  @Test("a reader that missed a thousand changes of entries receives the whole history")
  func tooLongAgo() throws {
    let desk = Desk()
    desk.write("ab")
    let known = desk.history.revision
    let id = try desk.id(1)
    for turn in 0..<1_000 { desk.dispatch(turn % 2 == 0 ? .skip(id) : .unskip(id)) }
    #expect(!desk.history.changes(since: known).isWhole)
    desk.dispatch(.skip(id))
    let changes = desk.history.changes(since: known)
    #expect(changes.isWhole)
    #expect(changes.entries.count == 2)
  }

  @Test("a revision of another history is unknown, and the whole history is returned")
  func foreign() {
    let desk = Desk()
    let other = Desk()
    #expect(desk.history.revision != other.history.revision)
    desk.write("ab")
    other.write("ab")
    #expect(desk.history.revision != other.history.revision)
    let changes = desk.history.changes(since: other.history.revision)
    #expect(changes.isWhole)
    #expect(changes.entries.map(\.id.rawValue) == [1, 2])
    #expect(changes.revision == desk.history.revision)
  }

  @Test("all changes are returned, however many there are, and no others", arguments: [10, 100, 101, 1_000])
  func many(count: Int) {
    let desk = Desk(History(limit: 10_000))
    desk.write(String(repeating: "a", count: 200))
    let known = desk.history.revision
    desk.write(String(repeating: "b", count: count))
    let changes = desk.history.changes(since: known)
    #expect(!changes.isWhole)
    #expect(changes.entries.map(\.id.rawValue) == Array(201...(200 + count)))
    #expect(changes.revision == desk.history.revision)
  }

  @Test("an entry is found by its id while it exists")
  func entry() throws {
    let desk = Desk(History(limit: 2))
    desk.write("abc")
    #expect(desk.history.entry(HistoryEntry.ID(rawValue: 1)) == nil)
    let entry = try #require(desk.history.entry(HistoryEntry.ID(rawValue: 3)))
    #expect(entry.position == 2)
    #expect(entry.action as? Write == Write("c"))
    #expect(desk.history.entry(HistoryEntry.ID(rawValue: 4)) == nil)
  }
}
