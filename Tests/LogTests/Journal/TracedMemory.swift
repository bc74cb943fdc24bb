import Foundation
import TestSupport

@testable import FluxLog

/// A memory that records each store, so that a test can stop the program between any two stores.
final class TracedMemory: JournalMemory {
  /// The order in which a copy stores its bytes, which a processor does not guarantee.
  enum Order: CaseIterable {
    case ascending, descending, mixed
  }

  /// Bytes that are stored at one moment, each at its offset.
  typealias Store = [(offset: Int, byte: UInt8)]

  private let trace = Shared<[Store]>([])
  private let order: Order
  /// A Boolean value that indicates whether each byte of a word is stored at another moment.
  private let tearsWords: Bool

  init(_ order: Order = .ascending, tearingWords tearsWords: Bool = false) {
    self.order = order
    self.tearsWords = tearsWords
  }

  /// All stores in their order.
  var stores: [Store] { trace.value }

  func store(_ word: UInt64, at offset: Int) {
    let bytes = (0..<8).map { (offset: offset + $0, byte: UInt8(truncatingIfNeeded: word >> (8 * $0))) }
    trace.change { $0 += tearsWords ? bytes.map { [$0] } : [bytes] }
  }

  func publish(_ word: UInt64, at offset: Int) {
    store(word, at: offset)
  }

  func copy(_ bytes: Data, to offset: Int, adding checksum: inout JournalChecksum) {
    let padded = [UInt8](bytes) + [UInt8](repeating: 0, count: -bytes.count & 7)
    for index in stride(from: 0, to: padded.count, by: 8) { checksum.add(padded.word(at: index)) }
    var stores = padded.enumerated().map { [(offset: offset + $0.offset, byte: $0.element)] }
    switch order {
    case .ascending: break
    case .descending: stores.reverse()
    case .mixed:
      var random = SeededGenerator(seed: UInt64(offset))
      stores.shuffle(using: &random)
    }
    trace.change { [stores] in $0 += stores }
  }
}

/// A run of the rules of a journal, and what a reader must find after each store.
struct TracedJournal {
  /// An event of the program, and the number of stores before it.
  enum Event {
    case started
    case begins(UInt64)
    case hasBegun(UInt64)
    case ends(UInt64)
    case hasEnded(UInt64)
    case closes
  }

  static let count = JournalLayout.firstHalf + 2 * 256

  let memory: TracedMemory
  private(set) var events: [(stores: Int, event: Event)] = []
  private(set) var actions: [UInt64: JournalRecord] = [:]
  private(set) var states: [UInt64: JournalRecord] = [:]

  /// The sizes of the actions and states.
  enum Sizes: CaseIterable {
    case different
    /// Each frame begins where an older frame began.
    case same
  }

  private let sizes: Sizes

  /// Writes actions and the snapshots that they need.
  init(
    _ order: TracedMemory.Order = .ascending, _ sizes: Sizes = .different, tearingWords: Bool = false,
    actions count: UInt64 = 24, closes: Bool = false
  ) {
    self.sizes = sizes
    memory = TracedMemory(order, tearingWords: tearingWords)
    var ring = JournalRing(in: memory, count: Self.count)
    begin(half: 1, of: &ring)
    note(.started)
    for number in 1...count {
      let text = Data("\(number)" + String(repeating: "a", count: size(Int(number * 7 % 23))))
      let record =
        number % 6 == 5
        ? JournalRecord(name: JournalName("Gap"), without: .unregistered)
        : JournalRecord(name: JournalName("Add"), contents: text)
      actions[number] = record
      note(.begins(number))
      if !ring.begin(record, in: memory) {
        begin(half: number, of: &ring)
        _ = ring.begin(record, in: memory)
      }
      note(.hasBegun(number))
      guard number < count || closes else { break }
      note(.ends(number))
      ring.end(in: memory)
      note(.hasEnded(number))
    }
    if closes {
      note(.closes)
      ring.close(in: memory)
    }
  }

  private mutating func begin(half number: UInt64, of ring: inout JournalRing) {
    // The states begin with the same text, so that a new snapshot replaces only the end of an older
    // one at first.
    let text = Data(String(repeating: "s", count: 20 + size(Int(number) * 3)) + "\(number)")
    let record = JournalRecord(name: JournalName("State"), contents: text)
    states[number] = record
    _ = ring.begin(half: record, in: memory)
  }

  private func size(_ different: Int) -> Int {
    switch sizes {
    case .different: different
    case .same: 20
    }
  }

  private mutating func note(_ event: Event) {
    events.append((memory.stores.count, event))
  }

  /// The contents of the memory after a number of stores.
  func image(after stores: Int) -> [UInt8] {
    var image = [UInt8](repeating: 0, count: Self.count)
    for store in memory.stores.prefix(stores) {
      for (offset, byte) in store { image[offset] = byte }
    }
    return image
  }

  /// A Boolean value that indicates whether each record equals the record that was written under
  /// its number.
  func areRecordsRight(in contents: JournalContents) -> Bool {
    contents.runs.allSatisfy { run in
      run.snapshot == states[run.first]
        && run.actions.enumerated().allSatisfy { actions[run.first + UInt64($0.offset)] == $0.element }
    }
  }
}
