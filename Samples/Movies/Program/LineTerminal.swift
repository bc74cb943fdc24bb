import Foundation
import SampleTerminal
import SampleTerminalViews
import Synchronization

/// What is shown, line by line, with a panel beneath that is replaced again and again.
final class LineOutput: Sendable {
  private let panel = Mutex("")

  /// Writes a text above the panel.
  func write(_ text: String) {
    panel.withLock { panel in StandardOutput.write(erasing(panel) + text + drawing(panel)) }
  }

  /// Replaces the panel; there is none when the text is empty.
  func draw(_ text: String) {
    panel.withLock { panel in
      StandardOutput.write(erasing(panel) + drawing(text))
      panel = text
    }
  }

  private func erasing(_ panel: String) -> String { panel.isEmpty ? "" : "\r\u{1B}[J" }

  /// Draws a panel, and leaves the cursor behind its first line: with room made first, and lines cut at the edge.
  private func drawing(_ panel: String) -> String {
    guard !panel.isEmpty else { return "" }
    let lines = panel.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { "\n" + $0 }.joined()
    let more = lines.count - 1
    let room = more == 0 ? "" : String(repeating: "\n", count: more) + "\u{1B}[\(more)A"
    return "\u{1B}[?7l" + room + lines[0] + "\u{1B}7" + rest + "\u{1B}8\u{1B}[?7h"
  }
}

/// The keys of a terminal: line by line, or each by itself.
final class Keyboard: Sendable {
  /// What was typed behind the last line.
  private let rest = Mutex<[UInt8]>([])
  private let mode = KeyMode()

  /// Waits for a line; `nil` at the end of the input.
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

  /// Waits for keys, without their echo; returns what they send, `nil` at the end of the input.
  func keys() -> [UInt8]? {
    mode.takeKeysSingly()
    let typed = rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
    return typed.isEmpty ? next() : typed
  }

  /// Sets the terminal as it was.
  func restore() {
    mode.restore()
  }

  private func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }
}
