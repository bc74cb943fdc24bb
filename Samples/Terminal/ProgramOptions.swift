import Foundation

/// What a program is asked for on the command line.
package protocol ProgramOptions {
  /// What can be asked for.
  static var usage: String { get }

  /// Whether the usage was asked for, and nothing else is to be done.
  var wantsHelp: Bool { get }

  /// Understands arguments, without the program's name.
  init(_ arguments: [String]) throws(Misunderstanding)
}

extension ProgramOptions {
  /// What the running program was asked for.
  ///
  /// Ends the program where there is nothing more to do: with the usage when it was asked for that, and with
  /// status 2 when it cannot be understood.
  ///
  /// - Parameter program: The program's name.
  package static func given(to program: String) -> Self {
    do throws(Misunderstanding) {
      let options = try Self(Array(CommandLine.arguments.dropFirst()))
      guard options.wantsHelp else { return options }
    } catch {
      FileHandle.standardError.write(Data("\(program): \(error.text)\n\(usage)\n".utf8))
      exit(2)
    }
    StandardOutput.write(usage + "\n")
    exit(0)
  }
}
