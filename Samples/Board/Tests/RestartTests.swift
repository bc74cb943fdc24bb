import Board
import Flux
import FluxLog
import Foundation
import Testing

@Suite("Starting again", .timeLimit(.minutes(15)))
struct RestartTests {
  /// Runs a test with a folder, which is removed afterward.
  private func withFolder(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder)
  }

  /// Makes changes to the board in a folder, and returns the list.
  @discardableResult
  private func perform(
    _ changes: [Change], in folder: URL, snapshotLimit: Int = 1 << 20
  ) async throws -> ItemList {
    let log = try FileLog(in: folder)
    let app = try await BoardApp.test(log, snapshotLimit: snapshotLimit)
    for change in changes { _ = try await app.perform(change) }
    try await app.close()
    await log.close()
    return app.store.state.saved
  }

  private func segments(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("segment-") }
      .sorted { $0.path < $1.path }
  }

  @Test("every acknowledged change is present, and versions and ids continue")
  func allIsThere() async throws {
    try await withFolder { folder in
      let changes =
        ["milk", "bread", "tea"].map { Change.add($0) }
        + [.edit(3, Change.Edit(isDone: true, place: 0)), .remove(1)]
      let list = try await perform(changes, in: folder)
      let next = try await BoardApp.test(try FileLog(in: folder))
      #expect(next.store.state.saved == list)
      #expect(try await next.perform(.add("jam")) == .added(Item(id: 4, text: "jam"), version: 6))
    }
  }

  @Test("a list that was not acknowledged is shown if the log contains it, and then it remains")
  func lostAnswer() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    _ = try await app.perform(.add("milk"))
    log.fail(.losesAnswer)
    await #expect(throws: LogError.self) { try await app.perform(.add("bread")) }
    #expect(app.texts == ["milk"])
    log.fail(nil)
    let next = try await BoardApp.test(log)
    #expect(next.texts == ["milk", "bread"])
    #expect(try await next.perform(.add("tea")) == .added(Item(id: 3, text: "tea"), version: 3))
  }

  @Test("a write that was cut off at any byte is omitted, and nothing else is")
  func tornEnd() async throws {
    try await withFolder { folder in
      try await perform([.add("milk")], in: folder)
      let file = try #require(try segments(in: folder).first)
      let kept = try Data(contentsOf: file)
      try await perform([.add("bread")], in: folder)
      let whole = try Data(contentsOf: file)
      for count in kept.count..<whole.count {
        try whole.prefix(count).write(to: file)
        // The board does not append a new change to the rest of the interrupted write.
        let list = try await perform([.add("tea")], in: folder)
        #expect(list.items.map(\.text) == ["milk", "tea"], "\(count) bytes")
      }
    }
  }

  @Test("changed bytes that other changes follow are not omitted: the board does not start")
  func damaged() async throws {
    try await withFolder { folder in
      try await perform(["milk", "bread"].map { .add($0) }, in: folder)
      let file = try #require(try segments(in: folder).first)
      var bytes = try Data(contentsOf: file)
      let text = try #require(bytes.range(of: Data("milk".utf8)))
      bytes[text.lowerBound] = UInt8(ascii: "s")
      try bytes.write(to: file)
      let error = #expect(throws: LogError.self) { try FileLog(in: folder) }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a change that this program does not know is not omitted either")
  func unknown() async throws {
    let log = MemoryLog()
    try await log.append([Data(#"{"change":{"paint":{"_0":"red"}}}"#.utf8)], at: .start)
    await #expect(throws: BoardError.self) { try await BoardApp.test(log) }
  }

  @Test("a change that makes no version shows that changes are missing, and the board does not start")
  func gap() async throws {
    let log = MemoryLog()
    try await log.append([Data(#"{"change":{"remove":{"_0":1}}}"#.utf8)], at: .start)
    await #expect(throws: BoardError.self) { try await BoardApp.test(log) }
  }

  @Test("snapshots keep the files short, and the list survives damage of the last snapshot")
  func snapshots() async throws {
    try await withFolder { folder in
      for round in 1...10 {
        let changes = (1...6).map { number -> Change in
          let id = (round - 1) * 4 + number
          return number < 5 ? .add("\(id)") : .remove((round - 1) * 4 + number - 3)
        }
        let list = try await perform(changes, in: folder, snapshotLimit: 100)
        #expect(list.version == round * 6)
        let files = try segments(in: folder)
        #expect(files.count <= 2)
        guard round > 2 else { continue }
        let newest = try #require(files.last)
        let whole = try Data(contentsOf: newest)
        var changed = whole
        let item = try #require(changed.range(of: Data("items".utf8)))
        changed[item.lowerBound] = UInt8(ascii: "I")
        try changed.write(to: newest)
        let log = try FileLog(in: folder)
        #expect(log.problems.count == 1)
        #expect(try await BoardApp.test(log).store.state.saved == list, "round \(round)")
        await log.close()
      }
    }
  }

  @Test("many short runs leave short files")
  func shortRuns() async throws {
    try await withFolder { folder in
      for number in 1...50 {
        let list = try await perform([.add("\(number)")], in: folder, snapshotLimit: 100)
        #expect(list.version == number)
      }
      let bytes = try segments(in: folder).reduce(0) { try $0 + Data(contentsOf: $1).count }
      #expect(bytes < 10_000)
    }
  }

  @Test("a snapshot that cannot be saved is reported, and no change is lost")
  func failedSnapshot() async throws {
    let log = MemoryLog { operation in
      if case .save = operation { .refuses } else { nil }
    }
    let problems = Notes<String>()
    let app = try await BoardApp.test(log, snapshotLimit: 1, problems: problems)
    for text in ["milk", "bread"] { _ = try await app.perform(.add(text)) }
    try await app.close()
    #expect(problems.all.count == 2)
    #expect(try await BoardApp.test(log).texts == ["milk", "bread"])
  }

  @Test("a folder with the journal of an earlier version is refused", arguments: ["journal-1", "board.json"])
  func oldJournal(name: String) async throws {
    try await withFolder { folder in
      try OldJournal.check(folder)
      try await perform([.add("milk")], in: folder)
      try OldJournal.check(folder)
      try Data().write(to: folder.appending(path: name))
      #expect(throws: OldJournal.self) { try OldJournal.check(folder) }
    }
  }

  @Test("one program at a time uses a folder")
  func folderLock() async throws {
    try await withFolder { folder in
      let log = try FileLog(in: folder)
      let error = #expect(throws: LogError.self) { try FileLog(in: folder) }
      #expect(error?.code == .inUse)
      await log.close()
    }
  }
}
