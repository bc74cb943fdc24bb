package import Foundation

/// What the program was asked for on the command line.
package struct Options: Equatable, Sendable {
  package var server: URL?
  package var films: URL?
  package var timeout = 10.0
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: movies [--server URL | --films DIR] [--timeout SECONDS] [--log] [--help]

      --server URL       load the pages from a server: GET URL/page-1.json and so on
      --films DIR        load the pages from a folder instead of those that come with the program
      --timeout SECONDS  how long to wait for the server; 10 unless said otherwise
      --log              log every action and what it changed to standard error
      --help             show this
    """

  /// Understands arguments, without the program's name.
  package init(_ arguments: [String]) throws(Misunderstanding) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--server":
        guard let word = rest.popFirst(), let url = URL(string: word),
          url.scheme == "http" || url.scheme == "https",
          url.host() != nil
        else {
          throw Misunderstanding(text: "--server needs an address, as in --server http://localhost:8000")
        }
        server = url
      case "--films":
        guard let word = rest.popFirst() else { throw Misunderstanding(text: "--films needs a folder.") }
        films = URL(fileURLWithPath: word, isDirectory: true)
      case "--timeout":
        guard let seconds = rest.popFirst().flatMap(Double.init), seconds > 0, seconds.isFinite else {
          throw Misunderstanding(text: "--timeout needs a number of seconds greater than zero.")
        }
        timeout = seconds
      case "--log": logs = true
      case "--help", "-h": wantsHelp = true
      default: throw Misunderstanding(text: "There is no option \(name).")
      }
    }
    guard server == nil || films == nil else {
      throw Misunderstanding(text: "--server and --films exclude each other.")
    }
  }

  /// What cannot be understood, in one line.
  package struct Misunderstanding: Error, Equatable {
    package let text: String
  }

  /// Where the films come from.
  package var service: any MovieService {
    if let server {
      HTTPMovieService(server: server, timeout: timeout)
    } else {
      FileMovieService(folder: films)
    }
  }
}
