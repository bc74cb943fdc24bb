import Foundation

/// The standard output of the program.
package enum StandardOutput {
  /// Writes a string immediately and unchanged; ends the program with status 1 if the write
  /// fails.
  package static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // The output cannot be written: the disk is full, or the pipe is closed.
      exit(1)
    }
  }

  /// Writes a string and a newline.
  package static func writeLine(_ text: String) { write(text + "\n") }
}
