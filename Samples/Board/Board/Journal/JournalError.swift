/// An error that occurs when a journal is read or written.
package enum JournalError: Error, Equatable, CustomStringConvertible {
  /// A segment cannot be read.
  case unreadable(segment: Int, reason: String)
  /// A line that is not the last line of its segment differs from the written line.
  case corrupt(segment: Int, line: Int)
  /// A change does not directly follow the previous change: at least one change between them is
  /// missing.
  case gap(segment: Int, expected: Int, found: Int)
  /// The storage failed to write.
  case unwritable(reason: String)

  package var description: String {
    switch self {
    case .unreadable(let segment, let reason): "Segment \(segment) of the journal cannot be read: \(reason)."
    case .corrupt(let segment, let line): "Line \(line) of segment \(segment) of the journal is corrupt."
    case .gap(let segment, let expected, let found):
      "Segment \(segment) of the journal continues with version \(found) instead of \(expected)."
    case .unwritable(let reason):
      "The journal cannot be written: \(reason). Acknowledged changes are on disk. Later changes are refused."
    }
  }
}
