import Foundation

/// The lines of a file, read as they are asked for.
package func linesOfFile(at path: String) throws -> AsyncThrowingStream<String, any Error> {
  let reader = LineReader(try FileHandle(forReadingFrom: URL(fileURLWithPath: path)))
  return AsyncThrowingStream { try await reader.next() }
}

private actor LineReader {
  private let file: FileHandle
  private var read = Data()
  private var isAtEnd = false

  init(_ file: FileHandle) {
    self.file = file
  }

  func next() throws -> String? {
    while true {
      if let end = read.firstIndex(of: UInt8(ascii: "\n")) {
        defer { read = Data(read[read.index(after: end)...]) }
        return String(decoding: read[..<end], as: UTF8.self)
      }
      guard !isAtEnd else { break }
      let more = try file.read(upToCount: 65_536) ?? Data()
      isAtEnd = more.isEmpty
      read += more
    }
    guard !read.isEmpty else { return nil }
    defer { read = Data() }
    return String(decoding: read, as: UTF8.self)
  }
}
