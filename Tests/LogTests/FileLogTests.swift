import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Logs in files", .unlessItHangs)
struct FileLogTests {
  private let storage = TestSegments()

  private func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

  private func folder() -> URL { TemporaryFolders.newLocation() }

  // MARK: Opening

  @Test("a log that is opened again has the same entries and the same snapshot")
  func reopening() async throws {
    let folder = folder()
    do {
      let log = try FileLog(in: folder)
      try await log.append("a", "b", "c")
      try await log.save(LogSnapshot(position: position(1), data: Data("one")))
      try await log.append("d")
      await log.close()
    }
    let log = try FileLog(in: folder)
    #expect(log.problems.isEmpty)
    #expect(try await log.texts() == ["a", "b", "c", "d"])
    #expect(try await log.snapshot() == LogSnapshot(position: position(1), data: Data("one")))
    #expect(try await log.append("e") == position(5))
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a directory that another object uses cannot be opened until the object is closed")
  func inUse() async throws {
    let folder = folder()
    var log: FileLog? = try FileLog(in: folder)
    let error = #expect(throws: LogError.self) { try FileLog(in: folder) }
    #expect(error?.code == .inUse)
    #expect(error?.description.contains(folder.path) == true)
    // A closed log lets another object open the directory, even if it is not released yet.
    await log?.close()
    let next = try FileLog(in: folder)
    await next.close()
    log = nil
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a waiting object opens the directory when the other object is closed, and finds all entries")
  func waits() async throws {
    let folder = folder()
    let clock = JumpingClock()
    let log = try FileLog(in: folder)
    async let next = FileLog.whenAvailable(in: folder, tryingEvery: .seconds(1), clock: clock)
    for attempt in 1...3 {
      await clock.naps.count(atLeast: attempt)
      try await log.append("\(attempt)")
      clock.set(to: .seconds(attempt))
    }
    await clock.naps.count(atLeast: 4)
    await log.close()
    clock.set(to: .seconds(4))
    #expect(try await next.texts() == ["1", "2", "3"])
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a canceled task stops waiting for a directory, and another error ends the wait")
  func waitEnds() async throws {
    let folder = folder()
    let clock = JumpingClock()
    let log = try FileLog(in: folder)
    let waiting = Task { try await FileLog.whenAvailable(in: folder, clock: clock) }
    await clock.naps.count(atLeast: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await log.close()
    try FileManager.default.removeItem(at: folder)
    // The directory cannot be created where a file exists.
    try Data().write(to: folder)
    let error = await #expect(throws: LogError.self) {
      try await FileLog.whenAvailable(in: folder, clock: clock)
    }
    #expect(error?.code == .unwritable)
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a closed log refuses calls, and its sequences end")
  func closed() async throws {
    let log = try FileLog(storage)
    try await log.append("a")
    var ends = log.ends().makeAsyncIterator()
    #expect(await ends.next() == position(1))
    await log.close()
    #expect(await ends.next() == nil)
    let error = await #expect(throws: LogError.self) { try await log.append([Data("b")], at: position(1)) }
    #expect(error?.code == .closed)
    await #expect(throws: LogError.self) { try await log.entries(from: .start) }
  }

  @Test("files that do not belong to a log are ignored")
  func otherFiles() async throws {
    let storage = TestSegments(["notes.txt": Data("x"), "segment-1": Data("x"), "segment.partial": Data("x")])
    let log = try FileLog(storage)
    try await log.append("a")
    #expect(try await FileLog(storage).texts() == ["a"])
  }

  // MARK: Writes

  @Test("all appends that arrive during a write share the next write")
  func sharedWrites() async throws {
    let log = try FileLog(storage)
    let gate = Gate()
    storage.delay(until: gate)
    try await withThrowingTaskGroup { group in
      group.addTask { try await log.append([Data("0")], at: .start) }
      await storage.begun.count(atLeast: 1)
      for number in 1...200 {
        group.addTask { try await append("\(number)", at: position(UInt64(number)), to: log) }
      }
      while await expectedEnd(of: log) != position(201) { await Task.yield() }
      storage.delay(until: nil)
      gate.open()
      for try await _ in group {}
    }
    #expect(storage.appends == 2)
    #expect(try await log.texts() == (0...200).map(String.init))
  }

  /// Appends at the position that an append of another task will reach.
  private func append(
    _ text: String, at expected: LogPosition, to log: FileLog
  ) async throws(LogError) -> LogPosition {
    while true {
      do throws(LogError) {
        return try await log.append([Data(text)], at: expected)
      } catch {
        guard error.code == .conflict else { throw error }
        await Task.yield()
      }
    }
  }

  /// The end of the log after all waiting appends, which the error of a conflict contains.
  private func expectedEnd(of log: FileLog) async -> LogPosition? {
    do throws(LogError) {
      return try await log.append([Data("x")], at: .start)
    } catch {
      return error.position
    }
  }

  @Test("after a failed write, every call is refused, and acknowledged entries remain")
  func failedWrite() async throws {
    let log = try FileLog(storage)
    try await log.append("a")
    storage.refuse(.appends)
    var error = await #expect(throws: LogError.self) { try await log.append("b") }
    #expect(error?.code == .unwritable)
    storage.refuse(.none)
    error = await #expect(throws: LogError.self) { try await log.append([Data("c")], at: position(1)) }
    #expect(error?.code == .unwritable)
    #expect(try await FileLog(storage).texts() == ["a"])
  }

  @Test(
    "if the second of several writes fails, all their calls fail, and a start finds the entries of the first",
    arguments: [0, 1, 3, 4])
  func failedSecondWrite(quarters: Int) async throws {
    // The program is killed after two changes at its start, a write, and the first of the writes.
    let storage = TestSegments(killedAfter: 4, leaving: quarters)
    let log = try FileLog(SegmentFolder(storage: storage, writeLimit: 12))
    let gate = Gate()
    storage.delay(until: gate)
    // The second and the third text share a write.
    let texts = ["aaaa", "bb", "c", "dddddddddd"]
    let codes = try await withThrowingTaskGroup { group in
      async let first = log.append([Data("0")], at: .start)
      await storage.begun.count(atLeast: 1)
      for (number, text) in texts.enumerated() {
        group.addTask { () throws -> LogError.Code? in
          do throws(LogError) {
            _ = try await append(text, at: position(UInt64(number + 1)), to: log)
            return nil
          } catch {
            return error.code
          }
        }
      }
      while await expectedEnd(of: log) != position(5) { await Task.yield() }
      storage.delay(until: nil)
      gate.open()
      #expect(try await first == position(1))
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(storage.appends == 2 && storage.isKilled)
    #expect(codes == [.unwritable, .unwritable, .unwritable, .unwritable])
    // The log announces no entry of the writes, and refuses the next call with the reason.
    var ends = log.ends().makeAsyncIterator()
    #expect(await ends.next() == position(1))
    let error = await #expect(throws: LogError.self) { try await log.append([Data("e")], at: position(1)) }
    #expect(error?.code == .unwritable)
    #expect(error?.description.contains("cannot be written") == true)
    for files in [storage.files, storage.safeFiles] {
      let next = try FileLog(TestSegments(files))
      #expect(!next.problems.contains { !$0.isInterruptedWrite })
      // A complete second write can be read, although it was not safe from a power loss.
      let isComplete = quarters == 4 && files == storage.files
      #expect(try await next.texts() == ["0", "aaaa"] + (isComplete ? ["bb", "c"] : []))
    }
  }

  @Test("bytes that were written, but not synchronized, are written again by the next start")
  func unsafeWrite() async throws {
    let log = try FileLog(storage)
    try await log.append("a")
    storage.refuse(.safety)
    await #expect(throws: LogError.self) { try await log.append("b") }
    storage.refuse(.none)
    // The entry was not acknowledged, but the next start can read it, and therefore keeps it.
    #expect(try await FileLog(storage).texts() == ["a", "b"])
    #expect(try await FileLog(TestSegments(storage.safeFiles)).texts() == ["a", "b"])
  }

  @Test("a snapshot that cannot be written leaves the log usable")
  func failedSnapshot() async throws {
    let log = try FileLog(storage)
    try await log.append("a")
    storage.refuse(.writes)
    let error = await #expect(throws: LogError.self) {
      try await log.save(LogSnapshot(position: position(1), data: Data("one")))
    }
    #expect(error?.code == .unwritable)
    storage.refuse(.none)
    try await log.append("b")
    #expect(try await log.texts() == ["a", "b"])
  }

  @Test("after a segment that could not be renamed, every call is refused")
  func failedRename() async throws {
    let log = try FileLog(storage)
    try await log.append("a")
    storage.refuse(.renames)
    await #expect(throws: LogError.self) {
      try await log.save(LogSnapshot(position: position(1), data: Data("one")))
    }
    storage.refuse(.none)
    await #expect(throws: LogError.self) { try await log.append([Data("b")], at: position(1)) }
    #expect(try await FileLog(storage).texts() == ["a"])
  }

  @Test("a storage that cannot be read or written cannot be opened", arguments: [true, false])
  func unusableStorage(reads: Bool) {
    storage.refuse(reads ? .reads : .writes)
    let error = #expect(throws: LogError.self) { try FileLog(storage) }
    #expect(error?.code == (reads ? .unreadable : .unwritable))
  }

  // MARK: Segments

  @Test("a log is full when its newest segment has reached the limit, until a snapshot is saved")
  func full() async throws {
    let log = try FileLog(storage, segmentLimit: 100)
    #expect(!log.isFull)
    try await log.append(String(repeating: "x", count: 100))
    #expect(log.isFull)
    try await log.save(LogSnapshot(position: position(1), data: Data("one")))
    #expect(!log.isFull)
  }

  @Test("a truncation removes the files of older segments except the last, and its positions remain known")
  func removedFiles() async throws {
    let log = try FileLog(storage)
    for offset in 1...3 as ClosedRange<UInt64> {
      try await log.append("\(offset)")
      try await log.save(LogSnapshot(position: position(offset), data: Data()))
    }
    #expect(storage.files.count == 4)
    for offset in [2, 3] as [UInt64] {
      try await log.truncate(before: position(offset))
      #expect(storage.files.count == 2)
    }
    let reopened = try FileLog(storage)
    #expect(try await reopened.texts(from: position(2)) == ["3"])
    let error = await #expect(throws: LogError.self) { try await reopened.texts() }
    #expect(error?.position == position(2))
  }
}
