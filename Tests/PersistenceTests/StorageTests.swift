import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// A directory that is removed when the test ends.
final class TemporaryDirectory: Sendable {
  let url: URL

  /// - Parameter depth: The number of levels that do not exist yet.
  init(missing depth: Int = 0) throws {
    let top = FileManager.default.temporaryDirectory
      .appendingPathComponent("persistence-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
    self.top = top
    url = (0..<depth).reduce(top) { url, level in url.appendingPathComponent("\(level)", isDirectory: true) }
  }

  private let top: URL

  deinit {
    try? FileManager.default.removeItem(at: top)
  }

  func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }
}

@Suite("Storages")
struct StorageTests {
  enum Kind: CaseIterable {
    case files, memory
  }

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory(missing: 2)
  }

  private func make(_ kind: Kind) -> any StateStorage {
    switch kind {
    case .files: FileStorage(directory: directory.url)
    case .memory: InMemoryStorage()
    }
  }

  @Test("a new storage is empty", arguments: Kind.allCases)
  func empty(kind: Kind) throws {
    let storage = make(kind)
    #expect(try storage.read("a") == nil)
    #expect(try storage.names().isEmpty)
  }

  @Test("written bytes are read again, whatever they are, and replace earlier ones", arguments: Kind.allCases)
  func write(kind: Kind) throws {
    let storage = make(kind)
    let long = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for data in [Data("one".utf8), long, Data(), Data([0, 255, 10])] {
      try storage.write(data, to: "a.json")
      #expect(try storage.read("a.json") == data)
    }
    #expect(try storage.names() == ["a.json"])
  }

  @Test("synchronizing a file does not change it", arguments: Kind.allCases)
  func synchronize(kind: Kind) throws {
    let storage = make(kind)
    try storage.write(Data("one".utf8), to: "a")
    try storage.synchronize("a")
    #expect(try storage.read("a") == Data("one".utf8))
    #expect(try storage.names() == ["a"])
  }

  @Test("a slice is written with only its own bytes", arguments: Kind.allCases)
  func slice(kind: Kind) throws {
    let storage = make(kind)
    try storage.write(Data("0123456789".utf8)[3..<7], to: "a")
    #expect(try storage.read("a") == Data("3456".utf8))
  }

  @Test("a rename replaces an existing file, and removes the old name", arguments: Kind.allCases)
  func rename(kind: Kind) throws {
    let storage = make(kind)
    try storage.write(Data("new".utf8), to: "a")
    try storage.write(Data("old".utf8), to: "b")
    try storage.rename("a", to: "b")
    #expect(try storage.read("b") == Data("new".utf8))
    #expect(try storage.names() == ["b"])
  }

  @Test("a rename of a missing file throws, and changes nothing", arguments: Kind.allCases)
  func renameNothing(kind: Kind) throws {
    let storage = make(kind)
    try storage.write(Data("old".utf8), to: "b")
    #expect(throws: (any Error).self) { try storage.rename("a", to: "b") }
    #expect(try storage.read("b") == Data("old".utf8))
  }

  @Test("a storage can be used through a persistence, and opened again", arguments: Kind.allCases)
  func persistence(kind: Kind) throws {
    let storage = make(kind)
    for count in 1...3 {
      let persistence = Persistence(of: \App.library, in: storage)
      let store = Store(
        reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(App()))
      #expect(store.state.library.count == count - 1)
      store.dispatch(Add())
      try persistence.flush()
    }
    #expect(Set(try storage.names()) == ["state.json", "state.previous.json"])
  }

  // MARK: - Files

  @Test("a removed directory is created again")
  func removedDirectory() throws {
    let storage = FileStorage(directory: directory.url)
    try storage.write(Data("one".utf8), to: "a")
    try FileManager.default.removeItem(at: directory.url)
    try storage.write(Data("two".utf8), to: "a")
    #expect(try storage.read("a") == Data("two".utf8))
  }

  @Test("files are readable by their owner only")
  func permissions() throws {
    try FileStorage(directory: directory.url).write(Data(), to: "a")
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path("a"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("an error of the system contains the path, the system's message, and its number")
  func failure() throws {
    // A file has the name of the directory.
    try FileStorage(directory: directory.url).write(Data(), to: "a")
    let storage = FileStorage(directory: directory.url.appendingPathComponent("a"))
    let path = directory.path("a/b")
    let expected = FileStorage.Failure(operation: "open", path: path, number: ENOTDIR)
    #expect(throws: expected) { try storage.write(Data(), to: "b") }
    #expect(throws: expected) { try storage.read("b") }
    #expect(throws: FileStorage.Failure(operation: "open", path: directory.path("a"), number: ENOTDIR)) {
      try storage.names()
    }
    #expect(throws: FileStorage.Failure(operation: "rename", path: path, number: ENOTDIR)) {
      try storage.rename("b", to: "c")
    }
    #expect(expected.description == "open \(path): Not a directory (\(ENOTDIR))")
  }

  @Test("failing to create a directory is an error")
  func unmakeableDirectory() throws {
    let link = directory.url.deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/nowhere/at/all")
    let expected = FileStorage.Failure(operation: "make", path: directory.url.path, number: ENOENT)
    #expect(throws: expected) { try FileStorage(directory: directory.url).write(Data(), to: "a") }
  }

  @Test("a name that leaves the directory is refused", arguments: ["", ".", "..", "a/b", "/a", "a\0b"])
  func badName(name: String) throws {
    let storage = FileStorage(directory: directory.url)
    let expected = FileStorage.Failure(operation: "name", path: name, number: EINVAL)
    #expect(throws: expected) { try storage.write(Data(), to: name) }
    #expect(throws: expected) { try storage.read(name) }
    #expect(throws: expected) { try storage.rename("a", to: name) }
  }

  @Test("if a file cannot be written, the saved state remains and is loaded, and saving throws")
  func unwritableFile() throws {
    let storage = FileStorage(directory: directory.url)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    try persistence.flush()
    // A directory has the name of the temporary file: even the superuser cannot write it.
    try FileManager.default.createDirectory(
      atPath: directory.path("state.json.partial/full"), withIntermediateDirectories: true)
    store.dispatch(Add())
    let error = #expect(throws: PersistenceError.self) { try persistence.flush() }
    #expect(error?.code == .unwritable)
    #expect(error?.reason.hasSuffix("Is a directory (\(EISDIR))") == true)
    let later = Persistence(of: \App.library, in: storage, onProblem: { _ in }).load()
    #expect(later.value?.count == 1 && later.origin == .current)
  }

  @Test(
    "if a directory is not writable, the saved state is loaded, and saving throws",
    // The superuser may write everywhere.
    .enabled(if: geteuid() != 0))
  func readOnlyDirectory() throws {
    let storage = FileStorage(directory: directory.url)
    let persistence = Persistence(of: \App.library, in: storage, onProblem: { _ in })
    let store = Store(reducer: appReducer, plugins: [persistence.plugin], state: App())
    store.dispatch(Add())
    try persistence.flush()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.url.path)
    defer {
      #expect(throws: Never.self) {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.url.path)
      }
    }
    store.dispatch(Add())
    let error = #expect(throws: PersistenceError.self) { try persistence.flush() }
    #expect(error?.code == .unwritable)
    #expect(error?.reason.hasSuffix("Permission denied (\(EACCES))") == true)
    #expect(persistence.load().value?.count == 1)
  }

  #if os(Linux)
    @Test("a write that the system cuts short throws, and the incomplete file is removed")
    func cutShort() async {
      await #expect(processExitsWith: .success) {
        let directory = try TemporaryDirectory()
        let storage = FileStorage(directory: directory.url)
        try storage.write(Data("whole".utf8), to: "a")
        // A limit on the size of files stands in for a full disk.
        signal(SIGXFSZ, SIG_IGN)
        let files = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var usual = rlimit()
        try #require(getrlimit(files, &usual) == 0)
        var limit = rlimit(rlim_cur: 4096, rlim_max: usual.rlim_max)
        try #require(setrlimit(files, &limit) == 0)
        // A run that measures coverage writes another file when this process exits.
        defer { _ = setrlimit(files, &usual) }
        #expect(throws: FileStorage.Failure(operation: "write", path: directory.path("b"), number: EFBIG)) {
          try storage.write(Data(count: 100_000), to: "b")
        }
        #expect(try storage.names() == ["a"])
      }
    }
  #endif

  // MARK: - Memory

  @Test("a planned failure is thrown in place of the operation")
  func inMemoryFailure() throws {
    let storage = InMemoryStorage(files: ["a": Data("old".utf8)])
    let asked = Recorder<InMemoryStorage.Operation>()
    storage.failure = { operation in
      asked.record(operation)
      return DiskFull()
    }
    #expect(throws: DiskFull.self) { try storage.read("a") }
    #expect(throws: DiskFull.self) { try storage.write(Data(), to: "a") }
    #expect(throws: DiskFull.self) { try storage.rename("a", to: "b") }
    #expect(throws: DiskFull.self) { try storage.names() }
    #expect(asked.values == [.read("a"), .write("a"), .rename("a", to: "b"), .names])
    #expect(storage.files == ["a": Data("old".utf8)])
  }
}
