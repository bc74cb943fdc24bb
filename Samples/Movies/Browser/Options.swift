package import Flux
package import Foundation
package import SampleTerminal

/// The options of the program on the command line.
package struct Options: ProgramOptions, Equatable, Sendable {
  /// The place of the address, or `nil` if no address was given.
  package var place: Place?
  package var server: URL?
  package var films: URL?
  package var data: URL?
  package var timeout = 10.0
  package var lines = false
  package var logs = false
  package var crashAfter: Int?
  package var printsCrash = false
  package var forgetsCrash = false
  package var wantsHelp = false

  package static let usage = """
    usage: movies [ADDRESS] [--server URL | --films DIR] [--timeout SECONDS]
                  [--data DIR] [--lines] [--log] [--crash-after N] [--help]
           movies --crash-report | --forget-crash [--data DIR]

      In a terminal, the program shows lists, or reads commands line by line.
      Without a terminal, it shows a tour.

      ADDRESS            The first screen: films/7, "films?page=2", "search?q=dream", or lists
      --server URL       Load the pages from a server: GET URL/page-1.json and so on
      --films DIR        Load the pages from a folder, instead of the pages of the program
      --timeout SECONDS  The time limit for each of the four attempts to load a page (default: 10)
      --data DIR         The folder for your marks and your place (default: a folder of the user)
      --lines            Read commands line by line in every terminal
      --log              Write each action and its changes to standard error
      --crash-after N    Crash while a mark is changed, after N other changes
      --crash-report     Show the changes before the last crash, and a test that repeats it
      --forget-crash     Remove the report of the last crash
      --help             Show this help
    """

  package init(_ arguments: [String]) throws(Misunderstanding) {
    var arguments = Arguments(arguments)
    while let name = arguments.next() {
      switch name {
      case "--server": server = try arguments.server(after: name)
      case "--films": films = try arguments.folder(after: name)
      case "--timeout":
        timeout = try arguments.value(or: "--timeout needs a number of seconds greater than zero.") { word in
          Double(word).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
      case "--data": data = try arguments.folder(after: name)
      case "--lines": lines = true
      case "--log": logs = true
      case "--crash-after":
        crashAfter = try arguments.value(or: "--crash-after needs a number of changes, from 0.") { word in
          Int(word).flatMap { $0 >= 0 ? $0 : nil }
        }
      case "--crash-report": printsCrash = true
      case "--forget-crash": forgetsCrash = true
      case "--help", "-h": wantsHelp = true
      case _ where name.isEmpty || name.hasPrefix("-"): throw arguments.noOption(name)
      default:
        guard place == nil else { throw Misunderstanding("One address at a time, for example: films/7") }
        place = try Place(address: name)
      }
    }
    guard server == nil || films == nil else {
      throw Misunderstanding("--server and --films exclude each other.")
    }
  }

  /// Returns the folder for the saved data, or `nil` if the data is stored in memory.
  ///
  /// Without the option `--data`, a tour stores the data in memory, and the interactive program
  /// stores it in a folder of the user.
  package func folder(forTour isTour: Bool) -> URL? {
    data ?? (isTour ? nil : .userFolder(of: "flux-movies"))
  }

  /// Returns the storage of the marks and the place.
  package func storage(forTour isTour: Bool) -> any StateStorage {
    if let folder = folder(forTour: isTour) { FileStorage(directory: folder) } else { InMemoryStorage() }
  }

  /// The source of the films.
  package var service: any MovieService {
    if let server {
      HTTPMovieService(server: server)
    } else {
      FileMovieService(folder: films)
    }
  }
}
