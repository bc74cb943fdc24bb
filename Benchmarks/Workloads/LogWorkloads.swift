import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

/// An action that a log can encode.
private struct Rate: Action, Codable {
  let film: Int
  let title: String
}

private struct Ratings: FluxState, Codable {
  var count = 0
}

private let rating: MutatingReducer<Ratings> = { state, action in
  if action is Rate { state.count &+= 1 }
}

private func rate(_ turn: Int) -> Rate { Rate(film: turn, title: "a title that takes an object") }

let logWorkloads: [Workload] = [
  Workload("floor-journal", "handwritten: a dispatch, and the encoding of the action", turns: 2_000) {
    let store = Store(reducer: rating, state: Ratings())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return { times in
      for turn in 0..<times {
        let action = rate(turn)
        // The bytes are read, as code that writes them does.
        let data = succeeding { try encoder.encode(action) }
        precondition(data.withUnsafeBytes { !$0.isEmpty })
        store.dispatch(action)
      }
    }
  },
  Workload(
    "journal", "a dispatch with a journal, which encodes the action", floor: "floor-journal", turns: 2_000
  ) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let journal: Plugin<Ratings> = succeeding { try .journal(in: folder, actions: ActionRegistry(Rate.self)) }
    let store = Store(reducer: rating, plugins: [journal], state: Ratings())
    // The journal uses the mapped file, and no name.
    succeeding { try FileManager.default.removeItem(at: folder) }
    return { times in
      for turn in 0..<times { store.dispatch(rate(turn)) }
    }
  },
  Workload("history-of-ratings", "a step of a `History`, for comparison", turns: 2_000) {
    let history = History<Ratings>(limit: 200)
    let store = Store(reducer: rating, plugins: [history.plugin], state: Ratings())
    return { times in
      for turn in 0..<times { store.dispatch(rate(turn)) }
    }
  },
  Workload(
    "logged-history", "a step of a `LoggedHistory` with a `MemoryLog`, including the append", turns: 2_000
  ) {
    let opened = Opened()
    return waiting { times in
      let (store, logged) = await opened.store()
      for turn in 0..<times { store.dispatch(rate(turn)) }
      do { try await logged.flushed() } catch { fatalError("\(error)") }
    }
  },
]

/// A store with a history in a log, which the first turns open.
private actor Opened {
  private var opened: (Store<Ratings>, LoggedHistory<Ratings>)?

  func store() async -> (Store<Ratings>, LoggedHistory<Ratings>) {
    if let opened { return opened }
    do {
      let (logged, ratings) = try await LoggedHistory.open(
        History<Ratings>(limit: 200), in: MemoryLog(), with: ActionRegistry(Rate.self), initial: Ratings(),
        reducer: rating)
      let new = (Store(reducer: rating, plugins: [logged.plugin], state: ratings), logged)
      opened = new
      return new
    } catch {
      fatalError("\(error)")
    }
  }
}

/// Returns the value of a closure that cannot fail on a machine with a temporary directory.
@discardableResult
private func succeeding<Value>(_ body: () throws -> Value) -> Value {
  do { return try body() } catch { fatalError("\(error)") }
}
