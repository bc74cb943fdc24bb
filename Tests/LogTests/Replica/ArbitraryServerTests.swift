import FluxAsync
import FluxCore
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("A replica and a server with arbitrary answers", .unlessItHangs)
struct ArbitraryServerTests {
  /// A server whose answers, entries, and snapshots are random, and are often plausible.
  private final class ArbitraryServer: ReplicaTransport {
    struct Lost: Error {}

    private struct Contents {
      var random: SeededGenerator
      var calls = 0
      /// The actions of the client by their numbers.
      var pushed: [UInt64: EncodedAction] = [:]
      /// The end of the entries that the client has asked for or received.
      var end = LogPosition.start
      /// The number of the newest action that a plausible entry contained.
      var newest: UInt64 = 0
    }

    static let client = ClientID("a")
    private static let numbers: [UInt64] = [0, 1, 2, 150, 1 << 32, 1 << 63 - 1, 1 << 63, .max - 1, .max]
    private let contents: Shared<Contents>

    init(seed: UInt64) { contents = Shared(Contents(random: SeededGenerator(seed: seed))) }

    var calls: Int { contents.value.calls }

    func push(_ actions: PushedActions) async throws -> UInt64 {
      try contents.change { contents -> Result<UInt64, any Error> in
        contents.calls += 1
        for (index, action) in actions.actions.enumerated() {
          contents.pushed[actions.firstNumber + UInt64(index)] = action
        }
        switch Int.random(in: 0..<60, using: &contents.random) {
        case 0: return .failure(Lost())
        case 1: return .success(Self.numbers.randomElement(using: &contents.random)!)
        default: return .success(actions.firstNumber + UInt64(actions.actions.count) - 1)
        }
      }.get()
    }

    func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
      let (batches, error) = contents.change { contents -> ([[ReplicaEntry]], (any Error)?) in
        contents.calls += 1
        var next = position
        let batches = (0..<Int.random(in: 0...3, using: &contents.random)).map { _ in
          Self.batch(from: &next, in: &contents)
        }
        let errors: [any Error] = [
          Lost(), LogError(.truncated, at: position, "The log begins later."),
          LogError(.outOfBounds, at: position, "The log is shorter."),
        ]
        let fails = Int.random(in: 0..<20, using: &contents.random) == 0
        return (batches, fails ? errors.randomElement(using: &contents.random) : nil)
      }
      return AsyncThrowingStream { continuation in
        for batch in batches { continuation.yield(batch) }
        continuation.finish(throwing: error)
      }
    }

    private static func batch(from next: inout LogPosition, in contents: inout Contents) -> [ReplicaEntry] {
      var entries: [ReplicaEntry] = []
      for _ in 0..<Int.random(in: 0...4, using: &contents.random) {
        let isOdd = Int.random(in: 0..<300, using: &contents.random) == 0
        let isOwn = Bool.random(using: &contents.random) && (isOdd || !contents.pushed.isEmpty)
        let number = isOdd ? numbers.randomElement(using: &contents.random)! : contents.pushed.keys.min() ?? 1
        let pushed = contents.pushed[number]
        if isOwn, !isOdd {
          contents.pushed[number] = nil
          contents.newest = number
        }
        let other = EncodedAction(name: "AddNote", json: #"{"text":"other"}"#)
        let outcome: ReplicaEntry.Outcome =
          switch Int.random(in: 0..<10, using: &contents.random) {
          case 0: .refused(reason: "full")
          case 1: .changed(other, ids: ["temporary": "1"])
          case 2 where isOdd: .accepted(EncodedAction(name: "Unknown", json: "{}"))
          default: .accepted(isOwn && !isOdd ? pushed ?? other : other)
          }
        let position = isOdd ? LogPosition(numbers.randomElement(using: &contents.random)!) : next
        entries.append(
          ReplicaEntry(at: position, from: isOwn ? client : ClientID("b"), number: number, outcome))
        next = next.advanced(by: 1)
      }
      contents.end = next
      return entries
    }

    func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
      try contents.change { contents -> Result<ReplicaSnapshot, any Error> in
        contents.calls += 1
        guard Bool.random(using: &contents.random) else { return .failure(Lost()) }
        let random = { (contents: inout Contents) in Self.numbers.randomElement(using: &contents.random)! }
        let isOdd = Int.random(in: 0..<20, using: &contents.random) == 0
        let position = isOdd ? random(&contents) : contents.end.offset + 1
        let number = isOdd ? random(&contents) : contents.newest
        let json = [#"{"texts":["saved"]}"#, "{}", ""].randomElement(using: &contents.random)!
        return .success(
          ReplicaSnapshot(
            at: LogPosition(position), number: number,
            refusals: [ReplicaSnapshot.Refusal(number: random(&contents), reason: "full")],
            state: Data(json.utf8)))
      }.get()
    }
  }

  @Test("the replica stops or continues, and loses no action whose result it has not received")
  func arbitrary() async throws {
    let fixture = NotesFixture()
    var (stopped, confirmed, calls) = (0, 0, 0)
    for seed in 1...300 as ClosedRange<UInt64> {
      let server = ArbitraryServer(seed: seed)
      let problems = Recorder<ReplicaError>()
      let outbox = MemoryLog()
      let sync = try await ReplicaSync(
        of: \NotesApp.notes, actions: noteActions, in: outbox, with: server, startingWith: Notes(),
        as: ArbitraryServer.client, backoff: .constant(.zero), onProblem: { problems.record($0) },
        reducer: reduceNotes)
      let store = fixture.store(sync)
      func isStopped() -> Bool { problems.values.contains { [.mismatch, .undecodable].contains($0.code) } }
      for number in 0..<10 {
        store.dispatch(AddNote(text: "\(number)"))
        let end = server.calls + 3
        while server.calls < end, !isStopped() { await Task.yield() }
      }
      await sync.written()
      // The replica continues meanwhile, so the outbox is read first, and can be truncated.
      var saved: Int?
      while saved == nil {
        let position = try #require(try await outbox.snapshot()).position
        saved = try? await outbox.entries(from: position).count
      }
      let rules = store.state.notes.rules
      #expect(rules.newest == 10, "seed \(seed)")
      #expect(
        rules.pending.map(\.number) == Array(rules.confirmed.number..<10).map { $0 + 1 }, "seed \(seed)")
      #expect(
        rules.pending.map { ($0.change as? AddNote)?.text }
          == (Int(rules.confirmed.number)..<10).map(String.init),
        "seed \(seed)")
      #expect(try #require(saved) >= rules.pending.count, "seed \(seed)")
      if isStopped() { stopped += 1 }
      confirmed += Int(rules.confirmed.number)
      calls += server.calls
    }
    #expect(stopped > 80 && confirmed > 500, "\(stopped) stopped, \(confirmed) confirmed, \(calls) calls")
  }
}
