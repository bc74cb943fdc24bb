import FluxMiddleware
import Foundation
import Testing

@Suite("The sink that writes to a file")
struct LogSinkTests {
  @Test("each line is written with a line break at its end")
  func lines() throws {
    let pipe = Pipe()
    let sink = LogSink(fileDescriptor: pipe.fileHandleForWriting.fileDescriptor)
    sink.write("one")
    sink.write("two")
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("one\ntwo\n".utf8))
  }

  @Test("a file that is not open for writing drops the line")
  func notWritable() throws {
    let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    LogSink(fileDescriptor: file.fileDescriptor).write("lost")
  }

  @Test("a closed file drops the line")
  func closed() {
    LogSink(fileDescriptor: -1).write("lost")
  }

  #if os(Linux)
    @Test("a full file drops the line")
    func full() throws {
      let file = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      LogSink(fileDescriptor: file.fileDescriptor).write("lost")
    }
  #endif
}
