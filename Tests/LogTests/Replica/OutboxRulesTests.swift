import TestSupport
import Testing

@testable import FluxLog

@Suite("The rules of an outbox")
struct OutboxRulesTests {
  /// An outbox with a number of written actions, whose client is online.
  private func outbox(written count: UInt64) -> OutboxRules {
    var rules = OutboxRules()
    for _ in 0..<count { _ = rules.add() }
    _ = rules.beginWrite()
    rules.writeEnded(isSuccess: true)
    rules.connectionChanged(isOnline: true)
    return rules
  }

  /// Begins a call.
  private func sending(_ rules: inout OutboxRules) throws -> OutboxRules.Sending {
    let sending = rules.beginSending()
    return try #require(sending)
  }

  @Test("actions are written together, and each of them once")
  func writes() {
    var rules = OutboxRules()
    #expect([rules.add(), rules.add()] == [1, 2])
    #expect(rules.beginWrite() == 1...2)
    #expect(rules.add() == 3)
    #expect(rules.beginWrite() == nil)
    rules.writeEnded(isSuccess: true)
    #expect(rules.beginWrite() == 3...3)
  }

  @Test("a write that fails is repeated with the same actions, before later actions are written")
  func failedWrite() {
    var rules = OutboxRules()
    _ = rules.add()
    _ = rules.beginWrite()
    _ = rules.add()
    rules.writeEnded(isSuccess: false)
    #expect(rules.written == 0)
    #expect(rules.beginWrite() == 1...1)
    rules.writeEnded(isSuccess: true)
    #expect(rules.beginWrite() == 2...2)
  }

  @Test("an action is not sent before it is written, and not without a connection")
  func sendsWrittenActions() {
    var rules = outbox(written: 1)
    _ = rules.add()
    #expect(rules.beginSending()?.numbers == 1...1)
    var offline = outbox(written: 1)
    offline.connectionChanged(isOnline: false)
    #expect(offline.beginSending() == nil)
    offline.connectionChanged(isOnline: true)
    #expect(offline.beginSending()?.numbers == 1...1)
  }

  @Test("one call is in progress at a time, and the next call begins after the received actions")
  func oneCall() throws {
    var rules = outbox(written: 2)
    let first = try sending(&rules)
    #expect(rules.beginSending() == nil)
    try rules.answered(first.call, received: 1)
    #expect(rules.beginSending()?.numbers == 2...2)
  }

  @Test("after an answer that none of the actions was received, the actions are sent again after a wait")
  func noProgress() throws {
    var rules = outbox(written: 2)
    let first = try sending(&rules)
    let isProgress = try rules.answered(first.call, received: 0)
    #expect(!isProgress)
    #expect(rules.failures == 1)
    #expect(rules.beginSending() == nil)
    rules.waitEnded()
    let second = try sending(&rules)
    #expect(second.numbers == 1...2)
    let isProgressNow = try rules.answered(second.call, received: 1)
    #expect(isProgressNow)
    #expect(rules.failures == 0)
    #expect(rules.beginSending()?.numbers == 2...2)
  }

  @Test("a server that has lost actions after its answer receives them again")
  func lostAfterAnswer() throws {
    var rules = outbox(written: 3)
    try rules.answered(try sending(&rules).call, received: 3)
    _ = rules.add()
    _ = rules.beginWrite()
    rules.writeEnded(isSuccess: true)
    let second = try sending(&rules)
    #expect(second.numbers == 4...4)
    try rules.answered(second.call, received: 1)
    rules.waitEnded()
    #expect(rules.beginSending()?.numbers == 2...4)
  }

  @Test("a call that fails is repeated after a wait, and the failures are counted until a success")
  func failures() throws {
    var rules = outbox(written: 1)
    for count in 1...3 {
      let sending = try sending(&rules)
      rules.failed(sending.call)
      #expect(rules.failures == count)
      #expect(rules.beginSending() == nil)
      rules.waitEnded()
    }
    let sending = try sending(&rules)
    try rules.answered(sending.call, received: 1)
    #expect(rules.failures == 0)
    #expect(rules.beginSending() == nil)
  }

  @Test("the answer and the failure of a call that was given up have no effect")
  func givenUp() throws {
    var rules = outbox(written: 1)
    let first = try sending(&rules)
    rules.connectionChanged(isOnline: false)
    rules.connectionChanged(isOnline: true)
    let second = try sending(&rules)
    let before = rules
    try rules.answered(first.call, received: 1)
    rules.failed(first.call)
    #expect(rules == before)
    try rules.answered(second.call, received: 1)
    #expect(rules.received == 1)
  }

  @Test("a connection that is reported again changes nothing")
  func sameConnection() throws {
    var rules = outbox(written: 1)
    _ = try sending(&rules)
    let before = rules
    rules.connectionChanged(isOnline: true)
    #expect(rules == before)
  }

  @Test("a confirmed action is not sent again, and the outbox is empty when all are confirmed")
  func confirmed() throws {
    var rules = outbox(written: 2)
    try rules.confirm(through: 1)
    #expect(!rules.isEmpty)
    #expect(rules.beginSending()?.numbers == 2...2)
    try rules.confirm(through: 2)
    #expect(rules.isEmpty)
  }

  @Test("a server that has received actions which the client does not know is a mismatch")
  func olderClient() throws {
    var rules = outbox(written: 1)
    let sending = try sending(&rules)
    #expect(throws: OutboxRules.Mismatch.clientIsOlder) {
      try rules.answered(sending.call, received: 2)
    }
    #expect(throws: OutboxRules.Mismatch.clientIsOlder) { try rules.confirm(through: 2) }
  }

  @Test("a server that does not know actions which it has confirmed is a mismatch")
  func olderServer() throws {
    var rules = outbox(written: 2)
    try rules.confirm(through: 1)
    let sending = try sending(&rules)
    #expect(throws: OutboxRules.Mismatch.serverIsOlder) {
      try rules.answered(sending.call, received: 0)
    }
  }

  @Test("after a restart, numbers continue after the written actions and the confirmed actions")
  func restart() {
    var rules = OutboxRules(confirmed: 3, written: 5)
    rules.connectionChanged(isOnline: true)
    #expect(rules.beginSending()?.numbers == 4...5)
    #expect(rules.add() == 6)
    var empty = OutboxRules(confirmed: 3, written: 0)
    #expect(empty.add() == 4)
  }

  @Test("a server receives the new actions of a client, and none after a missing action")
  func server() {
    var clients = SyncedClients()
    let (first, second) = (ClientID("a"), ClientID("b"))
    #expect(clients.receive(1...2, from: first) == 1...2)
    #expect(clients.receive(1...3, from: first) == 3...3)
    #expect(clients.receive(1...3, from: first) == nil)
    #expect(clients.receive(5...6, from: first) == nil)
    #expect(clients.received(from: first) == 3)
    #expect(clients.receive(1...1, from: second) == 1...1)
    #expect(clients.received(from: second) == 1)
  }
}
