package import Flux
package import Foundation

/// What the program was asked for on the command line.
package struct Options: Equatable, Sendable {
  package var server: URL?
  package var films: URL?
  package var data: URL?
  package var timeout = 10.0
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: movies [--server URL | --films DIR] [--timeout SECONDS] [--data DIR]
                  [--log] [--help]

      In a terminal it takes commands; without one it shows a tour.

      --server URL       load the pages from a server: GET URL/page-1.json and so on
      --films DIR        load the pages from a folder instead of those that come with the program
      --timeout SECONDS  how long to wait for a page, each of four times; 10 unless said otherwise
      --data DIR         where your marks are kept; a folder of the user's unless said otherwise
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
      case "--data":
        guard let word = rest.popFirst(), !word.isEmpty else {
          throw Misunderstanding(text: "--data needs a folder.")
        }
        data = URL(fileURLWithPath: word, isDirectory: true)
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

  /// Where the marks are kept: in a folder of the user's when there is one, and nowhere after a tour.
  package func storage(forTour isTour: Bool) -> any StateStorage {
    if let data { return FileStorage(directory: data) }
    guard !isTour else { return InMemoryStorage() }
    let userData =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.homeDirectoryForCurrentUser
    return FileStorage(directory: userData.appending(path: "flux-movies", directoryHint: .isDirectory))
  }

  /// Where the films come from.
  package var service: any MovieService {
    if let server {
      HTTPMovieService(server: server)
    } else {
      FileMovieService(folder: films)
    }
  }
}
