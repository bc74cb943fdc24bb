import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("The rules of a journal", .unlessItHangs)
struct JournalRingTests {
  /// What a reader must find at a moment.
  private struct Expected {
    var isStarted = false
    var begun: UInt64 = 0
    var begins = false
    var ended: UInt64 = 0
    var ends = false
    var closes = false

    mutating func add(_ event: TracedJournal.Event) {
      switch event {
      case .started: isStarted = true
      case .begins: begins = true
      case .hasBegun(let number): (begins, begun) = (false, number)
      case .ends: ends = true
      case .hasEnded(let number): (ends, ended) = (false, number)
      case .closes: closes = true
      }
    }

    /// Returns a description of the first mistake in contents, or `nil`.
    func mistake(in contents: JournalContents) -> String? {
      guard contents.flaws.isEmpty else { return "flaws: \(contents.flaws)" }
      if contents.isClean { return !isStarted || closes ? nil : "clean" }
      guard let run = contents.runs.last else { return isStarted ? "no snapshot" : nil }
      let last = run.next - 1
      guard last == begun || begins && last == begun + 1 else { return "the last action is \(last)" }
      let interrupted: Set<UInt64?> =
        if last > begun || begun > ended && !ends {
          [last]
        } else if ends {
          [last, nil]
        } else {
          [nil]
        }
      guard interrupted.contains(contents.interrupted) else {
        return "interrupted: \(String(describing: contents.interrupted)), and not \(interrupted)"
      }
      return nil
    }
  }

  @Test(
    "a program that is killed after any store leaves all actions that it has begun",
    arguments: TracedMemory.Order.allCases, TracedJournal.Sizes.allCases)
  func killed(order: TracedMemory.Order, sizes: TracedJournal.Sizes) {
    let closes = order == .ascending
    let journal = TracedJournal(order, sizes, closes: closes)
    var expected = Expected()
    var events = journal.events[...]
    var image = journal.image(after: 0)
    // The initializer writes the first two words.
    let stores = journal.memory.stores
    #expect(stores.count > 500)
    var halves: Set<Int> = []
    for (count, store) in stores.enumerated() {
      while let next = events.first, next.stores <= count {
        expected.add(next.event)
        events.removeFirst()
      }
      if count >= 2 {
        let contents = JournalContents(image)
        halves.insert(contents.runs.count)
        let mistake =
          journal.areRecordsRight(in: contents) ? expected.mistake(in: contents) : "a wrong record"
        #expect(mistake == nil, "after \(count) stores")
        if mistake != nil { return }
      }
      for (offset, byte) in store { image[offset] = byte }
    }
    #expect(JournalContents(image).isClean == closes)
    #expect(halves == [0, 1, 2])
    #expect(journal.states.count > 3)
  }

  @Test("a word that is stored in parts never makes a wrong action or state")
  func torn() {
    let journal = TracedJournal(tearingWords: true)
    var image = journal.image(after: 0)
    for (count, store) in journal.memory.stores.enumerated() {
      for (offset, byte) in store { image[offset] = byte }
      #expect(journal.areRecordsRight(in: JournalContents(image)), "after \(count + 1) stores")
    }
  }

  @Test("a power failure, which leaves blocks from different moments, never makes a wrong action or state")
  func powerFailure() {
    let journal = TracedJournal()
    let stores = journal.memory.stores.count
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let window = Int.random(in: 1...stores, using: &random)
      let latest = Int.random(in: window...stores, using: &random)
      let images = (0..<4).map { _ in
        journal.image(after: Int.random(in: latest - window...latest, using: &random))
      }
      var mixed = images[0]
      for block in stride(from: 0, to: mixed.count, by: 32) {
        let source = images.randomElement(using: &random)!
        mixed.replaceSubrange(block..<block + 32, with: source[block..<block + 32])
      }
      #expect(journal.areRecordsRight(in: JournalContents(mixed)))
    }
  }

  private let state = JournalRecord(name: JournalName("State"), contents: Data("{}"))
  private let add = JournalRecord(name: JournalName("Add"), contents: Data("1"))

  @Test("an action that is too large for the journal is recorded without contents")
  func largeAction() {
    let memory = TracedMemory()
    var ring = JournalRing(in: memory, count: TracedJournal.count)
    _ = ring.begin(half: state, in: memory)
    let large = JournalRecord(name: JournalName("Large"), contents: Data(repeating: 0x61, count: 100))
    var fits: [Bool] = []
    for _ in 0..<20 {
      if !ring.begin(large, in: memory) {
        _ = ring.begin(half: state, in: memory)
        fits.append(ring.begin(large, in: memory))
      }
      ring.end(in: memory)
    }
    #expect(fits == [true, true, true])
    let contents = JournalContents(memory.image)
    #expect(contents.flaws.isEmpty)
    #expect(contents.runs.last?.actions.last == JournalRecord(name: JournalName("Large"), without: .tooLarge))
  }

  @Test("a state that is too large for the journal is recorded without contents, and the caller learns it")
  func largeState() {
    let memory = TracedMemory()
    var ring = JournalRing(in: memory, count: TracedJournal.count)
    let large = JournalRecord(name: JournalName("State"), contents: Data(repeating: 0x61, count: 170))
    let isTooLarge = [ring.begin(half: state, in: memory), ring.begin(half: large, in: memory)]
    #expect(isTooLarge == [false, true])
    _ = ring.begin(add, in: memory)
    let contents = JournalContents(memory.image)
    #expect(contents.runs.last?.snapshot == JournalRecord(name: JournalName("State"), without: .tooLarge))
    #expect(contents.runs.last?.actions.count == 1)
  }

  @Test("a closed journal does not change")
  func closed() {
    let memory = TracedMemory()
    var ring = JournalRing(in: memory, count: TracedJournal.count)
    _ = ring.begin(half: state, in: memory)
    ring.close(in: memory)
    let image = memory.image
    let (hasRoom, isTooLarge) = (ring.begin(add, in: memory), ring.begin(half: state, in: memory))
    ring.end(in: memory)
    ring.close(in: memory)
    #expect(hasRoom && !isTooLarge)
    #expect(memory.image == image)
  }
}

extension TracedMemory {
  /// The contents after all stores.
  fileprivate var image: [UInt8] {
    stores.joined().reduce(into: [UInt8](repeating: 0, count: TracedJournal.count)) {
      $0[$1.offset] = $1.byte
    }
  }
}
