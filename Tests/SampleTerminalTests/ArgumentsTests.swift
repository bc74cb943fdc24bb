import Foundation
import SampleTerminal
import Testing

@Suite("Arguments of a program")
struct ArgumentsTests {
  @Test("names and what stands after them are taken in order, to the end")
  func order() throws {
    var arguments = Arguments(["--one", "1", "--two"])
    #expect(arguments.next() == "--one")
    #expect(try arguments.value(or: "") { Int($0) } == 1)
    #expect(arguments.next() == "--two")
    #expect(arguments.next() == nil)
  }

  @Test("what is missing, or not understood, is complained of", arguments: [[], ["x"], [""]])
  func complaint(words: [String]) {
    var arguments = Arguments(words)
    #expect(throws: Misunderstanding("A number, please.")) {
      try arguments.value(or: "A number, please.") { Int($0) }
    }
  }

  @Test("a folder is taken as it is; there is one at least of a name")
  func folder() throws {
    var arguments = Arguments(["/some where/else", "", "/unused"])
    #expect(try arguments.folder(after: "--data").path == "/some where/else")
    #expect(throws: Misunderstanding("--data needs a folder.")) { try arguments.folder(after: "--data") }
  }

  @Test(
    "a server is an address with a host", arguments: ["http://localhost:8000", "https://films.example/a"])
  func server(address: String) throws {
    var arguments = Arguments([address])
    #expect(try arguments.server(after: "--server").absoluteString == address)
  }

  @Test(
    "what is not an address with a host is refused",
    arguments: [[], [""], ["localhost:8000"], ["ftp://localhost"], ["http://"], ["http:"], ["--log"]])
  func noServer(words: [String]) {
    var arguments = Arguments(words)
    #expect(throws: Misunderstanding("--server needs an address, as in --server http://localhost:8000")) {
      try arguments.server(after: "--server")
    }
  }

  @Test("an option that there is not is named, tame")
  func noOption() {
    #expect(Arguments([]).noOption("--da\u{1B}nce").text == "There is no option \"--da\u{FFFD}nce\".")
  }
}
