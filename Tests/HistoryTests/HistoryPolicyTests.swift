import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("The policy for unrecorded actions of a history")
struct HistoryPolicyTests {
  private let registry = ActionRegistry(Write.self, Receive.self)

  private func desk(_ policy: UnrecordedActionPolicy, keepingEvery stride: Int = 1) -> Desk {
    Desk(
      History(keepingEvery: stride, records: .except(Receive.self, Tick.self, Idle.self), unrecorded: policy))
  }

  private func receive(_ desk: Desk, _ text: String) {
    for character in text { desk.store.dispatch(Receive("\(character)")) }
  }

  @Test("With undoneWithEntry, an undo discards unrecorded actions and a redo restores them")
  func undoneWithEntry() {
    let desk = desk(.undoneWithEntry)
    desk.write("a")
    receive(desk, "R")
    desk.dispatch(.undo)
    #expect(desk.text == "")
    desk.dispatch(.redo)
    #expect(desk.text == "aR")
  }

  @Test("Beyond the limit, the oldest entries cannot be undone anymore, and are counted", arguments: [1, 10])
  func fold(stride: Int) {
    let desk = desk(.preserved(limit: 4), keepingEvery: stride)
    desk.write("a")
    receive(desk, "RST")
    desk.write("b")
    receive(desk, "U")
    #expect(desk.record.count == 2)
    #expect(desk.record.evicted == 0)
    receive(desk, "V")
    #expect(desk.text == "aRSTbUV")
    #expect(desk.record.entries.map(\.id.rawValue) == [2])
    #expect(desk.record.evicted == 1)
    desk.dispatch(.undo)
    #expect(desk.text == "aRSTUV")
    #expect(!desk.history.canUndo)
  }

  @Test("With too many unrecorded actions behind the newest entry, the history forgets all entries")
  func forget() {
    let desk = desk(.preserved(limit: 4))
    desk.write("ab")
    desk.dispatch(.undo)
    receive(desk, "RSTUV")
    #expect(desk.text == "aRSTUV")
    #expect(desk.record.count == 0)
    #expect(desk.history.status.evicted == 2)
    desk.write("c")
    desk.dispatch(.undo)
    #expect(desk.text == "aRSTUV")
  }

  @Test("An unrecorded action that changes nothing does not count towards the limit")
  func idle() {
    let desk = desk(.preserved(limit: 4))
    desk.write("a")
    receive(desk, "R")
    for _ in 0..<10 { desk.store.dispatch(Idle()) }
    #expect(desk.record.count == 1)
    #expect(desk.record.evicted == 0)
  }

  @Test("Unrecorded actions before the first entry belong to the base, and are not kept")
  func base() {
    let desk = desk(.preserved(limit: 1))
    receive(desk, "RSTU")
    desk.write("a")
    desk.dispatch(.undo)
    #expect(desk.text == "RSTU")
    #expect(desk.record.count == 1)
    desk.write("b")
    desk.dispatch(.rollback)
    #expect(desk.text == "RSTU")
  }

  @Test("Unrecorded actions belong to the base when the record is empty, also after a jump to the base")
  func baseAfterJump() {
    let desk = desk(.preserved)
    receive(desk, "R")
    desk.dispatch(.jump(to: 0))
    receive(desk, "S")
    desk.write("a")
    desk.dispatch(.undo)
    #expect(desk.text == "RS")
  }

  @Test("After the limit of entries, undo still keeps unrecorded actions", arguments: [1, 3])
  func entryLimit(stride: Int) {
    let desk = Desk(History(limit: 2, keepingEvery: stride, records: .except(Receive.self)))
    for line in ["a", "b", "c", "d", "e", "f"] {
      desk.write(line)
      receive(desk, line.uppercased())
    }
    while desk.history.canUndo { desk.dispatch(.undo) }
    let folded = 6 - desk.record.count
    let expected = "abcdef".enumerated().map { (offset, letter) in
      (offset < folded ? "\(letter)" : "") + letter.uppercased()
    }
    #expect(desk.text == expected.joined())
  }

