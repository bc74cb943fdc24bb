import Foundation

/// What was found in the segments of a journal: the list that they make, and which of them is about what.
struct JournalReplay {
  /// The list, with every change.
  private(set) var list: ItemList
  /// The version that each segment goes up to.
  private(set) var ends: [Int: Int] = [:]
  /// The number of the segment that may be begun next.
  private(set) var next = 1
  /// How many bytes all of them have.
  private(set) var count = 0
  /// The segments whose last line was torn, and is left out.
  private(set) var torn: [Int] = []

  /// Reads every segment, and makes those changes again that the list does not have yet.
  ///
  /// What was read of the newest segment is written again before anybody is shown it: the program that wrote
  /// it may have ended since that failed. The others are safe, since a segment is begun only when the one
  /// before is. A last line that was torn is not written again: so it is found once.
  ///
  /// - Parameter list: What was saved last.
  init(of storage: any JournalStorage, onto list: ItemList) throws(JournalError) {
    self.list = list
    let segments: [Int]
    do {
      segments = try storage.segments().sorted()
    } catch {
      throw .unreadable(segment: 0, reason: "\(error)")
    }
    var newest = Data()
    for segment in segments { newest = try read(segment, of: storage) }
    guard let segment = segments.last else { return }
    do {
      try storage.replace(segment, with: newest)
    } catch {
      throw .unwritable(reason: "\(error)")
    }
    next = segment + 1
  }

  /// Reads a segment; returns its lines that are whole.
  private mutating func read(_ segment: Int, of storage: any JournalStorage) throws(JournalError) -> Data {
    let lines: [Data]
    let read: [JournalLine?]
    do {
      lines = JournalLine.split(try storage.read(segment))
      read = try lines.map(JournalLine.init(whole:))
    } catch {
      throw .unreadable(segment: segment, reason: "\(error)")
    }
    var whole = Data()
    ends[segment] = 0
    for (number, line) in read.enumerated() {
      guard let line else {
        guard number == lines.count - 1 else { throw .corrupt(segment: segment, line: number + 1) }
        torn.append(segment)
        break
      }
      for entry in line.entries { try make(entry, of: segment) }
      whole += lines[number] + [JournalLine.newline]
    }
    count += whole.count
    return whole
  }

  private mutating func make(_ entry: JournalEntry, of segment: Int) throws(JournalError) {
    ends[segment] = entry.version
    // What is in the list already, since it was saved later.
    guard entry.version > list.version else { return }
    let expected = list.version + 1
    _ = list.apply(entry.change)
    guard entry.version == expected, list.version == expected else {
      throw .gap(segment: segment, expected: expected, found: entry.version)
    }
  }
}
