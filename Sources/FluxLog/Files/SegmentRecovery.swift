import Foundation

/// The segments of a log that is opened: the newest segment that can be used, and the older
/// segments.
struct SegmentRecovery {
  /// The segment to which entries are appended.
  let segment: Segment
  /// The positions of the older segments, in ascending order.
  let older: [LogPosition]
  let problems: [FileLogProblem]

  /// Reads the newest segment, and makes sure that its contents are on disk.
  ///
  /// After a failed write, the system might hold data in memory that is not on disk, and a read
  /// returns this data. Therefore, the segment is written again.
  ///
  /// If a byte before the entries was changed, and the original byte is known, the byte is
  /// restored. Otherwise, the previous segment replaces the snapshot. The first segment has no
  /// previous segment. If its snapshot is damaged, its entries are not used, because the state
  /// before them is lost: a snapshot at the start can contain any state.
  ///
  /// - Parameter usesRest: A Boolean value that indicates whether a log with damaged entries is
  ///   opened without these entries.
  init(_ folder: SegmentFolder, usesRest: Bool) throws(LogError) {
    var problems: [FileLogProblem] = []
    var damaged: [LogPosition] = []
    do {
      var bases = try folder.bases()
      while let base = bases.popLast() {
        let (bytes, read, firstFlaw) = try folder.read(base)
        var (segment, flaw) = (read, firstFlaw)
        if segment == nil, let firstFlaw, let restored = Segment.readRestored(bytes, base: base) {
          problems.append(
            FileLogProblem(firstFlaw, in: base, position: base, note: "The changed byte was restored"))
          (segment, flaw) = restored
        }
        if segment == nil, let flaw, let previous = bases.last,
          let joined = try Self.join(bytes, of: base, with: previous, in: folder)
        {
          let note = "The file \(SegmentFolder.name(of: previous)) replaces the snapshot"
          problems.append(FileLogProblem(flaw, in: base, position: base, note: note))
          if let flaw = joined.flaw {
            problems.append(FileLogProblem(flaw, in: base, position: joined.segment.end))
          }
          try Self.writing {
            _ = try folder.setAside(bytes, of: base)
            try folder.replace(joined.segment)
            try folder.remove(base)
          }
          self.init(segment: joined.segment, older: Array(bases.dropLast()), problems: problems)
          return
        }
        if let flaw {
          let problem = FileLogProblem(flaw, in: base, position: segment?.end ?? base)
          guard flaw.isTorn || usesRest else { throw problem.error }
          problems.append(problem)
        }
        if firstFlaw?.isTorn == false { _ = try Self.writing { try folder.setAside(bytes, of: base) } }
        guard let segment else {
          damaged.append(base)
          continue
        }
        try Self.writing {
          try folder.replace(segment)
          // The newer segments were set aside.
          for base in damaged { try folder.remove(base) }
        }
        self.init(segment: segment, older: bases, problems: problems)
        return
      }
      let segment = Segment(base: .start, snapshot: nil)
      try Self.writing {
        try folder.replace(segment)
        for base in damaged where base != .start { try folder.remove(base) }
      }
      self.init(segment: segment, older: [], problems: problems)
    } catch let error as LogError {
      throw error
    } catch {
      throw LogError(.unreadable, "The log cannot be opened: \(error).")
    }
  }

  /// Calls a closure that changes the files of the log.
  private static func writing<Result>(_ body: () throws -> Result) throws(LogError) -> Result {
    do {
      return try body()
    } catch {
      throw LogError(.unwritable, "The log cannot be opened, because it cannot be changed: \(error).")
    }
  }

  /// Returns the previous segment with the entries of a file whose snapshot cannot be used, or
  /// `nil` if entries might be missing.
  private static func join(
    _ bytes: Data, of base: LogPosition, with previous: LogPosition, in folder: SegmentFolder
  ) throws -> (segment: Segment, flaw: Segment.Flaw?)? {
    guard let (entries, flaw) = Segment.readWithoutSnapshot(bytes, base: base), flaw?.isTorn ?? true,
      let segment = try folder.read(previous).segment?.joined(with: entries)
    else { return nil }
    return (segment, flaw)
  }

  private init(segment: Segment, older: [LogPosition], problems: [FileLogProblem]) {
    self.segment = segment
    self.older = older
    self.problems = problems
  }
}

/// A part of a file of a log that cannot be used.
public struct FileLogProblem: Hashable, Sendable {
  /// The name of the file.
  public let file: String
  /// The offset in bytes of the first byte that cannot be used.
  public let offset: Int
  /// The position of the first entry that cannot be used.
  public let position: LogPosition
  /// A Boolean value that indicates whether the end of the file is the rest of an interrupted
  /// write.
  ///
  /// If the value is `false`, the contents of the file were changed.
  public let isInterruptedWrite: Bool
  private let reason: String

  /// Creates a problem.
  ///
  /// - Parameter note: A sentence without a period that states how the part was replaced.
  init(_ flaw: Segment.Flaw, in base: LogPosition, position: LogPosition, note: String? = nil) {
    file = SegmentFolder.name(of: base)
    offset = flaw.offset
    self.position = position
    isInterruptedWrite = flaw.isTorn
    reason = [flaw.reason, note].compactMap(\.self).joined(separator: ". ")
  }

  var error: LogError { LogError(.damaged, at: position, description) }
}

extension FileLogProblem: CustomStringConvertible {
  /// A sentence that names the file and the reason.
  public var description: String {
    "The file \(file) cannot be used from byte \(offset) on, which is position \(position): \(reason)."
  }
}
