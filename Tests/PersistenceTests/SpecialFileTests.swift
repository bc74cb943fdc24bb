import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Special files in place of saved files", .unlessItHangs)
struct SpecialFileTests {
  private let directory: TemporaryDirectory
  private let storage: FileStorage

  init() throws {
    directory = try TemporaryDirectory()
    storage = FileStorage(directory: directory.url)
  }

  private func makePersistence(_ problems: Recorder<PersistenceError> = Recorder()) -> Persistence<
    App, Library
  > {
    Persistence(of: \.library, in: storage, onProblem: { problems.record($0) })
  }

  private func makeFIFO(_ name: String) throws {
    try #require(mkfifo(directory.path(name), 0o600) == 0)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory.path(name), withDestinationPath: target)
  }

  private func isLink(_ name: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: directory.path(name))) != nil
  }

  /// Adds one to the loaded count, and flushes.
  private func save() throws -> [PersistenceError] {
    let problems = Recorder<PersistenceError>()
    let persistence = makePersistence(problems)
    let store = Store(
      reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(App()))
    store.dispatch(Add())
    try persistence.flush()
    return problems.values
  }

  @Test("a FIFO is not awaited: reading and writing it throw", arguments: [false, true])
  func fifo(isOpen: Bool) throws {
    try makeFIFO("a")
    // With a reader and a writer, both of which this process is, the system would open the FIFO
    // immediately.
    let descriptor = isOpen ? open(directory.path("a"), O_RDWR) : -1
    defer { close(descriptor) }
    let expected = FileStorage.Failure(
      operation: "open as a regular file", path: directory.path("a"), number: EINVAL)
    #expect(throws: expected) { try storage.read("a") }
    #expect(throws: expected) { try storage.write(Data("x".utf8), to: "a") }
    #expect(try storage.names() == ["a"])
  }

  @Test("a directory is no file")
  func folder() throws {
    try FileManager.default.createDirectory(atPath: directory.path("a"), withIntermediateDirectories: false)
    #expect(throws: FileStorage.Failure.self) { try storage.read("a") }
    #expect(throws: FileStorage.Failure(operation: "open", path: directory.path("a"), number: EISDIR)) {
      try storage.write(Data(), to: "a")
    }
  }

  @Test(
    "a FIFO in place of any file of a persistence is set aside, and saving continues",
    arguments: ["state.json", "state.previous.json", "state.json.partial"])
  func persistence(name: String) throws {
    try makeFIFO(name)
    #expect(try save().map(\.code).contains(.unreadable))
    #expect(try save().isEmpty)
    #expect(makePersistence().load().value?.count == 2)
    #expect(try storage.names().contains("state.unreadable-1.json"))
  }

  @Test("a symbolic link without a target is unreadable, and a save sets it aside")
  func danglingLink() throws {
    try link("state.json", to: "nowhere")
    #expect(
      throws: FileStorage.Failure(operation: "open", path: directory.path("state.json"), number: ENOENT)
    ) {
      try storage.read("state.json")
    }
    #expect(try save().map(\.code) == [.unreadable, .unreadable])
    #expect(!isLink("state.json"))
    #expect(isLink("state.unreadable-1.json"))
    #expect(makePersistence().load().value?.count == 1)
  }

  @Test(
    "a symbolic link to a regular file is read, and a save replaces the link without writing to its target")
  func linkToFile() throws {
    _ = try save()
    try storage.rename("state.json", to: "elsewhere")
    let before = try storage.read("elsewhere")
    try link("state.json", to: "elsewhere")
    #expect(makePersistence().load().value?.count == 1)
    for _ in 1...3 { #expect(try save().isEmpty) }
    #expect(try storage.read("elsewhere") == before)
    #expect(!isLink("state.json"))
    #expect(makePersistence().load().value?.count == 4)
  }

  @Test("nothing is written through a symbolic link")
  func writingThroughLink() throws {
    try storage.write(Data("old".utf8), to: "elsewhere")
    try link("a", to: "elsewhere")
    #expect(
      throws: FileStorage.Failure(
        operation: "open as a regular file", path: directory.path("a"), number: ELOOP)
    ) { try storage.write(Data("new".utf8), to: "a") }
    #expect(try storage.read("elsewhere") == Data("old".utf8))
  }

  @Test("a symbolic link to a FIFO is not awaited")
  func linkToFIFO() throws {
    try makeFIFO("fifo")
    try link("state.json", to: "fifo")
    #expect(try save().map(\.code) == [.unreadable, .unreadable])
    #expect(makePersistence().load().value?.count == 1)
  }
}
