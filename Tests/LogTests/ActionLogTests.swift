import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// The logs that obey the rules of `ActionLog`.
enum LogKind: CaseIterable, CustomTestStringConvertible {
  case memory, segments, files

  var testDescription: String { "\(self)" }

  func make() throws -> any ActionLog {
    switch self {
    case .memory: MemoryLog()
    case .segments: try FileLog(TestSegments())
    case .files: try FileLog(in: TemporaryFolders.newLocation())
    }
  }
}

@Suite("Logs", .unlessItHangs)
struct ActionLogTests {
  private func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

  @Test("entries are read in the order in which they were appended", arguments: LogKind.allCases)
  func order(kind: LogKind) async throws {
    let log = try kind.make()
    #expect(try await log.end() == .start)
    #expect(try await log.append("a", "b") == position(2))
    #expect(try await log.append("c") == position(3))
    #expect(try await log.texts() == ["a", "b", "c"])
    #expect(try await log.entries(from: position(1)).map(\.position) == [position(1), position(2)])
    #expect(try await log.entries(from: position(1), limit: 1).map(\.data.text) == ["b"])
    #expect(try await log.texts(from: position(3)).isEmpty)
    #expect(try await log.entries(from: .start, limit: 0).isEmpty)
  }

  @Test("an append at another position than the end changes nothing", arguments: LogKind.allCases)
  func conflict(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a", "b")
    for offset in [0, 1, 3] as [UInt64] {
      let error = await #expect(throws: LogError.self) {
        try await log.append([Data("x")], at: position(offset))
      }
      #expect(error?.code == .conflict)
      #expect(error?.position == position(2))
    }
    #expect(try await log.texts() == ["a", "b"])
  }

  @Test("of two writers that append at the same position, exactly one succeeds", arguments: LogKind.allCases)
  func twoWriters(kind: LogKind) async throws {
    let log = try kind.make()
    for round in 0..<20 {
      let results = await withTaskGroup { group in
        for writer in ["a", "b"] {
          group.addTask { (try? await log.append([Data(writer)], at: LogPosition(UInt64(round)))) != nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(results == 1)
    }
    #expect(try await log.end() == position(20))
  }

  @Test("a position after the end cannot be read", arguments: LogKind.allCases)
  func afterEnd(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a")
    let error = await #expect(throws: LogError.self) { try await log.entries(from: position(2)) }
    #expect(error?.code == .outOfBounds)
    #expect(error?.position == position(1))
  }

  @Test("an append without entries has no effect", arguments: LogKind.allCases)
  func noEntries(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a")
    #expect(try await log.append([], at: position(1)) == position(1))
    #expect(try await log.append([Data()], at: position(1)) == position(2))
    #expect(try await log.texts() == ["a", ""])
  }

  // MARK: Snapshots

  @Test("the newest snapshot replaces the previous one, and keeps all entries", arguments: LogKind.allCases)
  func snapshots(kind: LogKind) async throws {
    let log = try kind.make()
    #expect(try await log.snapshot() == nil)
    try await log.append("a", "b", "c")
    for offset in [1, 3] as [UInt64] {
      let snapshot = LogSnapshot(position: position(offset), data: Data("state \(offset)"))
      try await log.save(snapshot)
      #expect(try await log.snapshot() == snapshot)
    }
    #expect(try await log.texts() == ["a", "b", "c"])
    #expect(try await log.append("d") == position(4))
    #expect(try await log.texts() == ["a", "b", "c", "d"])
    #expect(try await log.entries(from: position(1), limit: 2).map(\.data.text) == ["b", "c"])
  }

  @Test(
    "a snapshot that is older than the newest one, or after the end, is refused", arguments: LogKind.allCases)
  func badSnapshot(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a", "b", "c")
    try await log.save(LogSnapshot(position: position(2), data: Data("two")))
    for offset in [1, 4] as [UInt64] {
      let error = await #expect(throws: LogError.self) {
        try await log.save(LogSnapshot(position: position(offset), data: Data("x")))
      }
      #expect(error?.code == .outOfBounds)
    }
    #expect(try await log.snapshot()?.data.text == "two")
    // A second snapshot at the same position replaces the first.
    try await log.save(LogSnapshot(position: position(2), data: Data("again")))
    #expect(try await log.snapshot()?.data.text == "again")
    #expect(try await log.texts() == ["a", "b", "c"])
  }

  // MARK: Truncation

  @Test("entries that a snapshot contains can be removed", arguments: LogKind.allCases)
  func truncation(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a", "b", "c")
    try await log.save(LogSnapshot(position: position(2), data: Data("two")))
    try await log.save(LogSnapshot(position: position(3), data: Data("three")))
    try await log.truncate(before: position(3))
    let error = await #expect(throws: LogError.self) { try await log.entries(from: position(1)) }
    #expect(error?.code == .truncated)
    // A log in files keeps the previous segment.
    #expect(error?.position == (kind == .memory ? position(3) : position(2)))
    #expect(try await log.texts(from: position(3)).isEmpty)
    #expect(try await log.append("d") == position(4))
    // Positions before the first entry have no effect.
    try await log.truncate(before: .start)
  }

  @Test("entries that no snapshot contains cannot be removed", arguments: LogKind.allCases)
  func badTruncation(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a", "b", "c")
    var error = await #expect(throws: LogError.self) { try await log.truncate(before: position(1)) }
    #expect(error?.code == .outOfBounds)
    try await log.save(LogSnapshot(position: position(2), data: Data("two")))
    error = await #expect(throws: LogError.self) { try await log.truncate(before: position(3)) }
    #expect(error?.code == .outOfBounds)
    #expect(try await log.texts() == ["a", "b", "c"])
  }

  // MARK: Following

  @Test("a follower receives the entries from a position on, and later ones", arguments: LogKind.allCases)
  func following(kind: LogKind) async throws {
    let log = try kind.make()
    try await log.append("a", "b")
    try await follow(log, from: position(1), expecting: ["b", "c", "d"]) {
      try await log.append("c", "d")
    }
  }

  private func follow(
    _ log: some ActionLog, from position: LogPosition, expecting texts: [String],
    while act: () async throws -> Void
  ) async throws {
    var iterator = log.following(from: position).makeAsyncIterator()
    var received: [String] = []
    if let first = try await iterator.next() { received.append(first.data.text) }
    try await act()
    while received.count < texts.count, let entry = try await iterator.next() {
      received.append(entry.data.text)
    }
    #expect(received == texts)
  }

  @Test("the ends of a log begin with the current end, and skip ends that nobody has received")
  func ends() async throws {
    let log = MemoryLog()
    try await log.append("a")
    var ends = log.ends().makeAsyncIterator()
    #expect(await ends.next() == position(1))
    try await log.append("b")
    try await log.append("c")
    #expect(await ends.next() == position(3))
  }
}
