import FluxAsync
import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport

/// A server that sends entries or a snapshot once, and waits after the next question.
private final class OneAnswer: ReplicaTransport {
  private struct Contents {
    var questions = 0
    var snapshot: ReplicaSnapshot?
  }

  private let contents = Shared(Contents())
  private let first = AsyncThrowingStream<[ReplicaEntry], any Error>.makeStream()
  private let ends = AsyncStream<Void>.makeStream()

  /// Sends entries, each element as one message.
  func send(_ entries: [[ReplicaEntry]]) {
    for entries in entries { first.continuation.yield(entries) }
    first.continuation.finish()
  }

  /// Refuses to send entries, and sends a snapshot instead.
  func send(_ snapshot: ReplicaSnapshot) {
    contents.change { $0.snapshot = snapshot }
    first.continuation.finish(throwing: LogError(.truncated, "The log begins later."))
  }

  /// Records that the client has stopped.
  func clientStops() { ends.continuation.yield() }

  /// Waits until the client has read the answer.
  func isRead() async { for await _ in ends.stream { return } }

  func push(_ actions: PushedActions) async throws -> UInt64 {
    actions.firstNumber + UInt64(actions.actions.count) - 1
  }

  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    let isFirst = contents.change { contents in
      contents.questions += 1
      return contents.questions == 1
    }
    if isFirst { return first.stream }
    ends.continuation.yield()
    return AsyncThrowingStream<[ReplicaEntry], any Error> { _ in }
  }

  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    guard let snapshot = contents.value.snapshot else { throw LogError(.unreadable, "There is no snapshot.") }
    return snapshot
  }
}

/// What a client confirms, without the code of clients.
private struct ConfirmedValues: Equatable {
  var state = SharedValues()
  var position: UInt64 = 0
  var number: UInt64 = 0

  /// Receives one message, or returns `false` if it cannot be received.
  mutating func receive(_ entries: [ReplicaEntry]) -> Bool {
    var next = self
    for entry in entries {
      guard let change = Self.change(of: entry.outcome) else { return false }
      if entry.client.rawValue == "a", entry.number > 2 { return false }
      if entry.position.offset < position, next == self { continue }
      guard entry.position.offset == next.position else { return false }
      next.position += 1
      if entry.client.rawValue == "a" {
        guard entry.number == next.number + 1, entry.number <= 2 else { return false }
        next.number += 1
      }
      if let put = change.action { putValue(&next.state, put) }
    }
    self = next
    return true
  }

  /// Returns the action of an outcome, if there is one, or `nil` if it cannot be decoded.
  private static func change(of outcome: ReplicaEntry.Outcome) -> (action: Put?, Void)? {
    switch outcome {
    case .refused: return (nil, ())
    case .accepted(let action), .changed(let action, _):
      guard action.name == "Put" else { return nil }
      return (try? JSONDecoder().decode(Put.self, from: Data(action.json.utf8))).map { ($0, ()) }
    }
  }
}

