import Foundation
import SampleTerminal
import SampleTerminalViews
import Synchronization

/// The output, line by line, above a panel that is redrawn.
final class LineOutput: Sendable {
  private let panel = Mutex("")

  /// Writes a string above the panel.
  func write(_ text: String) {
    panel.withLock { panel in StandardOutput.write(erasing(panel) + text + drawing(panel)) }
  }

  /// Replaces the panel; an empty string removes it.
  func draw(_ text: String) {
    panel.withLock { panel in
      StandardOutput.write(erasing(panel) + drawing(text))
      panel = text
    }
  }

  private func erasing(_ panel: String) -> String { panel.isEmpty ? "" : "\r\u{1B}[J" }

  /// Returns the text that draws a panel and leaves the cursor after its first line.
  ///
  /// The text first makes room for the panel, and truncates lines at the edge of the terminal.
  private func drawing(_ panel: String) -> String {
    guard !panel.isEmpty else { return "" }
    let lines = panel.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { "\n" + $0 }.joined()
    let more = lines.count - 1
    let room = more == 0 ? "" : String(repeating: "\n", count: more) + "\u{1B}[\(more)A"
    return "\u{1B}[?7l" + room + lines[0] + "\u{1B}7" + rest + "\u{1B}8\u{1B}[?7h"
  }
}

/// The keys of a terminal, read in lines or one by one.
final class Keyboard: Sendable {
  /// The bytes that were typed after the last line.
  private let rest = Mutex<[UInt8]>([])
  private let mode = KeyMode()

  /// Waits for a line; returns `nil` at the end of the input.
  func line() -> String? {
    while true {
      let line = rest.withLock { rest -> [UInt8]? in
        guard let end = rest.firstIndex(of: 0x0A) else { return nil }
        defer { rest.removeFirst(end + 1) }
        return Array(rest[..<end])
      }
      if let line { return String(decoding: line, as: UTF8.self) }
      guard let bytes = next() else { return nil }
      rest.withLock { $0 += bytes }
    }
  }

  /// Waits for keys, without echo; returns their bytes, or `nil` at the end of the input.
  func keys() -> [UInt8]? {
    mode.takeKeysSingly()
    let typed = rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
    return typed.isEmpty ? next() : typed
  }

  /// Restores the terminal's settings.
  func restore() {
    mode.restore()
  }

  private func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }
}
