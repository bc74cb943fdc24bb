import Foundation
import SampleTerminal
import Synchronization

/// What is shown, line by line, with a panel beneath that is replaced again and again.
final class Screen: Sendable {
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
  fileprivate struct Contents {
    var rest: [UInt8] = []
    /// How the terminal was set before it gave each key by itself.
    var before: termios?
  }

  private let contents = Mutex(Contents())

  /// Waits for a line; `nil` at the end of the input.
  func line() -> String? {
    while true {
      let line = contents.withLock { contents -> [UInt8]? in
        guard let end = contents.rest.firstIndex(of: 0x0A) else { return nil }
        defer { contents.rest.removeFirst(end + 1) }
        return Array(contents.rest[..<end])
      }
      if let line { return String(decoding: line, as: UTF8.self) }
      guard let bytes = next() else { return nil }
      contents.withLock { $0.rest += bytes }
    }
  }

  /// Waits for keys, without their echo; returns what they send, `nil` at the end of the input.
  func keys() -> [UInt8]? {
    let typed = contents.withLock { contents in
      defer { contents.rest = [] }
      contents.takeKeysSingly()
      return contents.rest
    }
    return typed.isEmpty ? next() : typed
  }

  /// Sets the terminal as it was.
  func restore() {
    contents.withLock { contents in
      if var before = contents.before.take() { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
    }
  }

  private func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }
}

extension Keyboard.Contents {
  /// Gives each key to the program: without waiting for a line, without echo, and without signals.
  fileprivate mutating func takeKeysSingly() {
    guard before == nil else { return }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }
}
