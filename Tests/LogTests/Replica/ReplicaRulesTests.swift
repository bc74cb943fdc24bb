import TestSupport
import Testing

@testable import FluxLog

@Suite("A state that is shown before a server has confirmed it")
struct ReplicaRulesTests {
  private typealias Client = ReplicaRules<[String], String>

  private static let own = ClientID("own")
  private static let other = ClientID("other")

  /// A reducer that counts its calls.
  private final class Reducer {
    var calls = 0

    func callAsFunction(_ state: inout [String], _ change: String) {
      calls += 1
      state.append(change)
    }
  }

  private let reducer = Reducer()

  private func replica(pending changes: String...) -> Client {
    var replica = Client(of: Self.own, Client.Confirmed([]), by: reducer.callAsFunction)
    for (index, change) in changes.enumerated() {
      replica.add(Client.Pending(UInt64(index + 1), change), by: reducer.callAsFunction)
    }
    return replica
  }

  private func entry(
    _ position: UInt64, _ client: ClientID, _ number: UInt64, _ outcome: Client.Outcome
  ) -> Client.Entry {
    Client.Entry(at: LogPosition(position), from: client, number, outcome)
  }

  @Test("an action is shown immediately, and is not confirmed")
  func pending() {
    let replica = replica(pending: "a", "b")
    #expect(replica.shown == ["a", "b"])
    #expect(replica.confirmed.state == [])
    #expect(replica.pending.map(\.number) == [1, 2])
  }

  @Test("the pending actions follow the actions of other clients that the server received first")
  func rebase() throws {
    var replica = replica(pending: "a", "b")
    let entries = [entry(0, Self.other, 1, .accepted("x")), entry(1, Self.own, 1, .accepted("a"))]
    #expect(try replica.receive(entries, by: reducer.callAsFunction) == [])
    #expect(replica.confirmed.state == ["x", "a"])
    #expect(replica.shown == ["x", "a", "b"])
    #expect(replica.pending.map(\.change) == ["b"])
  }

  @Test("a refused action disappears from the shown state, and is returned with the reason")
  func refusal() throws {
    var replica = replica(pending: "a", "b")
    let refusals = try replica.receive(
      [entry(0, Self.own, 1, .refused("too late"))], by: reducer.callAsFunction)
    #expect(refusals == [Client.Refusal(number: 1, change: "a", reason: "too late")])
    #expect(replica.shown == ["b"])
    #expect(replica.confirmed.state == [])
    #expect(replica.confirmed.number == 1)
  }

  @Test("the confirmed state contains the server's version of an action")
  func changedByServer() throws {
    var replica = replica(pending: "a")
    _ = try replica.receive([entry(0, Self.own, 1, .accepted("A"))], by: reducer.callAsFunction)
    #expect(replica.confirmed.state == ["A"])
  }

  @Test("entries that arrive again change nothing")
  func repeatedEntries() throws {
    var replica = replica(pending: "a", "b")
    let entries = [entry(0, Self.own, 1, .accepted("a")), entry(1, Self.other, 1, .accepted("x"))]
    _ = try replica.receive(entries, by: reducer.callAsFunction)
    let before = replica
    _ = try replica.receive(entries, by: reducer.callAsFunction)
    #expect(replica == before)
  }

  @Test("with k pending actions, n entries cost n reductions, and k more if the shown state changes")
  func reductions() throws {
    var replica = replica(pending: "a", "b", "c", "d")
    reducer.calls = 0
    // The own actions arrive in their order, so the shown state remains.
    let own = [entry(0, Self.own, 1, .accepted("a")), entry(1, Self.own, 2, .accepted("b"))]
    _ = try replica.receive(own, by: reducer.callAsFunction)
    #expect(reducer.calls == 2)
    reducer.calls = 0
    let other = (2..<5).map { entry($0, Self.other, $0, .accepted("x")) }
    _ = try replica.receive(other, by: reducer.callAsFunction)
    #expect(reducer.calls == 3 + 2)
    reducer.calls = 0
    _ = try replica.receive([entry(5, Self.other, 5, .refused("too late"))], by: reducer.callAsFunction)
    #expect(reducer.calls == 0)
  }

  @Test("entries after a gap are an error, and change nothing")
  func gap() {
    var replica = replica(pending: "a")
    let before = replica
    let entries = [entry(0, Self.own, 1, .accepted("a")), entry(2, Self.other, 1, .accepted("x"))]
    #expect(throws: Client.Mismatch.gap(at: LogPosition(1))) {
      try replica.receive(entries, by: reducer.callAsFunction)
    }
    #expect(replica == before)
  }

  @Test("an action of the client that the client does not know is an error", arguments: [UInt64(2), 3])
  func unknownAction(number: UInt64) {
    var replica = replica(pending: "a")
    let before = replica
    let entries = [
      entry(0, Self.other, 1, .accepted("x")), entry(1, Self.own, number, .accepted("b")),
    ]
    #expect(throws: Client.Mismatch.unknownAction(number: number)) {
      try replica.receive(entries, by: reducer.callAsFunction)
    }
    #expect(replica == before)
  }

  @Test("after a restart, actions whose outcome the saved state contains are not pending")
  func restart() {
    let saved = Client.Confirmed(["x", "a"], at: LogPosition(2), number: 1)
    let written = [Client.Pending(1, "a"), Client.Pending(2, "b")]
    let replica = Client(of: Self.own, saved, written: written, by: reducer.callAsFunction)
    #expect(replica.shown == ["x", "a", "b"])
    #expect(replica.pending.map(\.number) == [2])
  }
}
