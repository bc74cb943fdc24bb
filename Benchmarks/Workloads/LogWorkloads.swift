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

let logWorkloads: [Workload] = [
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
