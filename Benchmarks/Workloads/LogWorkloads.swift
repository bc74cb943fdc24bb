import FluxAsync
import FluxCollections
import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import Synchronization

private struct Rated: FluxState, Codable {
  var total = 0
}

/// An action that takes about 70 bytes as JSON.
private struct Rate: Action, Codable {
  let film: Int
  let title: String
  let stars: Int
}

private let rating = Rate(film: 27, title: "a title that takes an object", stars: 5)

private let rate: MutatingReducer<Rated> = { state, action in
  guard let rating = action as? Rate else { return }
  state.total &+= rating.stars
}

/// The capacity leaves room for all turns, so no turn writes a snapshot.
private let capacity = 64 << 20

let logWorkloads: [Workload] =
  journalWorkloads
  + [thousand, million].flatMap { size in
    [
      receiving("replica-own-\(size)", "its own action", ownAction: true, size),
      receiving("replica-other-\(size)", "an action of another client", ownAction: false, size),
    ]
  }

private let journalWorkloads: [Workload] = [
  Workload("floor-journal-encoding", "handwritten: an action that is encoded as JSON", turns: thousand) {
    rated { data in precondition(!data.isEmpty) }
  },
  Workload(
    "floor-journal", "handwritten: an action that is encoded as JSON and copied with a checksum",
    turns: thousand
  ) {
    let journal = HandWrittenJournal()
    return rated {
      journal.write($0)
    } after: {
      journal.end()
    }
  },
  Workload(
    "journal", "an action that a journal records before the reducer runs", floor: "floor-journal",
    turns: thousand
  ) {
    let folder = URL.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
    // The journal keeps its file open, so the folder can be removed.
    defer { try? FileManager.default.removeItem(at: folder) }
    guard
      let plugin = try? Plugin<Rated>.journal(
        in: folder, capacity: capacity, actions: ActionRegistry(Rate.self))
    else { preconditionFailure("The folder for temporary files is not writable.") }
    let store = Store(reducer: rate, plugins: [plugin], state: Rated())
    return { times in
      for _ in 0..<times { store.dispatch(rating) }
    }
  },
]

/// Returns turns that dispatch an action, which is encoded before it is reduced.
///
/// - Parameters:
///   - use: A closure that receives the encoded action before it is reduced.
///   - reduced: A closure that is called after the action is reduced.
private func rated(
  _ use: @escaping @Sendable (Data) -> Void, after reduced: @escaping @Sendable () -> Void = {}
) -> Workload.Turns {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let plugin = Plugin<Rated>(wrapReducer: { reducer in
    { state, action in
      if let rating = action as? Rate, let data = try? encoder.encode(rating) { use(data) }
      reducer(&state, action)
      reduced()
    }
  })
  let store = Store(reducer: rate, plugins: [plugin], state: Rated())
  return { times in
    for _ in 0..<times { store.dispatch(rating) }
  }
}

/// A handwritten replacement for a journal: memory, a number, and a checksum for each action.
///
/// The replacement has no names, snapshots, and limits, and its memory is not a file.
private final class HandWrittenJournal: Sendable {
  private struct Contents: ~Copyable, @unchecked Sendable {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    var free = 8
    var number: UInt64 = 0

    deinit { memory.deallocate() }
  }

  private let contents = Mutex(Contents())

