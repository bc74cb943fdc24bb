import FluxCore
import FluxLog
import Foundation

/// A call of the client, which is a line of the program's output.
struct PipedCall: Codable {
  var id: Int
  var push: PushedActions?
  var entriesFrom: LogPosition?
  var snapshotFor: ClientID?
}

/// An answer of the server, which is a line of the program's input.
struct PipedAnswer: Codable {
  var id: Int
  var received: UInt64?
  var entries: [ReplicaEntry]?
  var snapshot: ReplicaSnapshot?
  var isTruncated = false
}

/// A connection to a server in the process that started this program.
final class PipedTransport: ReplicaTransport {
  private struct Failed: Error {}

  private struct Contents: Sendable {
    var lastID = 0
    var waiting: [Int: AsyncThrowingStream<PipedAnswer, any Error>.Continuation] = [:]
  }

  private let contents = Locked(Contents())
  private let tell: @Sendable (String) -> Void

  init(_ tell: @escaping @Sendable (String) -> Void) {
    self.tell = tell
    Thread.detachNewThread { [self] in receive() }
  }

  private func receive() {
    while let line = readLine() {
      guard let answer = try? JSONDecoder().decode(PipedAnswer.self, from: Data(line.utf8)) else { continue }
      contents.withLock { $0.waiting[answer.id] }?.yield(answer)
    }
  }

  private func call(_ make: (_ id: Int) -> PipedCall) -> AsyncThrowingStream<PipedAnswer, any Error> {
    let (stream, continuation) = AsyncThrowingStream<PipedAnswer, any Error>.makeStream()
    let id = contents.withLock { contents in
      contents.lastID += 1
      contents.waiting[contents.lastID] = continuation
      return contents.lastID
    }
    continuation.onTermination = { [self] _ in contents.withLock { $0.waiting[id] = nil } }
    guard let line = try? JSONEncoder().encode(make(id)) else { return stream }
    tell("call " + String(decoding: line, as: UTF8.self))
    return stream
  }

  private func answer(to make: (_ id: Int) -> PipedCall) async throws -> PipedAnswer {
    for try await answer in call(make) { return answer }
    throw Failed()
  }

  func push(_ actions: PushedActions) async throws -> UInt64 {
    guard let received = try await answer(to: { PipedCall(id: $0, push: actions) }).received else {
      throw Failed()
    }
    return received
  }

  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    let answers = call { PipedCall(id: $0, entriesFrom: position) }
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await answer in answers {
            if answer.isTruncated { throw LogError(.truncated, "The server has removed the entries.") }
            continuation.yield(answer.entries ?? [])
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    guard let snapshot = try await answer(to: { PipedCall(id: $0, snapshotFor: client) }).snapshot else {
      throw Failed()
    }
    return snapshot
  }
}
