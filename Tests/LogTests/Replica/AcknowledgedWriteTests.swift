import FluxLog
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Acknowledged writes to several servers with one log", .unlessItHangs)
struct AcknowledgedWriteTests {
  /// A single server on a single thread.
  struct OneServer: SequentialModel {
    enum Operation: Sendable {
      /// A server has acknowledged a note.
      case add(String)
      /// A server has returned its state after it has read the log.
      case read([String])
    }

    var texts: [String] = []

    mutating func accepts(_ operation: Operation) -> Bool {
      switch operation {
      case .add(let text): texts.append(text)
      case .read(let seen): return seen == texts
      }
      return true
    }
  }

  /// A mistake of a client or a server.
  enum Mistake: CaseIterable {
    /// The last note of each client is acknowledged before the log contains it.
    case acknowledgesEarly
    /// A server returns its state without reading the log.
    case readsOldState
    /// A note whose answer was lost gets a new number when it is sent again.
    case repeatsWithNewNumber
  }

  @Test("acknowledged writes and reads have an order that is possible with one server")
  func holds() async throws {
    var (overlaps, lost) = (0, 0)
    for seed in 1...300 as ClosedRange<UInt64> {
      let history = try await History(seed: seed)
      await history.run()
      overlaps += history.hasOverlap ? 1 : 0
      lost += history.lostAnswers
      if !history.hasOrder { Issue.record("seed \(seed):\(history)") }
    }
    printStatistics("\(overlaps) of 300 histories with operations that overlap, \(lost) lost answers")
    #expect(overlaps > 0 && lost > 0)
  }

  @Test("each mistake is found", arguments: Mistake.allCases)
  func finds(mistake: Mistake) async throws {
    var isFound = false
    for seed in 1...300 as ClosedRange<UInt64> where !isFound {
      let history = try await History(seed: seed, mistake)
      await history.run()
      isFound = !history.hasOrder
    }
    #expect(isFound)
  }

  /// The operations of three clients on two servers, whose log loses answers.
  private final class History: Sendable, CustomStringConvertible {
    private let seed: UInt64
    private let mistake: Mistake?
    private let servers: [ReplicaServer<Notes>]
    private let moments = Atomic(0)
    private let lost: Shared<Int>
    private let recorded = Recorder<RecordedOperation<OneServer>>()

    init(seed: UInt64, _ mistake: Mistake? = nil) async throws {
      self.seed = seed
      self.mistake = mistake
      let (faults, lost) = (Shared(SeededGenerator(seed: seed)), Shared(0))
      self.lost = lost
      let log = MemoryLog { operation in
        guard case .append = operation else { return nil }
        let fault: MemoryLog.Fault? = faults.change { random in
          switch Int.random(in: 0..<6, using: &random) {
          case 0: .losesAnswer
          case 1: .refuses
          default: nil
          }
        }
        if fault == .losesAnswer { lost.change { $0 += 1 } }
        return fault
      }
      var servers: [ReplicaServer<Notes>] = []
      for _ in 0..<2 {
        servers.append(
          try await ReplicaServer(
            on: log, actions: noteActions, startingWith: Notes(), reducer: reduceNotes))
      }
      self.servers = servers
    }

    var lostAnswers: Int { lost.value }

    var hasOrder: Bool { LinearizabilityChecker<OneServer>.order(of: recorded.values) != nil }

    var hasOverlap: Bool {
      let history = recorded.values.sorted { $0.invoked < $1.invoked }
      return zip(history, history.dropFirst()).contains { $1.invoked < $0.returned }
    }

    var description: String {
      recorded.values.sorted { $0.invoked < $1.invoked }.map { "\n  \($0)" }.joined()
    }

    func run() async {
      await withTaskGroup { group in
        for client in 0..<3 { group.addTask { await self.run(client) } }
      }
      for server in servers { await read(server, by: 3) }
    }

    private func run(_ client: Int) async {
      var random = SeededGenerator(seed: seed &* 8 &+ UInt64(client))
      var number: UInt64 = 0
      for step in 0..<6 {
        for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
        guard Bool.random(using: &random) || step == 5 else {
          await read(servers.randomElement(using: &random)!, by: client)
          continue
        }
        let text = "\(client).\(step)"
        let invoked = nextMoment()
        if mistake == .acknowledgesEarly, step == 5 {
          record(.add(text), by: client, invoked)
          await read(servers[0], by: client)
        }
        await add(text, by: client, after: &number, &random)
        if mistake != .acknowledgesEarly || step < 5 { record(.add(text), by: client, invoked) }
      }
    }

    /// Sends a note to any of the servers until one of them acknowledges it.
    private func add(
      _ text: String, by client: Int, after number: inout UInt64, _ random: inout SeededGenerator
    ) async {
      number += 1
      let action = EncodedAction(name: "AddNote", json: "{\"text\":\"\(text)\"}")
      while true {
        let message = PushedActions(from: ClientID("\(client)"), firstNumber: number, [action])
        let server = servers.randomElement(using: &random)!
        if let received = try? await server.push(message), received >= number { return }
        guard mistake == .repeatsWithNewNumber else { continue }
        // The server has received the first message or has not, so one of the numbers is the next.
        number += 1
        if let received = try? await server.push(
          PushedActions(from: ClientID("\(client)"), firstNumber: number, [action])), received == number
        {
          return
        }
        number -= 1
      }
    }

    private func read(_ server: ReplicaServer<Notes>, by client: Int) async {
      let invoked = nextMoment()
      if mistake != .readsOldState {
        // Only appends fail.
        try? await server.catchUp()
      }
      record(.read(server.state.texts), by: client, invoked)
    }

    private func record(_ operation: OneServer.Operation, by client: Int, _ invoked: Int) {
      recorded.record(
        RecordedOperation(thread: client, kind: operation, invoked: invoked, returned: nextMoment()))
    }

    private func nextMoment() -> Int { moments.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
  }
}
