import Foundation
import TestSupport
import Testing

@Suite("The files of the to-do list")
struct SavedListTests {
  private let folder = DataFolder()

  private func lines(_ todos: String...) -> String { todos.joined(separator: "\n") }

  // MARK: Earlier versions

  /// The file that an earlier version of the program has saved.
  private func savedFile() throws -> Data {
    let file = Bundle.module.url(
      forResource: "earlier-version", withExtension: "json", subdirectory: "Expected")
    return try Data(contentsOf: try #require(file))
  }

  @Test("the list of an earlier version is loaded, and its file does not change")
  func earlierVersion() throws {
    let saved = try savedFile()
    try folder.write(saved, to: "todos.json")
    let run = try RunProgram(in: folder, typing: ["add read", "undo", "undo"])
    #expect(run.first == lines("  1 [x] buy milk", "  2 [ ] call Ada today"))
    #expect(run.screens.last == "! There is nothing to undo.")
    #expect(try Data(contentsOf: folder.url.appending(path: "todos.json")) == saved)
  }

  @Test("only the first start loads the list of an earlier version")
  func onlyOnce() throws {
    try folder.write(try savedFile(), to: "todos.json")
    _ = try RunProgram(in: folder, typing: ["remove 1 2"])
    try folder.write(Data("damaged".utf8), to: "todos.json")
    let run = try RunProgram(in: folder, typing: ["undo"])
    #expect(run.first == "There are no to-dos. To add one, type add and its text.")
    #expect(run.screens.last == lines("  1 [x] buy milk", "  2 [ ] call Ada today"))
  }

  @Test("a damaged list of an earlier version is set aside with a message")
  func damagedEarlierVersion() throws {
    let damaged = try savedFile() + Data(" ".utf8)
    try folder.write(damaged, to: "todos.json")
    let run = try RunProgram(in: folder)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("! todos.json is corrupt: "), "\(run.output)")
    #expect(run.output.hasSuffix("There are no to-dos. To add one, type add and its text.\n"))
    #expect(try Data(contentsOf: folder.url.appending(path: "todos.corrupt-1.json")) == damaged)
  }

  @Test("a list of an earlier version that cannot be read is not replaced by an empty list")
  func unreadableEarlierVersion() throws {
    // A directory cannot be read as a file.
    let file = folder.url.appending(path: "todos.json")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let run = try RunProgram(in: folder, typing: ["add read"])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.trouble.hasPrefix("todos: todos.json cannot be read: "), "\(run.trouble)")
    try FileManager.default.removeItem(at: file)
    try folder.write(try savedFile(), to: "todos.json")
    #expect(try RunProgram(in: folder).first == lines("  1 [x] buy milk", "  2 [ ] call Ada today"))
  }

  // MARK: Damage

  private func segment() throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.log.path)
    return folder.log.appending(path: try #require(names.filter { $0 != "lock" }.max()))
  }

  @Test("a damaged log is reported, shows the changes before the damage, and is kept")
  func damagedLog() throws {
    _ = try RunProgram(in: folder, typing: ["add a", "add b", "add c", "add d"])
    let segment = try segment()
    var contents = try Data(contentsOf: segment)
    let text = try #require(contents.range(of: Data(#""text":"c""#.utf8)))
    contents[text.upperBound - 2] = UInt8(ascii: "x")
    try contents.write(to: segment)
    let run = try RunProgram(in: folder, typing: ["undo"])
    #expect(run.status == 0)
    #expect(run.first.hasPrefix("! The file \(segment.lastPathComponent) cannot be used from byte "))
    #expect(
      run.first.hasSuffix(
        lines(". A copy of the file is kept in the folder log.", "  1 [ ] a", "  2 [ ] b")), "\(run.first)")
    #expect(run.screens.last == "  1 [ ] a")
    let copy = folder.log.appending(path: "damaged-\(segment.lastPathComponent)")
    #expect(try Data(contentsOf: copy) == contents)
  }

  @Test("a second program does not open the same folder")
  func inUse() throws {
    let program = try #require(builtProgram(named: "todos"))
    let (process, typed, written) = (Process(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments = ["--data", folder.url.path]
    process.standardInput = typed
    process.standardOutput = written
    try process.run()
    // The program shows the list after it has opened the folder.
    #expect(!written.fileHandleForReading.availableData.isEmpty)
    let run = try RunProgram(in: folder, typing: ["add a"])
    #expect(run.status == 1)
    #expect(run.trouble.hasSuffix(" is in use.\n"), "\(run.trouble)")
    try typed.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
