import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Arbitrary files of logs", .unlessItHangs)
struct ArbitraryFilesTests {
  private static let offsets: [UInt64] = [0, 1, 2, 3, 4, 1 << 63 - 1, 1 << 63, .max - 1, .max]

  @Test(
    "a folder with arbitrary segments opens, or is refused without a change; an opened log keeps what it appends",
    arguments: [1, 2, 3, 4] as [UInt64])
  func folder(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var (opened, refused, complete) = (0, 0, 0)
    for _ in 0..<1_500 {
      let files = Self.files(&random)
      let storage = TestSegments(files)
      let log: FileLog
      do throws(LogError) {
        log = try FileLog(storage, usesRestOfDamaged: Bool.random(using: &random))
      } catch {
        refused += 1
        #expect(error.code == .damaged)
        #expect(storage.files == files)
        continue
      }
      opened += 1
      let end = try await log.end()
      let before = await Self.entries(of: log)
      try await log.append("new")
      let next = try FileLog(storage)
      #expect(try await next.texts(from: end) == ["new"])
      let after = await Self.entries(of: next)
      #expect(after == before.map { $0 + ["new"] })
      if after != nil { complete += 1 }
    }
    #expect(complete > 100)
    #expect(opened > 100 && refused > 100)
  }

  /// Returns all entries of a log, or `nil` if an older segment is damaged.
  private static func entries(of log: FileLog) async -> [String]? {
    var start = LogPosition.start
    while true {
      do throws(LogError) {
        return try await log.texts(from: start)
      } catch {
        // The first entries were removed.
        guard error.code == .truncated, let first = error.position, first > start else {
          #expect(error.code == .damaged)
          return nil
        }
        start = first
      }
    }
  }

  /// Returns files with valid frames, in any order, at any position, and with any change.
  private static func files(_ random: inout SeededGenerator) -> [String: Data] {
    var files: [String: Data] = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let base = position(&random)
      files[name(of: Bool.random(using: &random) ? base : position(&random), &random)] = contents(
        base, &random)
    }
    return files
  }

  private static func position(_ random: inout SeededGenerator) -> LogPosition {
    LogPosition(offsets.randomElement(using: &random)!)
  }

  private static func name(of base: LogPosition, _ random: inout SeededGenerator) -> String {
    let name = SegmentFolder.name(of: base)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0: "segment.partial"
    case 1: "damaged-\(name)"
    case 2: String(name.dropLast())
    default: name
    }
  }

  private static func contents(_ base: LogPosition, _ random: inout SeededGenerator) -> Data {
    var contents = Segment.lead
    contents += SegmentFrame(snapshot: Bool.random(using: &random) ? Data("state") : nil, at: base).bytes
    var offset = base.offset
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let texts = (0..<Int.random(in: 0...2, using: &random)).map { Data("text \($0)") }
      let isNext = Int.random(in: 0..<6, using: &random) > 0
      contents += SegmentFrame(entries: texts, at: isNext ? LogPosition(offset) : position(&random)).bytes
      offset &+= UInt64(texts.count)
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return contents.prefix(Int.random(in: 0...contents.count, using: &random))
    case 1: return contents + contents.suffix(Int.random(in: 0...60, using: &random))
    case 2:
      contents[contents.indices.randomElement(using: &random)!] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      return contents
    default: return contents
    }
  }
}
