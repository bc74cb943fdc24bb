import Foundation
import SampleTerminal
import Testing

@Suite("Arguments of a program")
struct ArgumentsTests {
  @Test("options and their values are read in order, to the end")
  func order() throws {
    var arguments = Arguments(["--one", "1", "--two"])
    #expect(arguments.next() == "--one")
    #expect(try arguments.value(or: "") { Int($0) } == 1)
    #expect(arguments.next() == "--two")
    #expect(arguments.next() == nil)
  }

  @Test("missing and invalid values are reported", arguments: [[], ["x"], [""]])
  func complaint(words: [String]) {
    var arguments = Arguments(words)
    #expect(throws: Misunderstanding("A number, please.")) {
      try arguments.value(or: "A number, please.") { Int($0) }
    }
  }

  @Test("a folder is used unchanged, and must have at least one character")
  func folder() throws {
    var arguments = Arguments(["/some where/else", "", "/unused"])
    #expect(try arguments.folder(after: "--data").path == "/some where/else")
    #expect(throws: Misunderstanding("--data needs a folder.")) { try arguments.folder(after: "--data") }
  }

  @Test("a folder cannot be a file, or be in a file", arguments: ["", "/in", "/in/it"])
  func fileForFolder(end: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var arguments = Arguments([file.path + end])
    #expect(throws: Misunderstanding("--data needs a folder. \(file.path.quoted) is a file.")) {
      try arguments.folder(after: "--data")
    }
  }

  @Test(
    "a server is an address with a host", arguments: ["http://localhost:8000", "https://films.example/a"])
  func server(address: String) throws {
    var arguments = Arguments([address])
    #expect(try arguments.server(after: "--server").absoluteString == address)
  }

  @Test(
    "a value that is not an address with a host is refused",
    arguments: [[], [""], ["localhost:8000"], ["ftp://localhost"], ["http://"], ["http:"], ["--log"]])
  func noServer(words: [String]) {
    var arguments = Arguments(words)
    #expect(throws: Misunderstanding("--server needs an address, as in --server http://localhost:8000")) {
      try arguments.server(after: "--server")
    }
  }

  @Test("an unknown option is quoted, without control characters")
  func noOption() {
    #expect(Arguments([]).noOption("--da\u{1B}nce").text == "There is no option \"--da\u{FFFD}nce\".")
  }
}
