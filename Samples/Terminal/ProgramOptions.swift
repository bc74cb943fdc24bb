import Foundation

/// The options of a program on the command line.
package protocol ProgramOptions {
  /// The help text of the options.
  static var usage: String { get }

  /// A Boolean value that indicates whether the program only prints its help text.
  var wantsHelp: Bool { get }

  /// Parses arguments, which do not contain the program's name.
  init(_ arguments: [String]) throws(Misunderstanding)
}

extension ProgramOptions {
  /// Returns the options of the running program.
  ///
  /// Ends the program in two cases: after printing the help text if it was requested, and with
  /// status 2 if the arguments are invalid.
  ///
  /// - Parameter program: The program's name.
  package static func given(to program: String) -> Self {
    do throws(Misunderstanding) {
      let options = try Self(Array(CommandLine.arguments.dropFirst()))
      guard options.wantsHelp else { return options }
    } catch {
      let text = "\(program): \(error.text)\nFor the options, enter: \(program) --help\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(2)
    }
    StandardOutput.write(usage + "\n")
    exit(0)
  }
}
