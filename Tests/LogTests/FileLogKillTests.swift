import FluxLog
import Foundation
import TestSupport
import Testing

@Suite("Logs of programs that are killed at each step", .unlessItHangs)
struct FileLogKillTests {
  /// The files of a log, and the entries that must not be lost.
  private struct Disk {
    var files: [String: Data] = [:]
    var acknowledged = 0
  }

  /// How a program ends.
  private struct End {
    let changes: Int
    let quarters: Int
    let losesPower: Bool
  }

  private func text(_ number: Int) -> Data { Data("entry \(number)") }

  /// A program that opens the log, appends, saves snapshots, and truncates, until it is killed.
  ///
  /// - Returns: The remaining files, and a Boolean value that indicates whether the program was
  ///   killed.
  private func run(on disk: Disk, until end: End) async throws -> (Disk, Bool) {
    let storage = TestSegments(disk.files, killedAfter: end.changes, leaving: end.quarters)
    var after = disk
    do {
      let log = try FileLog(storage)
      try await expectGood(log, disk)
      func append(_ count: Int) async throws {
        let position = try await log.end()
        let first = Int(position.offset)
        try await log.append((first..<first + count).map(text), at: position)
        after.acknowledged = first + count
      }
      func save() async throws {
        let position = try await log.end()
        try await log.save(LogSnapshot(position: position, data: Data("\(position)")))
      }
      try await append(2)
      try await append(1)
      try await save()
      try await append(2)
      if let snapshot = try await log.snapshot() { try await log.truncate(before: snapshot.position) }
      try await append(1)
      try await save()
    } catch {
      #expect(storage.isKilled, "\(error)")
    }
    after.files = end.losesPower ? storage.safeFiles : storage.files
    return (after, storage.isKilled)
  }

  /// The log contains all acknowledged entries, either in its snapshot or as entries, and no
  /// others that were never appended.
  private func expectGood(_ log: FileLog, _ disk: Disk) async throws {
    let snapshot = try await log.snapshot()
    let first = snapshot?.position ?? .start
    if let snapshot { #expect(snapshot.data == Data("\(snapshot.position)")) }
    #expect(!log.problems.contains { !$0.isInterruptedWrite })
    let entries = try await log.entries(from: first)
    for entry in entries { #expect(entry.data == text(Int(entry.position.offset))) }
    #expect(try await log.end().offset >= UInt64(disk.acknowledged))
  }

  private func ends(_ quarters: [Int]) -> [End] {
    quarters.flatMap { quarters in
      [false, true].map { End(changes: 0, quarters: quarters, losesPower: $0) }
    }
  }

  @Test("no acknowledged entry is lost, wherever two programs are killed or lose power")
  func killed() async throws {
    var runs = 0
    for first in ends([0, 1, 3, 4]) {
      for changes in 0... {
        let end = End(changes: changes, quarters: first.quarters, losesPower: first.losesPower)
        let (disk, wasKilled) = try await run(on: Disk(), until: end)
        try await expectGood(FileLog(TestSegments(disk.files)), disk)
        for second in ends([2]) {
          for changes in 0... {
            let end = End(changes: changes, quarters: second.quarters, losesPower: second.losesPower)
            let (last, wasKilled) = try await run(on: disk, until: end)
            try await expectGood(FileLog(TestSegments(last.files)), last)
            runs += 1
            if !wasKilled { break }
          }
        }
        if !wasKilled { break }
      }
    }
    #expect(runs > 1_000)
  }
}
