import Foundation

/// The segments of a log in a storage, by their positions.
struct SegmentFolder: Sendable {
  private static let prefix = "segment-"
  private static let partial = "segment.partial"

  let storage: any SegmentStorage
  /// The number of bytes after which another write begins, if several calls are appended.
  ///
  /// A call has at most 2 GiB, and the size of a frame is a number of 32 bits.
  var writeLimit = 1 << 30

  /// Returns the name of the file of a segment.
  static func name(of base: LogPosition) -> String {
    let digits = "\(base)"
    return prefix + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }

  /// Returns the positions of all segments, in ascending order.
  func bases() throws -> [LogPosition] {
    try storage.names().compactMap { name in
      guard name.hasPrefix(Self.prefix), let offset = UInt64(name.dropFirst(Self.prefix.count)) else {
        return nil
      }
      let base = LogPosition(offset)
      return base.isPossible && Self.name(of: base) == name ? base : nil
    }
    .sorted()
  }

  /// Reads a segment up to its first flaw.
  func read(_ base: LogPosition) throws -> (bytes: Data, segment: Segment?, flaw: Segment.Flaw?) {
    let bytes = try storage.read(Self.name(of: base)) ?? Data()
    let (segment, flaw) = Segment.read(bytes, base: base)
    return (bytes, segment, flaw)
  }

  /// Writes the contents of a segment under another name.
  ///
  /// If the method throws, the segments have not changed.
  func prepare(_ bytes: Data) throws {
    try storage.write(bytes, to: Self.partial)
  }

  /// Makes the prepared contents the contents of a segment.
  func commit(_ base: LogPosition) throws {
    try storage.rename(Self.partial, to: Self.name(of: base))
  }

  /// Replaces a segment.
  func replace(_ segment: Segment) throws {
    try prepare(segment.bytes)
    try commit(segment.base)
  }

  /// Appends the entries of several calls to a segment.
  ///
  /// The entries of each call are complete after a restart, or missing. One write contains one
  /// frame, because the blocks of a write that a power failure interrupts can reach the disk in any
  /// order. A second frame without the first frame would look like damage.
  ///
  /// If a write fails, the file contains the entries of the earlier writes, and the next start
  /// finds them. The method does not report which calls these are, so all calls fail.
  func append(_ calls: [[Data]], at position: LogPosition, to base: LogPosition) throws -> Int {
    var count = 0
    var position = position
    var rest = calls[...]
    while !rest.isEmpty {
      let entries = takeFrame(from: &rest)
      if entries.isEmpty { continue }
      let bytes = SegmentFrame(entries: entries, at: position).bytes
      try storage.append(bytes, to: Self.name(of: base))
      count += bytes.count
      position = position.advanced(by: entries.count)
    }
    return count
  }

  /// Removes as many calls as fit into one frame, but at least one, and returns their entries.
  private func takeFrame(from calls: inout ArraySlice<[Data]>) -> [Data] {
    var entries: [Data] = []
    var size = 0
    while let call = calls.first {
      size += call.reduce(0) { $0 + $1.count + 4 }
      if size > writeLimit, !entries.isEmpty { break }
      entries += call
      calls.removeFirst()
    }
    return entries
  }

  /// Keeps a copy of a damaged segment under another name.
  ///
  /// The copy does not replace a different copy of the same segment that was damaged before.
  func setAside(_ bytes: Data, of base: LogPosition) throws -> String {
    let first = "damaged-\(Self.name(of: base))"
    let names = Set(try storage.names())
    var name = first
    var number = 1
    while names.contains(name) {
      if try storage.read(name) == bytes { return name }
      number += 1
      name = "\(first)-\(number)"
    }
    try storage.write(bytes, to: "\(name).partial")
    try storage.rename("\(name).partial", to: name)
    return name
  }

  func remove(_ base: LogPosition) throws {
    try storage.remove(Self.name(of: base))
  }
}
