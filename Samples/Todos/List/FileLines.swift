package import Foundation

/// Returns the lines of a text file, which is read on demand, without a byte order mark.
///
/// For a folder, a device, or a pipe, the function throws immediately, because an endless wait
/// for data could not be stopped.
///
/// - Parameter path: The path of the file. A leading tilde stands for the user's folder.
/// - Throws: ``UnreadableFile``, or an error of the system. The returned stream throws the same
///   errors as the function.
package func linesOfFile(at path: String) throws -> AsyncThrowingStream<String, any Error> {
  let file = URL(fileURLWithPath: (path as NSString).expandingTildeInPath).resolvingSymlinksInPath()
  guard FileManager.default.fileExists(atPath: file.path) else {
    throw UnreadableFile(reason: "there is no such file")
  }
  switch try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType {
  case .typeRegular?: break
  case .typeDirectory?: throw UnreadableFile(reason: "it is a folder")
  default: throw UnreadableFile(reason: "it is not a text file")
  }
  let handle = try FileHandle(forReadingFrom: file)
  return linesOfText { try handle.read(upToCount: 65_536) ?? Data() }
}

/// Returns the lines of text that is read on demand, without a byte order mark.
///
/// - Parameter more: Reads any number of bytes; returns no bytes at the end of the text.
package func linesOfText(
  reading more: @escaping @Sendable () throws -> Data
) -> AsyncThrowingStream<String, any Error> {
  let reader = LineReader(more)
  return AsyncThrowingStream { try await reader.next() }
}

/// An error that occurs when a file is opened or read.
package struct UnreadableFile: Error, Equatable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}

private actor LineReader {
  private let more: @Sendable () throws -> Data
  private var read: [UInt8] = []
  /// The indices of the beginning of the next line, and of the first byte that has not been
  /// searched for a line end.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  private var count = 0

  init(_ more: @escaping @Sendable () throws -> Data) {
    self.more = more
  }

  func next() throws -> String? {
    while true {
      if let end = read[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { (start, searched) = (end + 1, end + 1) }
        return try line(read[start..<end])
      }
      guard !isAtEnd else { break }
      read.removeSubrange(..<start)
      (start, searched) = (0, read.count)
      let piece = try more()
      isAtEnd = piece.isEmpty
      read += piece
    }
    guard start < read.count else { return nil }
    defer { (start, searched) = (read.count, read.count) }
    return try line(read[start...])
  }

  private func line(_ bytes: ArraySlice<UInt8>) throws -> String {
    count += 1
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isMarked = count == 1 && bytes.starts(with: byteOrderMark)
    guard !bytes.contains(0), let line = String(validating: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
    else { throw UnreadableFile(reason: "line \(count) is not text in UTF-8") }
    return line
  }
}
