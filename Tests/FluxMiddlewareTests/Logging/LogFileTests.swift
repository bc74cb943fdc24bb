import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A sink that writes to a named file")
struct LogFileTests {
  /// Runs a test in a separate directory.
  private func inFolder(_ test: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flux-log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    try test(folder)
  }

  private func text(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test("the file is created, and contains each line as soon as it is written")
  func creates() throws {
    try inFolder { folder in
      let file = folder.appending(path: "a log.txt")
      let sink = try LogSink.file(at: file)
      #expect(try text(of: file) == "")
      sink.write("one")
      #expect(try text(of: file) == "one\n")
      sink.write("é")
      #expect(try text(of: file) == "one\né\n")
    }
  }

  @Test("a FIFO is neither awaited nor used for logging")
  func fifo() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try #require(mkfifo(file.path, 0o600) == 0)
      let error = #expect(throws: LogSinkError.self) { try LogSink.file(at: file) }
      #expect(error?.code == .notARegularFile)
      #expect(
        error?.description
          == "The log file \(file.path) cannot be opened: it is not a regular file. Choose the path of a regular file."
      )
    }
  }

  @Test("existing content of the file remains, and lines are appended")
  func appends() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      try Data("before\n".utf8).write(to: file)
      try LogSink.file(at: file).write("after")
      #expect(try text(of: file) == "before\nafter\n")
    }
  }

  @Test("two sinks on one file append after each other")
  func two() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      let first = try LogSink.file(at: file)
      let second = try LogSink.file(at: file)
      first.write("1")
      second.write("2")
      first.write("3")
      #expect(try text(of: file) == "1\n2\n3\n")
    }
  }

  @Test("lines from several threads are written without being mixed")
  func threads() throws {
    try inFolder { folder in
      let file = folder.appending(path: "log")
      let sink = try LogSink.file(at: file)
      let line = String(repeating: "x", count: 1_000)
      onThreads(4) { _ in
        for _ in 0..<50 { sink.write(line) }
      }
      #expect(try text(of: file) == String(repeating: line + "\n", count: 200))
    }
  }

  @Test("a directory is refused as a log file")
  func folder() throws {
    try inFolder { folder in
      let error = #expect(throws: LogSinkError.self) { try LogSink.file(at: folder) }
      #expect(error?.code == .isAFolder)
      #expect(
        error?.description
          == "The log file \(folder.path) cannot be opened: it is a folder. Append the name of a file.")
    }
  }

  @Test("a file in a missing directory, or below a file, is refused as a log file")
  func missingFolder() throws {
    try inFolder { folder in
      let missing = #expect(throws: LogSinkError.self) {
        try LogSink.file(at: folder.appending(path: "none/log"))
      }
      #expect(missing?.code == .folderIsMissing)
      #expect(missing?.url.lastPathComponent == "log")
      let file = folder.appending(path: "file")
      try Data().write(to: file)
      let inFile = #expect(throws: LogSinkError.self) { try LogSink.file(at: file.appending(path: "log")) }
      #expect(inFile?.code == .folderIsMissing)
    }
  }

  @Test("a URL that is not a file URL is refused as a log file")
  func address() throws {
    let url = try #require(URL(string: "https://example.org/log"))
    let error = #expect(throws: LogSinkError.self) { try LogSink.file(at: url) }
    #expect(error?.code == .notAFile)
    #expect(error?.description.hasPrefix("The log file https://example.org/log cannot be opened: ") == true)
  }

  @Test(
    "a missing permission is reported as such",
    arguments: [EACCES, EPERM, EROFS])
  func notPermitted(_ number: Int32) {
    #expect(LogSinkError.Code(errorNumber: number) == .notPermitted)
  }

  @Test("other errors of the system are reported with the system's message and code")
  func others() {
    let error = LogSinkError(.init(errorNumber: EMFILE), url: URL(filePath: "/log"))
    #expect(error.description.contains(String(cString: strerror(EMFILE))))
    #expect(error.code != .init(errorNumber: ENAMETOOLONG))
  }

  @Test("lines that cannot be written are counted, and the number is reported with the next written line")
  func counting() {
    struct Full: Error {}
    let isFull = Shared(false)
    let written = Recorder<String>()
    let sink = LogSink(counting: { text in
      if isFull.value { throw Full() }
      written.record(text)
    })
    sink.write("1")
    isFull.value = true
    for number in 2...4 { sink.write("\(number)") }
    isFull.value = false
    sink.write("5")
    sink.write("6")
    isFull.value = true
    sink.write("7")
    isFull.value = false
    sink.write("8")
    #expect(
      written.values == ["1\n", "\n… 3 lines not written\n5\n", "6\n", "\n… 1 line not written\n8\n"])
  }
}