  @Test("An import brings the unrecorded actions, so that an undo preserves them", arguments: [0, 1, 2, 3])
  func transfer(position: Int) throws {
    let desk = desk(.preserved)
    desk.write("a")
    receive(desk, "R")
    desk.write("bc")
    desk.dispatch(.jump(to: position))
    receive(desk, "S")
    let data = try desk.history.export(from: desk.store, with: registry)
    let copy = self.desk(.preserved)
    copy.store.dispatch(try copy.history.importing(data, with: registry))
    #expect(copy.record.lastImport == .init(arrived: true, unknownActions: []))
    #expect(try copy.history.export(from: copy.store, with: registry) == data)
    #expect(copy.record.entries.map(\.isAmended) == [true, false, true])
    for (position, text) in ["RS", "aRS", "aRbS", "aRbcS"].enumerated() {
      copy.dispatch(.jump(to: position))
      #expect(copy.text == text)
    }
  }

  @Test("An import into a history with undoneWithEntry fixes the states behind unrecorded actions")
  func transferToOtherPolicy() throws {
    let desk = desk(.preserved)
    desk.write("a")
    receive(desk, "R")
    desk.write("b")
    receive(desk, "S")
    let data = try desk.history.export(from: desk.store, with: registry)
    let copy = self.desk(.undoneWithEntry, keepingEvery: 5)
    copy.store.dispatch(try copy.history.importing(data, with: registry))
    #expect(copy.text == "aRbS")
    receive(copy, "T")
    for (position, text) in ["", "aR", "aRbST"].enumerated() {
      copy.dispatch(.jump(to: position))
      #expect(copy.text == text)
    }
  }

  @Test("Where an unrecorded action is not registered, the state behind it is exported")
  func unregistered() throws {
    let registry = ActionRegistry(Write.self)
    let desk = desk(.preserved)
    desk.write("a")
    receive(desk, "R")
    desk.write("b")
    let data = try desk.history.export(from: desk.store, with: registry)
    let copy = self.desk(.preserved)
    copy.store.dispatch(try copy.history.importing(data, with: registry))
    #expect(copy.record.lastImport == .init(arrived: true, unknownActions: []))
    #expect(copy.text == "aRb")
    copy.dispatch(.jump(to: 1))
    #expect(copy.text == "aR")
  }

  @Test("An export hides what is secret in unrecorded actions")
  func redaction() throws {
    let desk = desk(.preserved)
    desk.write("a")
    desk.dispatch(.jump(to: 0))
    receive(desk, "s")
    desk.write("b")
    receive(desk, "t")
    let data = try desk.history.export(from: desk.store, with: registry, redacting: .fields("line"))
    let json = try JSONDecoder().decode(JSONValue.self, from: data)
    #expect(json["entries"]?[0]?["unrecorded"]?[0]?["payload"]?["line"] != nil)
    #expect(json["entries"]?[0]?["unrecorded"]?[0]?["payload"]?["line"] != "t")
    #expect(json["unrecorded"]?[0]?["payload"]?["line"] != "s")
  }

  @Test("An unrecorded action is released with the entries, and its deinit may read the history")
  func released() {
    struct Holder: FluxState, Equatable { var count = 0 }
    struct Add: Action {}
    struct Hold: Action { let held: LifetimeTracker.Tracked }
    let tracker = LifetimeTracker()
    let history = Shared<History<Holder>?>(History(records: .only(Add.self)))
    let reads = Recorder<Int>()
    let store = Store<Holder>(
      reducer: { (holder: inout Holder, action: any Action) in holder.count += 1 },
      plugins: history.value.map { [$0.plugin] } ?? [], state: Holder())
    store.dispatch(Add())
    store.dispatch(
      Hold(held: tracker.make { if let history = history.value { reads.record(history.record.count) } }))
    #expect(tracker.alive == 1)
    store.dispatch(HistoryAction.commit)
    #expect(tracker.alive == 0)
    #expect(reads.values == [0])
    history.value = nil
  }
}
