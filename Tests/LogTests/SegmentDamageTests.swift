import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Damaged files of logs", .unlessItHangs)
struct SegmentDamageTests {
  private let name = SegmentFolder.name(of: .start)

  /// The file of a log with five appends.
  private func file() async throws -> Data {
    let storage = TestSegments()
    let log = try FileLog(storage)
    for text in ["one", "two", "three", "four", "five"] { try await log.append(text, text) }
    return try #require(storage.files[name])
  }

  private let texts = ["one", "two", "three", "four", "five"].flatMap { [$0, $0] }

  @Test("a changed byte at any position is found, and the entries before it are used")
  func changedByte() async throws {
    let file = try await file()
    var torn = 0
    for index in file.indices {
      for bit in [0x01, 0x80] as [UInt8] {
        var changed = file
        changed[index] ^= bit
        let (segment, flaw) = Segment.read(changed, base: .start)
        let found = try #require(flaw, "byte \(index)")
        #expect(found.offset <= index)
        let entries = segment?.entries.map(\.text) ?? []
        #expect(texts.starts(with: entries))
        // Each append has two entries, and is complete or missing.
        #expect(entries.count.isMultiple(of: 2) && entries.count < texts.count)
        if found.isTorn {
          torn += 1
          #expect(entries.count == texts.count - 2)
        }
      }
    }
    // Only a change of the last write looks like an interrupted write.
    #expect(torn > 0)
  }

  @Test("a file that is cut off at any byte is an interrupted write, or has no snapshot")
  func cutOff() async throws {
    let file = try await file()
    for count in 0..<file.count {
      let (segment, flaw) = Segment.read(file.prefix(count), base: .start)
      guard let segment else { continue }
      #expect(texts.starts(with: segment.entries.map(\.text)))
      #expect(flaw == nil || flaw?.isTorn == true)
    }
  }

  @Test("zeros and random bytes after the last write are an interrupted write")
  func garbage() async throws {
    let file = try await file()
    var random = SeededGenerator(seed: 7)
    let tails =
      [Data(count: 1), Data(count: 4_096)]
      + (1...50).map { _ in
        Data(
          (0..<Int.random(in: 1...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        )
      }
    for tail in tails {
      let (segment, flaw) = Segment.read(file + tail, base: .start)
      #expect(segment?.entries.map(\.text) == texts)
      #expect(flaw?.isTorn == true)
      #expect(flaw?.offset == file.count)
    }
  }

  @Test("a log with an interrupted write opens without it, and names the file and the offset")
  func interruptedWrite() async throws {
    let file = try await file()
    let storage = TestSegments([name: file.dropLast(3)])
    let log = try FileLog(storage)
    #expect(try await log.texts() == texts.dropLast(2))
    let problem = try #require(log.problems.first)
    #expect(problem.isInterruptedWrite)
    #expect(problem.file == name)
    #expect(problem.position == LogPosition(8))
    #expect(problem.description.contains("The file \(name) cannot be used from byte \(problem.offset) on"))
    try await log.append("six")
    #expect(try FileLog(storage).problems.isEmpty)
    #expect(try await FileLog(storage).texts() == texts.dropLast(2) + ["six"])
  }

  @Test("a log with changed entries does not open, and the error names the file and the position")
  func changedEntries() async throws {
    var file = try await file()
    file[file.count / 2] ^= 1
    let storage = TestSegments([name: file])
    let error = #expect(throws: LogError.self) { try FileLog(storage) }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains(name) == true)
    #expect(storage.files == [name: file])
  }

  @Test("if the rest is used, the entries before the changed entries remain, and the file is kept")
  func rest() async throws {
    var file = try await file()
    file[file.count / 2] ^= 1
    let storage = TestSegments([name: file])
    let log = try FileLog(storage, usesRestOfDamaged: true)
    let problem = try #require(log.problems.first)
    #expect(!problem.isInterruptedWrite)
    let rest = try await log.texts()
    #expect(!rest.isEmpty && texts.starts(with: rest))
    #expect(problem.position == LogPosition(UInt64(rest.count)))
    #expect(storage.files["damaged-\(name)"] == file)
    try await log.append("new")
    #expect(try await FileLog(storage).texts() == rest + ["new"])
  }

  @Test("if the snapshot of the newest segment is damaged, the rest is the previous segment")
  func damagedSnapshot() async throws {
    let storage = TestSegments()
    var log = try FileLog(storage)
    try await log.append("a", "b")
    try await log.save(LogSnapshot(position: LogPosition(2), data: Data("two")))
    try await log.append("c")
    let newest = SegmentFolder.name(of: LogPosition(2))
    storage.files[newest]?[10] ^= 1
    #expect(throws: LogError.self) { try FileLog(storage) }
    log = try FileLog(storage, usesRestOfDamaged: true)
    #expect(try await log.texts() == ["a", "b"])
    #expect(log.problems.map(\.file) == [newest])
    try await log.append("d")
    #expect(try await FileLog(storage).texts() == ["a", "b", "d"])
  }

  @Test("damage of an older segment is found when the segment is read")
  func olderSegment() async throws {
    let storage = TestSegments()
    let log = try FileLog(storage)
    try await log.append("a", "b")
    try await log.save(LogSnapshot(position: LogPosition(2), data: Data("two")))
    storage.files[name]?[40] ^= 1
    let error = await #expect(throws: LogError.self) { try await log.texts() }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains(name) == true)
    #expect(try await log.texts(from: LogPosition(2)).isEmpty)
  }
}
