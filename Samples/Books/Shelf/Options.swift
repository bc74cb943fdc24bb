package import Foundation

/// What the program was asked for on the command line.
package struct Options: Equatable, Sendable {
  package var server: URL?
  package var delay = 0
  package var failing: Set<Conditions.Topic> = []
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: books [--server URL] [--delay MS] [--fail WHAT]… [--log] [--help]

      Commands come from standard input, one a line; without any it shows a tour.

      --server URL  load from a server: GET URL/shelf.json, books-1.json, songs.json and so on
      --delay MS    have each answer take so many milliseconds
      --fail WHAT   have the first load fail of shelf, books or songs, or the first of the changes
      --log         log every action and what it changed to standard error
      --help        show this
    """

  /// Understands arguments, without the program's name.
  package init(_ arguments: [String]) throws(Misunderstanding) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--server":
        guard let url = rest.popFirst().flatMap({ URL(string: $0) }),
          url.scheme == "http" || url.scheme == "https", url.host() != nil
        else {
          throw Misunderstanding(text: "--server needs an address, as in --server http://localhost:8000")
        }
        server = url
      case "--delay":
        guard let delay = rest.popFirst().flatMap({ Int($0) }), (0...60_000).contains(delay) else {
          throw Misunderstanding(text: "--delay needs a number of milliseconds from 0 to 60000.")
        }
        self.delay = delay
      case "--fail":
        guard let topic = rest.popFirst().flatMap(Conditions.Topic.init(rawValue:)) else {
          throw Misunderstanding(text: "--fail needs one of shelf, books, songs and changes.")
        }
        failing.insert(topic)
      case "--log": logs = true
      case "--help", "-h": wantsHelp = true
      default: throw Misunderstanding(text: "There is no option \(name.quoted).")
      }
    }
  }

  /// What cannot be understood, in one line.
  package struct Misunderstanding: Error, Equatable {
    package let text: String
  }

  /// Where books and songs come from.
  package var service: any BookService {
    if let server { HTTPBookService(server: server) } else { BundledService() }
  }

  /// What the service is put through.
  package var conditions: Conditions { Conditions(delay: .milliseconds(delay), failing: failing) }
}
