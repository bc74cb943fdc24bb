import Foundation

/// The memory of a journal.
///
/// Offsets of words and of copies are multiples of eight. One thread at a time writes.
protocol JournalMemory: Sendable {
  /// Stores a word in little-endian byte order.
  func store(_ word: UInt64, at offset: Int)

  /// Stores a word in little-endian byte order, after all earlier stores.
  func publish(_ word: UInt64, at offset: Int)

  /// Copies bytes, adds zeros up to a multiple of eight bytes, and adds the words to a checksum.
  func copy(_ bytes: Data, to offset: Int, adding checksum: inout JournalChecksum)
}
