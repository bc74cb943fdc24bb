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

/// An app on a storage that is watched, with a clock that stands still.
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

  /// Dispatches an action, and has it saved.
  func save(_ count: Int) throws {
    var state = App()
    state.library.count = persistence.load().value?.count ?? 0
    let store = makeStore(state)
    store.dispatch(Add(amount: count - state.library.count))
    try persistence.flush()
  }
}

/// Gives other threads every opportunity to do what they must not do.
func letOthersRun() {
  for _ in 1...1000 { sched_yield() }
}

extension StorageProbe {
  /// A storage on which some counts have been saved, one after the other.
  static func withSaved(_ counts: Int..., version: Int = 1) throws -> StorageProbe {
    let storage = StorageProbe()
    for count in counts { try Desk(on: storage, version: version).save(count) }
    storage.forget()
    return storage
  }

  /// The count that a program that starts now would load.
  var savedCount: Int? {
    Persistence<App, Library>(of: \.library, in: files, onProblem: { _ in }).load().value?.count
  }
}

/// A storage that notes what it has done, and lets a test step in before it does it.
final class StorageProbe: StateStorage {
  typealias Operation = InMemoryStorage.Operation

  let files: InMemoryStorage
  /// What has been done, without what has failed.
  private let done = EventLog<Operation>()
  /// The bytes of each save, once they are in place.
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

  /// Waits until so many saves are in place.
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
