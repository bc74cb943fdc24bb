package import Flux
package import Foundation
package import SampleTerminal

/// The options of the program on the command line.
package struct Options: ProgramOptions, Equatable, Sendable {
  /// The screen of the address, or `nil` if no address was given.
  package var screen: ShelfState.Screen?
  package var server: URL?
  package var delay = 0
  package var failing: Set<Conditions.Topic> = []
  package var data: URL?
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: books [ADDRESS] [--server URL] [--delay MS] [--fail WHAT]… [--data DIR] [--log] [--help]

      The program reads one command per line from standard input. Without commands, it shows a tour.

      ADDRESS       The first screen, for example all or sections/century
      --server URL  Load from a server: GET URL/shelf.json, books-1.json, songs.json, and so on
      --delay MS    Delay each answer by this number of milliseconds
      --fail WHAT   Let one request fail: the first for shelf, books, songs, or changes
      --data DIR    The folder for your place (default: a folder of the user)
      --log         Write each action and its changes to standard error
      --help        Show this help
    """

  package init(_ arguments: [String]) throws(Misunderstanding) {
    var arguments = Arguments(arguments)
    while let name = arguments.next() {
      switch name {
      case "--server": server = try arguments.server(after: name)
      case "--delay":
        delay = try arguments.value(or: "--delay needs a number of milliseconds from 0 to 60000.") { word in
          Int(word).flatMap { (0...60_000).contains($0) ? $0 : nil }
        }
      case "--fail":
        failing.insert(
          try arguments.value(
            or: "--fail needs one of shelf, books, songs and changes.", Conditions.Topic.init(rawValue:)))
      case "--data": data = try arguments.folder(after: name)
      case "--log": logs = true
      case "--help", "-h": wantsHelp = true
      case _ where !name.hasPrefix("-"):
        guard screen == nil else { throw Misunderstanding("Type only one address, for example: all") }
        screen = try ShelfState.Screen(address: name)
      default: throw arguments.noOption(name)
      }
    }
  }

  /// The source of books and songs.
  package var service: any BookService {
    if let server { HTTPBookService(server: Server(at: server)) } else { BundledService() }
  }

  /// Returns the storage of the screens, or `nil` if they are not saved.
  ///
  /// Without the option `--data`, the screens are saved in a folder of the user if the user types
  /// the commands.
  package func storage(forTerminal isTerminal: Bool) -> (any StateStorage)? {
    let folder = data ?? (isTerminal ? .userFolder(of: "flux-books") : nil)
    return folder.map { FileStorage(directory: $0) }
  }

  /// The simulated delays and failures of the service.
  package var conditions: Conditions { Conditions(delay: .milliseconds(delay), failing: failing) }
}
