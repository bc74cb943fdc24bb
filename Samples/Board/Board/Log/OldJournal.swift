package import Foundation

/// An error that indicates that a folder contains the journal of an earlier version of the board.
///
/// The board does not read the journal. If it started with an empty list, the items would seem to be
/// lost.
package struct OldJournal: Error, CustomStringConvertible {
  let folder: String

  package var description: String {
    """
    The folder \(folder) contains the journal of an earlier version, which this version cannot read. \
    Use another folder.
    """
  }

  /// Throws the error if a folder contains a journal.
  package static func check(_ folder: URL) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    if names.contains(where: { $0.hasPrefix("journal-") || $0.hasPrefix("board.") }) {
      throw OldJournal(folder: folder.path)
    }
  }
}
