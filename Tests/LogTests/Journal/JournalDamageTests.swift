import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Journals whose files were changed", .unlessItHangs)
struct JournalDamageTests {
  /// The contents of a journal whose program crashed while it reduced the last action.
  private let journal = TracedJournal()

  /// Returns a Boolean value that indicates whether contents are right, and whether a flaw is
  /// reported if the newest action is missing or its phase is not known.
  private func areHonest(_ contents: JournalContents) -> Bool {
    let whole = journal.actions.count
    let isComplete =
      contents.runs.last?.next == UInt64(whole) + 1 && contents.interrupted == UInt64(whole)
      && !contents.isClean
    return journal.areRecordsRight(in: contents) && (isComplete || !contents.flaws.isEmpty)
  }

  @Test("whichever byte is changed, a wrong action is never reported as right, and a missing one is reported")
  func flipped() {
    let image = journal.image(after: .max)
    #expect(areHonest(JournalContents(image)))
    var damaged = 0
    for index in image.indices {
      for change in (0..<8).map({ UInt8(1) << $0 }) + [0xFF, image[index]] {
        var copy = image
        copy[index] ^= change
        let contents = JournalContents(copy)
        #expect(areHonest(contents), "byte \(index), change \(change)")
        if !contents.flaws.isEmpty { damaged += 1 }
      }
    }
    #expect(damaged > 1_000)
  }

  @Test("an older half that ends early is not joined with the newer half, and the gap is reported")
  func gap() throws {
    let image = journal.image(after: .max)
    let runs = JournalContents(image).runs
    try #require(runs.count == 2)
    let lastOfOlder = try #require(runs[0].actions.last)
    let offset = try #require(
      image.indices.first { index in
        let frame = JournalFrame(image, at: index & ~7, end: image.count)
        return frame?.record == lastOfOlder && frame?.number == runs[0].next - 1
      })
    var copy = image
    copy[offset + 8] ^= 1
    let contents = JournalContents(copy)
    #expect(contents.runs == [runs[1]])
    #expect(contents.flaws == [.missing(runs[0].next - 1...runs[0].next - 1)])
  }

  @Test("a file that is cut or contains anything is read without a trap, and yields no wrong action")
  func anything() {
    let image = journal.image(after: .max)
    for count in 0..<image.count {
      let contents = JournalContents(Array(image.prefix(count)))
      #expect(journal.areRecordsRight(in: contents))
      #expect(contents.runs.isEmpty || areHonest(contents))
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var copy = image
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        copy[Int.random(in: 0..<copy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(journal.areRecordsRight(in: JournalContents(copy)))
    }
  }

  @Test("lengths at the limits of their fields are read without a trap")
  func lengths() {
    for word: UInt64 in [.max, 0xFFFF_FFFF, 0x1_FFFF_FFFF_FFFF, 0x1_0001_FFFF_FFF8, 1 << 48, 2 << 48 | 1] {
      for offset in [64, 72, 320] {
        var copy = journal.image(after: .max)
        for index in 0..<8 { copy[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * index)) }
        #expect(journal.areRecordsRight(in: JournalContents(copy)))
      }
    }
  }

  @Test("an action before the only snapshot is not the interrupted entry, and the progress is a flaw")
  func progressBeforeSnapshot() throws {
    let memory = TracedMemory()
    var ring = JournalRing(in: memory, count: TracedJournal.count)
    _ = ring.begin(half: JournalRecord(name: JournalName("State"), contents: Data("{}".utf8)), in: memory)
    memory.publish(JournalProgress(.reducing, number: 0).word, at: JournalLayout.progressOffset)
    var image = [UInt8](repeating: 0, count: TracedJournal.count)
    for (offset, byte) in memory.stores.joined() { image[offset] = byte }
    let report = try CrashReport(image, file: "journal")
    #expect(report.interruptedEntry == nil)
    #expect(report.finishedCount == 0)
    #expect(report.problems.map(\.code) == [.damaged])
  }

  @Test("each change of one byte of the progress is recognized")
  func progress() {
    for number: UInt64 in [0, 1, 255, 1 << 20, (1 << 46) - 1] {
      for phase in [JournalProgress.Phase.clean, .idle, .reducing] {
        let progress = JournalProgress(phase, number: number)
        #expect(JournalProgress(word: progress.word) == progress)
        for place in 0..<8 {
          for change in UInt64(1)...255 {
            #expect(JournalProgress(word: progress.word ^ change << (8 * place)) == nil)
          }
        }
      }
    }
    #expect(JournalProgress(word: 0) == nil)
  }
}
