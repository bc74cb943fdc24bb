import Foundation
import MovieBrowser
import SampleTerminal
import Testing

@Suite("Command-line options of the program")
struct OptionsTests {
  @Test("without arguments the films are the bundled ones, and nothing is logged")
  func defaults() throws {
    let options = try Options([])
    #expect(options.server == nil)
    #expect(options.films == nil)
    #expect(options.timeout == 10)
    #expect(options.logs == false)
    #expect(options.wantsHelp == false)
    #expect(options.service is FileMovieService)
  }

  @Test(
    "a server is an address with a host", arguments: ["http://localhost:8000", "https://films.example/a"])
  func server(address: String) throws {
    let options = try Options(["--server", address])
    #expect(options.server?.absoluteString == address)
    #expect(options.service is HTTPMovieService)
  }

  @Test("a folder of films is used unchanged, and its films are read from files")
  func films() throws {
    let options = try Options(["--films", "/some where/else"])
    #expect(options.films?.path == "/some where/else")
    #expect(options.service is FileMovieService)
  }

  @Test("a folder for saved data is used unchanged")
  func data() throws {
    #expect(try Options(["--data", "/some where/else"]).data?.path == "/some where/else")
    #expect(try Options([]).data == nil)
  }

  @Test("--data without a folder is refused", arguments: [[], [""]])
  func badData(words: [String]) {
    #expect(message(of: ["--data"] + words) == "--data needs a folder.")
  }

  @Test("a timeout is a number of seconds, which may have a fraction")
  func timeout() throws {
    #expect(try Options(["--timeout", "0.5"]).timeout == 0.5)
    #expect(try Options(["--timeout", "30"]).timeout == 30)
  }

  @Test("--lines selects line-by-line commands")
  func lines() throws {
    #expect(try Options(["--lines"]).lines)
    #expect(try Options([]).lines == false)
  }

  @Test("--log turns on the log")
  func log() throws {
    #expect(try Options(["--log"]).logs)
  }

  @Test("a crash happens after a number of changes, from 0")
  func crash() throws {
    #expect(try Options(["--crash-after", "0"]).crashAfter == 0)
    #expect(try Options([]).crashAfter == nil)
    for words in [[], ["-1"], ["soon"]] {
      #expect(message(of: ["--crash-after"] + words) == "--crash-after needs a number of changes, from 0.")
    }
  }

  @Test("the report of a crash can be shown, and removed")
  func crashReport() throws {
    #expect(try Options(["--crash-report"]).printsCrash)
    #expect(try Options(["--forget-crash"]).forgetsCrash)
    #expect(try !Options([]).printsCrash)
    #expect(try !Options([]).forgetsCrash)
  }

  @Test("--help and -h request help", arguments: ["--help", "-h"])
  func help(name: String) throws {
    #expect(try Options([name]).wantsHelp)
  }

  @Test("the order of the options does not matter")
  func order() throws {
    let one = try Options(["--log", "--timeout", "2", "--server", "http://localhost"])
    let other = try Options(["--server", "http://localhost", "--log", "--timeout", "2"])
    #expect(one == other)
  }

  @Test("the last value of a repeated option is used")
  func twice() throws {
    #expect(try Options(["--timeout", "2", "--timeout", "3"]).timeout == 3)
  }

  @Test(
    "a value that is not an address with a host is refused",
    arguments: [[], [""], ["localhost:8000"], ["ftp://localhost"], ["http://"], ["http:"], ["--log"]])
  func badServer(words: [String]) {
    #expect(
      message(of: ["--server"] + words) == "--server needs an address, as in --server http://localhost:8000")
  }

  @Test("--films without a folder is refused")
  func badFilms() {
    #expect(message(of: ["--films"]) == "--films needs a folder.")
  }

  @Test(
    "a value that is not a number of seconds greater than zero is refused",
    arguments: [[], ["soon"], ["0"], ["-1"], ["inf"], ["nan"], [""]])
  func badTimeout(words: [String]) {
    #expect(
      message(of: ["--timeout"] + words) == "--timeout needs a number of seconds greater than zero.")
  }

  @Test("an unknown option is quoted", arguments: ["--verbose", "-x", ""])
  func unknown(name: String) {
    #expect(message(of: [name]) == "There is no option \"\(name)\".")
  }

  @Test("an address is the first screen, before or after options")
  func address() throws {
    #expect(try Options(["films/7"]).place == .film(7))
    #expect(try Options(["--lines", "films?page=2", "--log"]).place == .page(2))
    #expect(try Options([]).place == nil)
  }

  @Test(
    "an invalid address is quoted, with the reason",
    arguments: [
      ("dance", "There is no screen with the address \"dance\". For example: films/7"),
      (
        "http://films.example",
        "There is no screen with the address \"http://films.example\". For example: films/7"
      ),
      ("films/x", "The address \"films/x\" contains the invalid value \"x\"."),
      ("films/0", "The address \"films/0\" contains the invalid value \"0\"."),
      ("films?page=-1", "The address \"films?page=-1\" contains the invalid value \"page=-1\"."),
      ("search", "The address \"search\" lacks a value, as in search?q=dream"),
      ("search?q=%20", "The address \"search?q=%20\" contains the invalid value \"q= \"."),
      ("%zz", "The address \"%zz\" has an invalid percent-encoding."),
    ])
  func badAddress(address: String, trouble: String) {
    #expect(message(of: [address]) == trouble)
  }

  @Test("only one address is accepted")
  func twoAddresses() {
    #expect(message(of: ["films/7", "lists"]) == "One address at a time, for example: films/7")
  }

  @Test("a server and a folder exclude each other")
  func both() {
    #expect(
      message(of: ["--server", "http://localhost", "--films", "."])
        == "--server and --films exclude each other.")
  }

  @Test(
    "the usage names every option",
    arguments: [
      "--server", "--films", "--timeout", "--data", "--log", "--crash-after", "--crash-report",
      "--forget-crash", "--help", "ADDRESS",
    ])
  func usage(name: String) {
    #expect(Options.usage.contains("\n  \(name) "))
  }

  private func message(of arguments: [String]) -> String? {
    do throws(Misunderstanding) {
      _ = try Options(arguments)
      return nil
    } catch {
      return error.text
    }
  }
}