  func write(_ data: Data) {
    contents.withLock { contents in
      contents.number &+= 1
      var checksum = contents.number ^ UInt64(truncatingIfNeeded: data.count)
      var place = contents.memory + contents.free + 24
      data.withUnsafeBytes { bytes in
        var offset = 0
        while offset &+ 8 <= bytes.count {
          let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          checksum = (checksum ^ word) &* 0x9E37_79B9_7F4A_7C15
          place.storeBytes(of: word, as: UInt64.self)
          place += 8
          offset &+= 8
        }
        while offset < bytes.count {
          checksum = (checksum ^ UInt64(bytes[offset])) &* 0x9E37_79B9_7F4A_7C15
          place.storeBytes(of: bytes[offset], as: UInt8.self)
          place += 1
          offset &+= 1
        }
      }
      contents.memory.storeBytes(of: contents.number, toByteOffset: contents.free + 8, as: UInt64.self)
      contents.memory.storeBytes(of: checksum, toByteOffset: contents.free + 16, as: UInt64.self)
      atomicMemoryFence(ordering: .releasing)
      contents.memory.storeBytes(of: data.count, toByteOffset: contents.free, as: Int.self)
      contents.free = contents.free &+ 24 &+ (data.count &+ 7) & ~7
      contents.memory.storeBytes(of: contents.number &<< 1 | 1, as: UInt64.self)
    }
  }

  /// Records that the newest action was reduced.
  func end() {
    contents.withLock { contents in
      contents.memory.storeBytes(of: contents.number &<< 1, as: UInt64.self)
    }
  }
}

// MARK: - Replicas

/// The shared state of a replica.
private struct Films: Codable, Sendable {
  var rows: OrderedState<Film>
}

private struct Film: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var stars: Int
}

private struct Shop: FluxState {
  var films: Replica<Films>
}

private struct RateFilm: Action, Codable {
  let id: Int
}

/// A server whose entries a workload chooses.
private final class ChosenEntries: ReplicaTransport {
  private let batches = AsyncThrowingStream<[ReplicaEntry], any Error>.makeStream()

  func send(_ entry: ReplicaEntry) {
    batches.continuation.yield([entry])
  }

  func push(_ actions: PushedActions) async throws -> UInt64 {
    actions.firstNumber &+ UInt64(actions.actions.count) &- 1
  }

  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
    batches.stream
  }

  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot {
    preconditionFailure("The entries are never truncated.")
  }
}

/// Returns a workload in which a client with ten pending actions receives one entry.
private func receiving(_ name: String, _ subject: String, ownAction isOwn: Bool, _ size: Int) -> Workload {
  let title = "a replica of \(grouped(size)) elements with 10 pending actions receives \(subject)"
  return Workload(name, title, turns: 90) {
    let server = ChosenEntries()
    let films = Films(rows: OrderedState((0..<size).lazy.map { Film(id: $0, stars: 0) }))
    let client = ClientID("own")
    let opened = Mutex<ReplicaSync<Shop, Films>?>(nil)
    waiting { _ in
      let sync = try? await ReplicaSync(
        of: \Shop.films, actions: ActionRegistry(RateFilm.self), in: MemoryLog(), with: server,
        startingWith: films, as: client, backoff: .constant(.seconds(1_000_000)), onProblem: { _ in },
        reducer: { films, action in
          guard let action = action as? RateFilm else { return }
          films.rows.update(action.id) { $0.stars &+= 1 }
        })
      opened.withLock { $0 = sync }
    }(1)
    guard let sync = opened.withLock({ $0 }) else { preconditionFailure("The memory is not writable.") }
    let store = Store(
      reducer: { (_: inout Shop, _: any Action) in }, plugins: [sync.plugin],
      state: sync.restored(Shop(films: Replica(films))))
    for turn in 0..<10 { store.dispatch(RateFilm(id: id(turn, of: size))) }
    // A server confirms no action that the client has not written.
    waiting { _ in await sync.written() }(1)
    return waiting { times in
      for _ in 0..<times {
        let position = store.state.films.position
        if isOwn {
          store.dispatch(RateFilm(id: id(10 + Int(position.offset), of: size)))
          await sync.written()
        }
        let film = id(Int(position.offset), of: size)
        let action = EncodedAction(name: "RateFilm", json: "{\"id\":\(film)}")
        server.send(
          ReplicaEntry(
            at: position, from: isOwn ? client : ClientID("other"), number: position.offset &+ 1,
            .accepted(action)))
        for await new in store.values(of: \.films.position) where new != position { break }
      }
    }
  }
}
