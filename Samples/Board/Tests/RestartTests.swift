import Board
import Flux
import Foundation
import Testing

@Suite("Starting again", .timeLimit(.minutes(15)))
struct RestartTests {
  @Test("every change that was acknowledged is there, and versions and ids go on")
  func allIsThere() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    for text in ["milk", "bread", "tea"] { _ = try await app.perform(.add(text)) }
    _ = try await app.perform(.edit(3, Change.Edit(isDone: true, place: 0)))
    _ = try await app.perform(.remove(1))
    // The next program uses only the data on disk, as after a kill.
    let next = try BoardApp.test(TestJournal(journal.all))
    #expect(next.store.state.saved == app.store.state.saved)
    #expect(try await next.perform(.add("jam")) == .added(Item(id: 4, text: "jam"), version: 6))
  }

  @Test("a write that was cut off at any byte is left out, with nothing else, and told of")
  func tornEnd() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    _ = try await app.perform(.add("milk"))
    let kept = try #require(journal.all[1])
    _ = try await app.perform(.add("bread"))
    let whole = try #require(journal.all[1])
    for count in kept.count..<whole.count - 1 {
      let problems = Notes<String>()
      let torn = TestJournal([1: whole.prefix(count)])
      let next = try BoardApp.test(torn, problems: problems)
      #expect(next.texts == ["milk"], "\(count) bytes")
      #expect(problems.all.count == (count == kept.count ? 0 : 1), "\(count) bytes")
      // The board does not append a new change to the incomplete line.
      _ = try await next.perform(.add("tea"))
      #expect(try BoardApp.test(TestJournal(torn.all)).texts == ["milk", "tea"], "\(count) bytes")
    }
  }

  @Test("a write that was cut off is told of by the next start, and by none after that")
  func tornOnce() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    for text in ["milk", "bread"] { _ = try await app.perform(.add(text)) }
    let whole = try #require(journal.all[1])
    let torn = TestJournal([1: whole.dropLast(2)])
    let problems = Notes<String>()
    for start in 1...3 {
      #expect(try BoardApp.test(torn, problems: problems).texts == ["milk"], "start \(start)")
      #expect(problems.all.count == 1, "start \(start)")
    }
  }

  @Test("what a write that failed has left is shown only when a loss of power cannot take it back")
  func unsafeEnd() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    _ = try await app.perform(.add("milk"))
    journal.refuse(.safety)
    await #expect(throws: JournalError.self) { try await app.perform(.add("bread")) }
    #expect(throws: JournalError.unwritable(reason: "Refused()")) { try BoardApp.test(journal) }
    journal.refuse(.none)
    let next = try BoardApp.test(journal)
    #expect(next.texts == ["milk", "bread"])
    journal.losePower()
    #expect(try BoardApp.test(journal).texts == ["milk", "bread"])
  }

  @Test("a line that others follow is not left out: the board does not start")
  func corrupt() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    _ = try await app.perform(.add("milk"))
    _ = try await app.perform(.add("bread"))
    var bytes = try #require(journal.all[1])
    let text = try #require(bytes.range(of: Data("milk".utf8)))
    bytes[text.lowerBound] = UInt8(ascii: "s")
    #expect(throws: JournalError.corrupt(segment: 1, line: 1)) { try BoardApp.test(TestJournal([1: bytes])) }
  }

  @Test("a last line that was written whole, and cannot be understood, is not left out either")
  func unknown() {
    let json = #"[{"change":{"paint":{"_0":"red"}},"version":1}]"#
    let checksum = json.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(checksum, radix: 16)
    let line = Data("\(String(repeating: "0", count: 16 - digits.count))\(digits) \(json)\n".utf8)
    #expect { try BoardApp.test(TestJournal([1: line])) } throws: { error in
      if case .unreadable(segment: 1, _)? = error as? JournalError { true } else { false }
    }
  }

  @Test("the board does not start when a segment is missing")
  func gap() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    _ = try await app.perform(.add("milk"))
    let next = try BoardApp.test(journal)
    _ = try await next.perform(.add("bread"))
    _ = try await next.perform(.add("tea"))
    let rest = journal.all.filter { $0.key != 1 }
    #expect(throws: JournalError.gap(segment: 2, expected: 1, found: 2)) {
      try BoardApp.test(TestJournal(rest))
    }
  }

  @Test("segments that both snapshots have are removed, and all is there with either of them")
  func snapshots() async throws {
    let (journal, snapshots) = (TestJournal(), InMemoryStorage())
    let app = try BoardApp.test(journal, snapshots: snapshots, segmentLimit: 200)
    for number in 1...60 {
      _ = try await app.perform(number % 4 == 0 ? .remove(number - 1) : .add("\(number)"))
      guard number % 6 == 0 else { continue }
      try await app.close()
      for lost in [nil, "board.json", "board.previous.json"] {
        let files = InMemoryStorage(files: snapshots.files.filter { $0.key != lost })
        // If the last snapshot is missing, the board uses the previous snapshot.
        let next = try BoardApp.test(TestJournal(journal.all), snapshots: files)
        #expect(
          next.store.state.saved == app.store.state.saved, "\(number) changes, without \(lost ?? "nothing")")
      }
    }
    #expect(journal.all.count < 10)
    #expect(journal.all.keys.min() ?? 0 > 10)
  }

  @Test("what many short runs leave is made short too")
  func shortRuns() async throws {
    let (journal, snapshots) = (TestJournal(), InMemoryStorage())
    for number in 1...50 {
      let app = try BoardApp.test(journal, snapshots: snapshots, segmentLimit: 500)
      #expect(app.store.state.saved.version == number - 1)
      _ = try await app.perform(.add("\(number)"))
      try await app.close()
    }
    #expect(journal.all.count < 30)
  }

  @Test("one program at a time has a folder")
  func folderLock() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var lock: FolderLock? = try FolderLock(folder)
    #expect(throws: FolderLock.Taken.self) { try FolderLock(folder) }
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try FolderLock(folder)
  }

  @Test("a folder keeps segments as files, which are added to and removed")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lock = try FolderLock(folder)
    let storage = JournalFolder(folder)
    try storage.append(Data("one ".utf8), to: 1)
    try storage.append(Data("two".utf8), to: 1)
    try storage.append(Data("three".utf8), to: 12)
    #expect(try storage.segments().sorted() == [1, 12])
    #expect(try storage.read(1) == Data("one two".utf8))
    try storage.remove(1)
    #expect(try storage.segments() == [12])
    withExtendedLifetime(lock) {}
  }

  @Test("a segment that is written again is another file, also where that was begun before and cut off")
  func replacedFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let lock = try FolderLock(folder)
    let storage = JournalFolder(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    try storage.append(Data("whole".utf8), to: 3)
    try Data("cut off".utf8).write(to: folder.appending(path: "journal-3.partial"))
    #expect(try storage.segments() == [3])
    let old = try FileHandle(forReadingFrom: folder.appending(path: "journal-3"))
    try storage.replace(3, with: Data("new".utf8))
    #expect(try storage.read(3) == Data("new".utf8))
    #expect(try old.readToEnd() == Data("whole".utf8))
    try storage.remove(3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
    withExtendedLifetime(lock) {}
  }
}
