import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

/// The state that clients share.
struct SharedValues: Codable, Equatable {
  var values: [String: Int] = [:]
}

struct ValuesApp: FluxState {
  var shared = Replica(SharedValues())
}

struct Put: Codable, TemporaryIDAction {
  var key: String
  let value: Int

  func replacingTemporaryIDs(_ ids: TemporaryIDs) -> Put { Put(key: ids[key] ?? key, value: value) }
}

let valueActions = ActionRegistry(Put.self)

func putValue(_ shared: inout SharedValues, _ action: any Action) {
  if let put = action as? Put { shared.values[put.key] = put.value }
}

extension FuzzTarget {
  /// The messages and the saved states of replicas and their servers.
  ///
  /// A server that receives a message has the state of its log, and continues to answer. A saved
  /// state is read, or refused without a change of its log.
  static let replicas = FuzzTarget(
    "replicas",
    examples: [
      #"{"client":"a","firstNumber":1,"actions":[{"name":"Put","json":"{\"key\":\"k\",\"value\":3}"}]}"#,
      #"{"client":"b","firstNumber":2,"actions":[{"name":"Other","json":""},{"name":"Put","json":"[]"}]}"#,
      #"{"state":{"values":{"k":3}},"clients":{"newest":["a",2,"b",7]},"ids":["a",{"t":"1"}]}"#,
      #"{"client":"a","state":{"values":{"k":3}},"position":{"offset":2},"number":1,"ids":{"t":"1"}}"#,
    ],
    words: [
      "client", "firstNumber", "actions", "name", "json", "Put", "key", "value", "state", "values", "clients",
      "newest", "ids", "position", "offset", "number",
    ]
  ) { input, maker in
    let text = String(decoding: input, as: UTF8.self)
    if text.contains("firstNumber") { return try await receive(input, isFirst: maker.oneIn(2)) }
    return text.contains("newest") ? try await openServer(input) : try await openOutbox(input)
  }

  private static func server(on log: MemoryLog) async throws -> ReplicaServer<SharedValues> {
    try await ReplicaServer(on: log, actions: valueActions, startingWith: SharedValues(), reducer: putValue)
  }

  private static func pushed(by client: String) -> PushedActions {
    let json = #"{"key":"last","value":1}"#
    return PushedActions(from: ClientID(client), firstNumber: 1, [EncodedAction(name: "Put", json: json)])
  }

  /// Passes an input to a server as actions of a client.
  private static func receive(_ input: Data, isFirst: Bool) async throws -> Verdict {
    let message: PushedActions
    do {
      message = try JSONDecoder().decode(PushedActions.self, from: input)
    } catch is DecodingError {
      return .refused("DecodingError")
    }
    let log = MemoryLog()
    let server = try await server(on: log)
    if !isFirst { _ = try await server.push(pushed(by: "b")) }
    let before = try await log.end()
    let received = try await server.push(message)
    let count = before.distance(to: try await log.end())
    try promise(count <= message.actions.count, "the log contains other actions")
    try promise(try await server.push(message) == received, "a repeated message has another answer")
    try promise(try await log.end() == before.advanced(by: count), "a repeated message was appended")
    try promise(try await self.server(on: log).state == server.state, "the log has another state")
    try promise(try await server.push(pushed(by: "the last client")) == 1, "the server does not continue")
    return count > 0 ? .accepted : .refused("ignored")
  }

  /// Opens a server whose log has an input as its snapshot.
  private static func openServer(_ input: Data) async throws -> Verdict {
    let log = MemoryLog()
    try await log.append([Data(), Data()], at: .start)
    try await log.save(LogSnapshot(position: LogPosition(2), data: input))
    let server: ReplicaServer<SharedValues>
    do {
      server = try await self.server(on: log)
    } catch let error as ReplicaError {
      try promise(try await log.snapshot()?.data == input, "the snapshot was changed")
      return .refused("\(error.code)")
    }
    try promise(server.position == LogPosition(2), "the server is at another position")
    try promise(try await server.push(pushed(by: "the last client")) == 1, "the server does not continue")
    try await server.save()
    try promise(try await self.server(on: log).state == server.state, "the saved state is different")
    return .accepted
  }

  /// Opens an outbox that has an input as its snapshot.
  private static func openOutbox(_ input: Data) async throws -> Verdict {
    let log = MemoryLog()
    let entry = Data(#"{"number":2,"action":{"name":"Put","json":"{\"key\":\"t\",\"value\":1}"}}"#.utf8)
    try await log.append([entry], at: .start)
    try await log.save(LogSnapshot(position: .start, data: input))
    func restored() async throws -> Replica<SharedValues> {
      let server = try await server(on: MemoryLog())
      let sync = try await ReplicaSync(
        of: \ValuesApp.shared, actions: valueActions, in: log, with: server, startingWith: SharedValues(),
        onProblem: { _ in },
        reducer: putValue)
      return sync.restored(ValuesApp()).shared
    }
    do {
      let replica = try await restored()
      try promise(replica.pendingCount == 1, "the written action is missing")
      try promise(try await restored() == replica, "a second start differs")
      return .accepted
    } catch let error as ReplicaError {
      try promise(try await log.snapshot()?.data == input, "the snapshot was changed")
      try promise(
        try await log.entries(from: .start, limit: 10).map(\.data) == [entry], "an entry is missing")
      return .refused("\(error.code)")
    }
  }
}
