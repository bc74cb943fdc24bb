import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport

struct Library: Codable, Equatable, Sendable {
  var count = 0
  var titles: [String] = []
}

struct App: FluxState, Codable, Equatable {
  var library = Library()
  var screen = 0
}

struct Add: Action {
  var amount = 1
}

struct Show: Action {
  let screen: Int
}

let appReducer: MutatingReducer<App> = { state, action in
  switch action {
  case let action as Add: state.library.count += action.amount
  case let action as Show: state.screen = action.screen
  default: break
  }
}

struct DiskFull: Error, CustomStringConvertible {
  var description: String { "the disk is full" }
}

/// An app on a recorded storage, with a clock that does not advance by itself.
struct Desk {
  let storage: StorageProbe
  let clock = ManualClock()
  let problems = EventLog<PersistenceError>()
  let persistence: Persistence<App, Library>

  init(on storage: StorageProbe = StorageProbe(), version: Int = 1, migrations: [Migration] = []) {
    self.storage = storage
    persistence = Persistence(
      of: \.library, in: storage, version: version, migrations: migrations, window: .seconds(10),
      clock: clock,
      onProblem: { [problems] in problems.record($0) })
  }

  func makeStore(_ state: App = App(), middleware: [Middleware<App>] = []) -> Store<App> {
    Store(reducer: appReducer, middleware: middleware, plugins: [persistence.plugin], state: state)
  }

  /// Dispatches an action, and saves its change.
  func save(_ count: Int) throws {
    var state = App()
    state.library.count = persistence.load().value?.count ?? 0
    let store = makeStore(state)
    store.dispatch(Add(amount: count - state.library.count))
    try persistence.flush()
  }
}

/// Yields, so that other threads could make a forbidden step now.
func letOthersRun() {
  for _ in 1...1000 { sched_yield() }
}

extension StorageProbe {
  /// A storage on which the given counts have been saved, one after another.
  static func withSaved(_ counts: Int..., version: Int = 1) throws -> StorageProbe {
    let storage = StorageProbe()
    for count in counts { try Desk(on: storage, version: version).save(count) }
    storage.forget()
    return storage
  }

  /// The count that a starting program would load.
  var savedCount: Int? {
    Persistence<App, Library>(of: \.library, in: files, onProblem: { _ in }).load().value?.count
  }
}

/// A storage that records its operations, and calls a test before each of them.
final class StorageProbe: StateStorage {
  typealias Operation = InMemoryStorage.Operation

  let files: InMemoryStorage
  /// The successful operations.
  private let done = EventLog<Operation>()
  /// The bytes of each save, after they are in place.
  private let saves = EventLog<Data>()
  private let hook = Shared<(@Sendable (Operation) -> Void)?>(nil)

  init(_ files: InMemoryStorage = InMemoryStorage()) {
    self.files = files
  }

  var operations: [Operation] { done.values }
  var changes: [Operation] {
    operations.filter { operation in
      switch operation {
      case .read, .names: false
      case .write, .rename: true
      }
    }
  }
  var saveCount: Int { saves.values.count }

  func before(_ hook: (@Sendable (Operation) -> Void)?) {
    self.hook.value = hook
  }

  func forget() {
    done.forget()
    saves.forget()
  }

  /// Waits until the given number of saves are in place.
  func saves(atLeast count: Int) async {
    await saves.count(atLeast: count)
  }

  func read(_ name: String) throws -> Data? {
    try perform(.read(name)) { try files.read(name) }
  }

  func write(_ data: Data, to name: String) throws {
    try perform(.write(name)) { try files.write(data, to: name) }
  }

  func rename(_ name: String, to newName: String) throws {
    try perform(.rename(name, to: newName)) { try files.rename(name, to: newName) }
    if newName == "state.json" { saves.record(files.files[newName] ?? Data()) }
  }

  func synchronize(_ name: String) {
    files.synchronize(name)
  }

  func names() throws -> [String] {
    try perform(.names) { try files.names() }
  }

  private func perform<Result>(_ operation: Operation, _ body: () throws -> Result) rethrows -> Result {
    hook.value?(operation)
    let result = try body()
    done.record(operation)
    return result
  }
}
