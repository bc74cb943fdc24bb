import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// A disk with a cache: operations that a program has not synchronized are lost with the power.
private struct CachedDisk {
  struct File {
    var contents = Data()
    var synchronized: Data?
  }

  /// The effect of a loss of power on the cache.
  enum Loss: CaseIterable {
    case losesEverything, losesContents, losesNames
  }

  private var files: [Int: File] = [:]
  private var names: [String: Int] = [:]
  private var synchronizedNames: [String: Int] = [:]

  init(_ contents: [String: Data]) {
    for (name, data) in contents {
      write(data, to: name)
      synchronize(name)
    }
    synchronizeNames()
  }

  var fileNames: [String] { Array(names.keys) }

  func read(_ name: String) -> Data? { names[name].flatMap { files[$0]?.contents } }

  mutating func write(_ data: Data, to name: String) {
    let number = names[name] ?? files.count
    names[name] = number
    files[number, default: File()].contents = data
  }

  mutating func synchronize(_ name: String) {
    guard let number = names[name] else { return }
    let contents = files[number]?.contents
    files[number]?.synchronized = contents
  }

  mutating func rename(_ name: String, to newName: String) throws {
    guard let number = names.removeValue(forKey: name) else { throw MissingFile() }
    names[newName] = number
  }

  mutating func synchronizeNames() { synchronizedNames = names }

  /// The files after a loss of power.
  func afterLoss(_ loss: Loss) -> [String: Data] {
    let names = loss == .losesContents ? names : synchronizedNames
    return names.compactMapValues { number in
      guard let file = files[number] else { return nil }
      return loss == .losesNames ? file.contents : file.synchronized ?? Data()
    }
  }

  struct MissingFile: Error {}
}

/// The storage of a program that is killed after some steps.
///
/// An operation has two steps: to the cache, and to the disk.
private final class CachedStorage: StateStorage {
  struct Killed: Error {}

  private let contents: Shared<CachedDisk>
  private let steps: Shared<Int>

  init(_ disk: CachedDisk, killedAfter steps: Int) {
    contents = Shared(disk)
    self.steps = Shared(steps)
  }

  var disk: CachedDisk { contents.value }
  var isKilled: Bool { steps.value < 0 }

  func read(_ name: String) throws -> Data? {
    if isKilled { throw Killed() }
    return disk.read(name)
  }

  func names() throws -> [String] {
    if isKilled { throw Killed() }
    return disk.fileNames
  }

  func write(_ data: Data, to name: String) throws {
    try step { $0.write(data, to: name) }
    try step { $0.synchronize(name) }
  }

  func rename(_ name: String, to newName: String) throws {
    try step { try $0.rename(name, to: newName) }
    try step { $0.synchronizeNames() }
  }

  func synchronize(_ name: String) throws {
    try step { $0.synchronize(name) }
    try step { $0.synchronizeNames() }
  }

  private func step(_ change: (inout CachedDisk) throws -> Void) throws {
    steps.change { $0 -= 1 }
    if isKilled { throw Killed() }
    var disk = disk
    try change(&disk)
    contents.value = disk
  }
}

@Suite("A loss of power after programs were killed")
struct PowerLossTests {
  private struct Outcome {
    var disk: CachedDisk
    /// The count of the last returned flush.
    var flushed: Int
    var isKilled: Bool
  }

  /// A program that loads, flushes the loaded state, and then adds one and flushes, twice.
  private func run(on disk: CachedDisk, flushed: Int, killedAfter steps: Int) -> Outcome {
    let storage = CachedStorage(disk, killedAfter: steps)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    var outcome = Outcome(disk: disk, flushed: flushed, isKilled: false)
    let loaded = persistence.load().value ?? Library()
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App(library: loaded))
    for amount in [0, 1, 1] {
      store.dispatch(Add(amount: amount))
      if (try? persistence.flush()) != nil, !storage.isKilled { outcome.flushed = store.state.library.count }
    }
    outcome.disk = storage.disk
    outcome.isKilled = storage.isKilled
    return outcome
  }

  private func expectKept(_ outcome: Outcome, _ comment: @autoclosure () -> String) {
    for loss in CachedDisk.Loss.allCases {
      let files = InMemoryStorage(files: outcome.disk.afterLoss(loss))
      let count = StorageProbe(files).savedCount ?? 0
      #expect(count >= outcome.flushed, "\(comment()), \(loss), \(files.files.keys.sorted())")
    }
  }

  @Test("the next start loads the flushed state, wherever two earlier programs were killed")
  func twoKills() throws {
    var runs = 0
    for files in [[:], try StorageProbe.withSaved(1, 2).files.files] {
      let flushed = files.isEmpty ? 0 : 2
      var (first, isFirstKilled) = (0, true)
      while isFirstKilled {
        let once = run(on: CachedDisk(files), flushed: flushed, killedAfter: first)
        isFirstKilled = once.isKilled
        expectKept(once, "killed after \(first)")
        var (second, isSecondKilled) = (0, true)
        while isSecondKilled {
          let twice = run(on: once.disk, flushed: once.flushed, killedAfter: second)
          isSecondKilled = twice.isKilled
          expectKept(twice, "killed after \(first) and \(second)")
          var (third, isThirdKilled) = (0, true)
          while isThirdKilled {
            let last = run(on: twice.disk, flushed: twice.flushed, killedAfter: third)
            isThirdKilled = last.isKilled
            expectKept(last, "killed after \(first), \(second) and \(third)")
            runs += 1
            third += 1
          }
          second += 1
        }
        first += 1
      }
    }
    #expect(runs > 1_000)
  }
}
