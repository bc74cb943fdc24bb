package import Foundation
package import SampleTerminal

/// The options of the program on the command line.
package struct Options: ProgramOptions, Equatable, Sendable {
  package var data: URL?
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: todos [--data DIR] [--log] [--help]

      The program reads one command per line from standard input. The command "help" lists all commands.

      --data DIR  The folder for the list (default: a folder of the user)
      --log       Write each action and its changes to standard error
      --help      Show this help
    """

  package init(_ arguments: [String]) throws(Misunderstanding) {
    var arguments = Arguments(arguments)
    while let name = arguments.next() {
      switch name {
      case "--data": data = try arguments.folder(after: name)
      case "--log": logs = true
      case "--help", "-h": wantsHelp = true
      default: throw arguments.noOption(name)
      }
    }
  }

  /// The folder in which the list is saved.
  package var folder: URL { data ?? .userFolder(of: "flux-todos") }
}
