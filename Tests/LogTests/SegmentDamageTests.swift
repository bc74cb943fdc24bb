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
    // The numbers of bytes of the file after each append, and after the snapshot.
    let ends = file.indices.filter { Segment.read(file.prefix($0), base: .start).flaw == nil } + [file.count]
    #expect(ends.count == 6)
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
        #expect(entries.count == 2 * (ends.filter { $0 <= index }.dropFirst().count))
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

  @Test("if parts of a write of several calls are missing, the write was interrupted")
  func missingParts() async throws {
    let storage = TestSegments([name: try await file()])
    let before = try #require(storage.files[name]).count
    let calls = [["a"], [], ["b", "c"], ["d"]].map { $0.map { Data($0.utf8) } }
    _ = try SegmentFolder(storage: storage).append(calls, at: LogPosition(10), to: .start)
    let file = try #require(storage.files[name])
    #expect(Segment.read(file, base: .start).segment?.entries.map(\.text) == texts + ["a", "b", "c", "d"])
    for start in before..<file.count {
      for count in [1, 8, 40] {
        let part = start..<min(start + count, file.count)
        var damaged = file
        damaged.replaceSubrange(part, with: Data(count: part.count))
        guard damaged != file else { continue }
        let (segment, flaw) = Segment.read(damaged, base: .start)
        #expect(flaw?.isTorn == true, "bytes \(part)")
        #expect(segment?.entries.map(\.text) == texts, "bytes \(part)")
      }
    }
  }

  @Test("calls that are too large for one write use several, each of which is complete or missing")
  func severalWrites() async throws {
    let storage = TestSegments([name: try await file()])
    let before = storage.appends
    let calls = ["aaaa", "bb", "c", "dddddddddd"].map { [Data($0.utf8)] }
    _ = try SegmentFolder(storage: storage, writeLimit: 12).append(calls, at: LogPosition(10), to: .start)
    #expect(storage.appends - before == 3)
    let file = try #require(storage.files[name])
    #expect(
      Segment.read(file, base: .start).segment?.entries.map(\.text) == texts + [
        "aaaa", "bb", "c", "dddddddddd",
      ])
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

  @Test("each copy of a damaged file is kept, and the same copy only once")
  func severalCopies() async throws {
    let file = try await file()
    let storage = TestSegments()
    var copies: [Data] = []
    for offset in [file.count / 2, file.count / 3, file.count / 2] {
      var damaged = file
      damaged[offset] ^= 1
      storage.files[name] = damaged
      copies.append(damaged)
      _ = try FileLog(storage, usesRestOfDamaged: true)
    }
    let kept = storage.files.filter { $0.key.hasPrefix("damaged-") }
    #expect(kept == ["damaged-\(name)": copies[0], "damaged-\(name)-2": copies[1]])
  }

  @Test("a changed byte before the entries is restored if it is known, or else the log does not open")
  func changedBeginning() async throws {
    let file = try await file()
    let beginning = Segment(base: .start, snapshot: nil).bytes
    #expect(beginning.count == 38 && file.starts(with: beginning))
    for index in beginning.indices {
      for bit in 0..<8 {
        var changed = file
        changed[index] ^= 1 << bit
        let storage = TestSegments([name: changed])
        // A file with another version can have another format, so its entries are not used.
        guard index != Segment.lead.count - 1 else {
          #expect(throws: LogError.self) { try FileLog(storage) }
          #expect(storage.files == [name: changed])
          let log = try FileLog(storage, usesRestOfDamaged: true)
          #expect(try await log.texts().isEmpty)
          #expect(storage.files["damaged-\(name)"] == changed)
          continue
        }
        let log = try FileLog(storage)
        #expect(try await log.texts() == texts, "byte \(index)")
        #expect(try await log.snapshot() == nil)
        let problem = try #require(log.problems.first, "byte \(index)")
        #expect(problem.file == name && problem.offset <= index && !problem.isInterruptedWrite)
        #expect(problem.description.hasSuffix("The changed byte was restored."))
        #expect(storage.files["damaged-\(name)"] == changed)
        try await log.append("six")
        #expect(try FileLog(storage).problems.isEmpty)
        #expect(try await FileLog(storage).texts() == texts + ["six"])
      }
    }
  }

  @Test("if also a later byte was changed, the entries between the two bytes are used on request")
  func changedBeginningAndEntries() async throws {
    var file = try await file()
    file[0] ^= 1
    file[file.count / 2] ^= 1
    let storage = TestSegments([name: file])
    #expect(throws: LogError.self) { try FileLog(storage) }
    #expect(storage.files == [name: file])
    let log = try FileLog(storage, usesRestOfDamaged: true)
    let rest = try await log.texts()
    #expect(!rest.isEmpty && rest.count < texts.count && texts.starts(with: rest))
    #expect(log.problems.count == 2)
    #expect(storage.files["damaged-\(name)"] == file)
  }

  @Test("the entries after a lost snapshot at the start are not used, and the file is kept")
  func lostSnapshotAtStart() async throws {
    let storage = TestSegments()
    let log = try FileLog(storage)
    try await log.save(LogSnapshot(position: .start, data: Data("state")))
    try await log.append("a", "b")
    let file = try #require(storage.files[name])
    let beginning = Segment(base: .start, snapshot: Data("state")).bytes.count
    for index in 0..<beginning {
      var changed = file
      changed[index] ^= 1
      let storage = TestSegments([name: changed])
      // The lead is the same in each segment.
      if index < Segment.lead.count - 1 {
        let log = try FileLog(storage)
        #expect(try await log.snapshot()?.data == Data("state"))
        #expect(try await log.texts() == ["a", "b"])
        continue
      }
      let error = #expect(throws: LogError.self, "byte \(index)") { try FileLog(storage) }
      #expect(error?.code == .damaged && error?.description.contains(name) == true)
      let log = try FileLog(storage, usesRestOfDamaged: true)
      #expect(try await log.snapshot() == nil)
      #expect(try await log.texts().isEmpty, "byte \(index)")
      #expect(storage.files["damaged-\(name)"] == changed)
    }
  }

  // MARK: Snapshots

  private let newest = SegmentFolder.name(of: LogPosition(2))

  /// The files of a log with two segments.
  ///
  /// - Parameter texts: The entries after the snapshot of the newest segment.
  private func segments(after texts: String...) async throws -> [String: Data] {
    let storage = TestSegments()
    let log = try FileLog(storage)
    try await log.append("a", "b", "c")
    try await log.save(LogSnapshot(position: LogPosition(2), data: Data("two")))
    for text in texts { try await log.append(text) }
    return storage.files
  }

  @Test("the previous segment replaces a damaged snapshot, and no entry is lost")
  func damagedSnapshot() async throws {
    let storage = TestSegments(try await segments(after: "d"))
    storage.files[newest]?[Segment.lead.count + SegmentFrame.headerCount] ^= 1
    let log = try FileLog(storage)
    #expect(try await log.texts() == ["a", "b", "c", "d"])
    #expect(try await log.snapshot() == nil)
    #expect(log.problems.map(\.file) == [newest])
    #expect(log.problems.first?.description.contains("The file \(name) replaces the snapshot") == true)
    #expect(storage.files["damaged-\(newest)"] != nil)
    try await log.append("e")
    #expect(try FileLog(storage).problems.isEmpty)
    #expect(try await FileLog(storage).texts() == ["a", "b", "c", "d", "e"])
  }

  @Test("entries after a damaged snapshot was replaced survive a power failure")
  func powerFailureAfterReplacement() async throws {
    var files = try await segments(after: "d")
    files[newest]?[Segment.lead.count + SegmentFrame.headerCount] ^= 1
    let damaged = TestSegments(files)
    let log = try FileLog(damaged)
    try await log.append("e")
    let next = try FileLog(TestSegments(damaged.safeFiles))
    #expect(try await next.texts() == ["a", "b", "c", "d", "e"])
    #expect(next.problems.isEmpty)
  }

  @Test("a changed byte of a log with two segments loses no entry but the last write, or is an error")
  func changedByteOfTwo() async throws {
    for texts in [[], ["d"], ["d", "e"]] {
      var files = try await segments()
      let storage = TestSegments(files)
      let log = try FileLog(storage)
      for text in texts { try await log.append(text) }
      files = storage.files
      let file = try #require(files[newest])
      let all = ["a", "b", "c"] + texts
      // The numbers of bytes of the newest file after its snapshot, and after each of its entries.
      let ends =
        file.indices.filter { Segment.read(file.prefix($0), base: LogPosition(2)).flaw == nil } + [file.count]
      #expect(ends.count == texts.count + 2)
      for index in file.indices {
        var changed = files
        changed[newest]?[index] ^= 4
        let usable =
          switch index {
          // Nothing of a file with another version is used, and the previous file ends with "c".
          case Segment.lead.count - 1: 3
          // The lead is known, and the previous file replaces the snapshot.
          case ..<ends[0]: all.count
          default: 2 + ends.dropFirst().filter { $0 <= index }.count
          }
        let log: FileLog
        do throws(LogError) {
          log = try FileLog(TestSegments(changed))
        } catch {
          #expect(error.code == .damaged && error.description.contains(newest), "byte \(index)")
          #expect(index == Segment.lead.count - 1 || usable < all.count - 1, "byte \(index)")
          let log = try FileLog(TestSegments(changed), usesRestOfDamaged: true)
          #expect(try await log.texts() == Array(all.prefix(usable)), "byte \(index)")
          continue
        }
        #expect(usable >= all.count - 1, "byte \(index)")
        #expect(log.problems.map(\.file) == [newest], "byte \(index)")
        #expect(try await log.texts() == Array(all.prefix(usable)), "byte \(index)")
        #expect(usable == all.count || log.problems[0].isInterruptedWrite, "byte \(index)")
      }
    }
  }

  @Test(
    "beside a damaged snapshot, another changed byte loses no entry but the last write, or is an error",
    arguments: [true, false])
  func twoChangedBytes(hasTwoWrites: Bool) async throws {
    let files = try await hasTwoWrites ? segments(after: "d", "e") : segments(after: "d")
    let file = try #require(files[newest])
    let all = ["a", "b", "c", "d"] + (hasTwoWrites ? ["e"] : [])
    let lengthOfSnapshot = Segment.lead.count
    let body = lengthOfSnapshot + SegmentFrame.headerCount
    for first in [lengthOfSnapshot, body] {
      for second in file.indices where second > body {
        let storage = TestSegments(files)
        for index in [first, second] { storage.files[newest]?[index] ^= 4 }
        guard let log = try? FileLog(storage) else { continue }
        let rest = try await log.texts()
        #expect(rest == all || rest == all.dropLast(), "bytes \(first) and \(second)")
        #expect(rest == all || log.problems.last?.isInterruptedWrite == true)
      }
    }
  }

  @Test("if the previous segment lacks entries too, a damaged snapshot is an error, and the rest is used")
  func twoDamages() async throws {
    let storage = TestSegments(try await segments(after: "d"))
    storage.files[newest]?[Segment.lead.count + SegmentFrame.headerCount] ^= 1
    storage.files[name]?[Segment.lead.count + 2 * SegmentFrame.headerCount] ^= 1
    #expect(throws: LogError.self) { try FileLog(storage) }
    let log = try FileLog(storage, usesRestOfDamaged: true)
    #expect(try await log.texts().isEmpty)
    try await log.append("e")
    #expect(try await FileLog(storage).texts() == ["e"])
  }

  @Test("a changed byte of an older segment is found when its entries are read, and the newer ones are used")
  func olderSegment() async throws {
    let storage = TestSegments()
    let log = try FileLog(storage)
    try await log.append("a", "b")
    try await log.append("c")
    try await log.save(LogSnapshot(position: LogPosition(3), data: Data("three")))
    try await log.append("d")
    let files = storage.files
    for index in try #require(files[name]).indices {
      var changed = files
      changed[name]?[index] ^= 1
      let log = try FileLog(TestSegments(changed))
      let error = await #expect(throws: LogError.self, "byte \(index)") { try await log.texts() }
      #expect(error?.code == .damaged, "byte \(index)")
      #expect(error?.description.contains(name) == true, "byte \(index)")
      #expect(try await log.texts(from: LogPosition(3)) == ["d"], "byte \(index)")
    }
  }
}
