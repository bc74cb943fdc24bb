import Foundation

/// The contents of a segment: a snapshot and the entries after it.
struct Segment: Hashable, Sendable {
  /// A part of a segment that cannot be used.
  struct Flaw: Hashable, Sendable {
    /// The offset in bytes of the first byte that cannot be used.
    let offset: Int
    /// A Boolean value that indicates whether a write was interrupted, so that only the end of the
    /// segment is missing.
    let isTorn: Bool
    let reason: String
  }

  /// The position of the snapshot.
  let base: LogPosition
  private(set) var snapshot: Data?
  private(set) var entries: [Data] = []

  /// The first bytes of each segment, which contain the version of the format.
  static let lead = Data("FLUXLOG1".utf8)

  /// The number of bytes of entries after which a new frame begins.
  private static let frameCount = 1 << 20

  /// Creates a segment.
  init(base: LogPosition, snapshot: Data?, entries: [Data] = []) {
    self.base = base
    self.snapshot = snapshot
    self.entries = entries
  }

  /// The segment as the contents of a file.
  var bytes: Data {
    var bytes = Self.lead + SegmentFrame(snapshot: snapshot, at: base).bytes
    var first = 0
    var count = 0
    for (index, entry) in entries.enumerated() {
      count += entry.count
      guard count >= Self.frameCount || index == entries.count - 1 else { continue }
      bytes += SegmentFrame(entries: Array(entries[first...index]), at: base.advanced(by: first)).bytes
      (first, count) = (index + 1, 0)
    }
    return bytes
  }

  var end: LogPosition { base.advanced(by: entries.count) }

  /// Reads the contents of a file up to the first flaw.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - base: The position in the name of the file.
  /// - Returns: The entries before the first flaw, and the flaw. If the snapshot cannot be used,
  ///   the segment is `nil`.
  static func read(_ bytes: Data, base: LogPosition) -> (segment: Segment?, flaw: Flaw?) {
    guard bytes.starts(with: lead) else {
      return (nil, Flaw(offset: 0, isTorn: false, reason: "it does not begin with the lead of a segment"))
    }
    guard case .frame(let first, let count) = SegmentFrame.read(bytes.dropFirst(lead.count)),
      first.kind == .snapshot, first.position == base
    else {
      return (nil, Flaw(offset: lead.count, isTorn: false, reason: "its snapshot cannot be read"))
    }
    var segment = Segment(base: base, snapshot: first.snapshot)
    let flaw = segment.readEntries(of: bytes, from: lead.count + count)
    return (segment, flaw)
  }

  /// Reads a file with a changed byte before its entries, if the original byte is known.
  ///
  /// All segments begin with the same lead, and all segments without a snapshot at one position
  /// begin with the same frame. A beginning with a snapshot differs from this frame in more than
  /// two bytes, so the two cannot be mistaken for each other. The version is not restored, because
  /// the file might be one of a version with another format.
  ///
  /// - Returns: The segment and the first flaw of its entries. If the original byte is not known,
  ///   the result is `nil`.
  static func readRestored(_ bytes: Data, base: LogPosition) -> (segment: Segment, flaw: Flaw?)? {
    for known in [lead, Segment(base: base, snapshot: nil).bytes] where bytes.count >= known.count {
      let changed = zip(bytes, known).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
      guard changed.count == 1, changed != [lead.count - 1] else { continue }
      let (segment, flaw) = read(known + bytes.dropFirst(known.count), base: base)
      if let segment { return (segment, flaw) }
    }
    return nil
  }

  /// Reads the entries of a file whose snapshot cannot be used.
  ///
  /// - Returns: A segment without a snapshot, and the first flaw of its entries. If the file might
  ///   have entries that cannot be found, the result is `nil`.
  static func readWithoutSnapshot(_ bytes: Data, base: LogPosition) -> (segment: Segment, flaw: Flaw?)? {
    guard bytes.starts(with: lead) else { return nil }
    var segment = Segment(base: base, snapshot: nil)
    var offset = lead.count
    if case .damagedBody(let count) = SegmentFrame.read(bytes.dropFirst(offset)) {
      offset += count
    } else {
      // The end of the snapshot is not known, but the first entries after it have their position.
      while true {
        let rest = bytes.dropFirst(offset)
        guard rest.count >= SegmentFrame.headerCount else { return nil }
        if case .frame(let frame, _) = SegmentFrame.read(rest), frame.kind == .entries {
          guard frame.position == base else { return nil }
          break
        }
        offset += 1
      }
    }
    let flaw = segment.readEntries(of: bytes, from: offset)
    return (segment, flaw)
  }

  /// Reads the frames with entries from an offset on, and returns the first flaw.
  private mutating func readEntries(of bytes: Data, from start: Int) -> Flaw? {
    var offset = start
    while offset < bytes.count {
      let rest = bytes.dropFirst(offset)
      guard case .frame(let frame, let count) = SegmentFrame.read(rest), frame.kind == .entries,
        frame.position == end, let entries = frame.entries
      else {
        // Only the last write of a segment can be interrupted. A frame after it shows that the
        // write was complete.
        let isTorn = !Self.containsFrame(rest.dropFirst(), after: end)
        let reason = isTorn ? "its last write was interrupted" : "its contents were changed"
        return Flaw(offset: offset, isTorn: isTorn, reason: reason)
      }
      self.entries += entries
      offset += count
    }
    return nil
  }

  /// Returns a segment that also contains the entries of the next segment, or `nil` if entries
  /// between the two segments are missing.
  func joined(with next: Segment) -> Segment? {
    guard next.base >= base, next.base <= end else { return nil }
    return Segment(
      base: base, snapshot: snapshot, entries: entries.prefix(base.distance(to: next.base)) + next.entries)
  }

  /// Returns a Boolean value that indicates whether data contains a complete frame with entries
  /// after a position.
  private static func containsFrame(_ data: Data, after position: LogPosition) -> Bool {
    var rest = data
    while rest.count >= SegmentFrame.headerCount {
      if case .frame(let frame, _) = SegmentFrame.read(rest), frame.kind == .entries,
        frame.position > position
      {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }
}
