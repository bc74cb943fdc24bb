import Foundation

/// The result of reading the segments of a journal: the list, and the versions of each segment.
struct JournalReplay {
  /// The list, with every change.
  private(set) var list: ItemList
  /// The version of the last change in each segment.
  private(set) var ends: [Int: Int] = [:]
  /// The number of the next segment.
  private(set) var next = 1
  /// The number of bytes of all segments.
  private(set) var count = 0
  /// The segments whose last line was incomplete, and was therefore omitted.
  private(set) var torn: [Int] = []

  /// Reads every segment, and applies the changes that the list does not contain.
  ///
  /// The contents of the newest segment are written again before the list is shown, because the
  /// program that wrote the segment might have ended after a failed write. The other segments are
  /// on disk, because a segment begins only after the previous segment is on disk. An incomplete
  /// last line is not written again, so it is reported only once.
  ///
  /// - Parameter list: The list of the last snapshot.
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

  /// Reads a segment; returns its complete lines.
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
    // Changes up to the version of the snapshot are already part of the list.
    guard entry.version > list.version else { return }
    let expected = list.version + 1
    _ = list.apply(entry.change)
    guard entry.version == expected, list.version == expected else {
      throw .gap(segment: segment, expected: expected, found: entry.version)
    }
  }
}
