package import Foundation

/// What the program was asked for on the command line.
package struct Options: Equatable, Sendable {
  package var data: URL?
  package var logs = false
  package var wantsHelp = false

  package static let usage = """
    usage: todos [--data DIR] [--log] [--help]

      --data DIR  where the list is kept; a folder of the user's unless said otherwise
      --log       log every action and what it changed to standard error
      --help      show this

    Commands come from standard input, one a line; type help for those there are.
    """

  /// Understands arguments, without the program's name.
  package init(_ arguments: [String]) throws(Misunderstanding) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
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
  }

  /// What cannot be understood, in one line.
  package struct Misunderstanding: Error, Equatable {
    package let text: String
  }

  /// The folder that the list is kept in.
  package var folder: URL {
    data ?? URL.userData.appending(path: "flux-todos", directoryHint: .isDirectory)
  }
}

extension URL {
  /// The folder in which programs keep what belongs to the user.
  fileprivate static var userData: URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.homeDirectoryForCurrentUser
  }
}
