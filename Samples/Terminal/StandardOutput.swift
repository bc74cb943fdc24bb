import Foundation

/// Where a program writes what it shows.
package enum StandardOutput {
  /// Writes a text as it is, at once; ends the program with status 1 when that cannot be done.
  package static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // Nobody reads what it has to say: a full disk, or a closed pipe.
      exit(1)
    }
  }

  /// Writes a text, and ends the line.
  package static func writeLine(_ text: String) { write(text + "\n") }
}