extension FuzzTarget {
  /// The entries and the snapshots that a client receives from a server.
  ///
  /// The client receives each message completely, or stops or asks again without a change. It keeps
  /// each action whose result it has not received.
  static let pulls = FuzzTarget(
    "pulled answers",
    examples: [
      """
      {"entries":[[{"position":{"offset":0},"client":"b","number":1,
      "outcome":{"accepted":{"_0":{"name":"Put","json":{"key":"k","value":3}}}}},
      {"position":{"offset":1},"client":"a","number":1,
      "outcome":{"accepted":{"_0":{"name":"Put","json":{"key":"t","value":1}}}}}],
      [{"position":{"offset":2},"client":"a","number":2,"outcome":{"refused":{"reason":"full"}}}]]}
      """,
      """
      {"entries":[[{"position":{"offset":0},"client":"a","number":1,
      "outcome":{"changed":{"_0":{"name":"Put","json":{"key":"1","value":1}},"ids":{"t":"1"}}}}],
      [{"position":{"offset":0},"client":"b","number":7,"outcome":{"refused":{"reason":""}}},
      {"position":{"offset":1},"client":"b","number":8,
      "outcome":{"accepted":{"_0":{"name":"Put","json":{"key":"k","value":-3}}}}}]]}
      """,
      """
      {"snapshot":{"position":{"offset":5},"number":1,"ids":{"t":"1"},
      "refusals":[{"number":1,"reason":"full"}],"state":{"values":{"k":3}}}}
      """,
    ],
    words: [
      "entries", "snapshot", "position", "offset", "client", "number", "outcome", "accepted", "changed",
      "refused", "reason", "ids", "refusals", "state", "values", "name", "json", "Put", "key", "value", "_0",
    ]
  ) { input, _ in
    let answer: JSONValue
    let server = OneAnswer()
    var entries: [[ReplicaEntry]] = []
    var snapshot: ReplicaSnapshot?
    do {
      answer = try JSONDecoder().decode(JSONValue.self, from: input)
      if let value = answer["snapshot"] {
        snapshot = try decode(encodingState(of: value), with: defaultSnapshot)
      } else {
        entries = (answer["entries"]?.elements ?? []).map { message in
          message.elements.compactMap { try? decode(encodingActions(of: $0), with: defaultEntry) }
        }
        if entries.allSatisfy(\.isEmpty) { return .refused("DecodingError") }
      }
    } catch {
      return .refused("DecodingError")
    }
    let problems = Recorder<ReplicaError>()
    let sync = try await ReplicaSync(
      of: \ValuesApp.shared, actions: valueActions, in: MemoryLog(), with: server,
      startingWith: SharedValues(), as: ClientID("a"), backoff: .constant(.zero),
      onProblem: { problem in
        problems.record(problem)
        if [.mismatch, .undecodable].contains(problem.code) { server.clientStops() }
      }, reducer: putValue)
    let store = Store(
      reducer: { _, _ in }, plugins: [.asyncWork(clock: JumpingClock()), sync.plugin],
      state: sync.restored(ValuesApp()))
    store.dispatch(Put(key: "t", value: 1))
    store.dispatch(Put(key: "u", value: 2))
    await sync.written()
    if let snapshot { server.send(snapshot) } else { server.send(entries) }
    await server.isRead()
    let rules = store.state.shared.rules
    let found = ConfirmedValues(
      state: rules.confirmed.state, position: rules.confirmed.position.offset, number: rules.confirmed.number)
    try promise(found.number <= 2, "the client has confirmed action \(found.number)")
    try promise(
      rules.pending.map(\.number) == (found.number..<2).map { $0 + 1 },
      "the pending actions are \(rules.pending)")
    var shown = found.state
    for action in rules.pending { putValue(&shown, action.change) }
    try promise(rules.shown == shown, "the client shows \(rules.shown), and not \(shown)")
    let isComplete = try expect(found, entries, snapshot)
    let codes = problems.values.map(\.code)
    try promise(isComplete || codes.contains { $0 != .otherAction }, "a message is ignored: \(codes)")
    try promise(!isComplete || codes.allSatisfy { $0 == .otherAction }, "the problems are \(problems.values)")
    if let code = codes.first(where: { $0 != .otherAction }) { return .refused("\(code)") }
    return found == ConfirmedValues() ? .refused("nothing") : .accepted
  }

  /// Compares what a client has confirmed with what it has received, and returns whether it has
  /// received everything.
  private static func expect(
    _ found: ConfirmedValues, _ entries: [[ReplicaEntry]], _ snapshot: ReplicaSnapshot?
  ) throws -> Bool {
    var expected = ConfirmedValues()
    if let snapshot {
      let state = try? JSONDecoder().decode(SharedValues.self, from: snapshot.state)
      if let state, snapshot.number <= 2 {
        expected = ConfirmedValues(
          state: state, position: snapshot.position.offset, number: snapshot.number)
        try promise(found == expected, "the client has confirmed \(found), and not \(expected)")
        return true
      }
      try promise(found == expected, "the client has confirmed \(found) without a snapshot")
      return false
    }
    for message in entries where !expected.receive(message) {
      try promise(found == expected, "the client has confirmed \(found), and not \(expected)")
      return false
    }
    try promise(found == expected, "the client has confirmed \(found), and not \(expected)")
    return true
  }

  // Most changes remove or replace a member, so that few answers would be decoded without these.
  private static let defaultEntry: JSONValue = [
    "position": ["offset": 0], "client": "b", "number": 1, "outcome": ["refused": ["reason": ""]],
  ]
  private static let defaultSnapshot: JSONValue = [
    "position": ["offset": 1], "number": 0, "ids": [:], "state": "e30=",
  ]

  /// Decodes a value whose missing members have default values.
  private static func decode<Value: Decodable>(_ json: JSONValue, with defaults: JSONValue) throws -> Value {
    let members = json.members.merging(defaults.members) { given, _ in given }
    return try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(JSONValue.object(members)))
  }

  /// Returns entries in which each action that is an object is a string with its JSON.
  private static func encodingActions(of value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(encodingActions))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            guard name == "json", case .object = value else { return (name, encodingActions(of: value)) }
            return (name, .string(String(decoding: value.utf8, as: UTF8.self)))
          }))
    default: value
    }
  }

  /// Returns a snapshot in which a state that is an object is a string with its encoded JSON.
  private static func encodingState(of snapshot: JSONValue) -> JSONValue {
    var snapshot = snapshot
    if let state = snapshot["state"], case .object = state {
      snapshot["state"] = .string(state.utf8.base64EncodedString())
    }
    return snapshot
  }
}
