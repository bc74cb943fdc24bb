import Foundation
import SampleTerminal
import Synchronization

/// The terminal of the program, which draws the whole screen.
package final class Terminal: Sendable {
  /// The sequences that begin and end the use of the alternate screen.
  ///
  /// The second sequence also restores line wrapping and the cursor.
  private static let taking = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l"
  private static let giving = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let isTaken = Mutex(false)
  private let keys = KeyMode()

  package init() {}

  /// A Boolean value that indicates whether the program runs in a terminal that can draw.
  package static var canDraw: Bool {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !["", "dumb", "unknown"].contains(kind)
  }

  /// The size of the terminal; 80 x 24 if it is unknown.
  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Takes control of the screen and the keys; does nothing if the program already has control.
  ///
  /// If the program was stopped and continued, other programs might have used the terminal:
  /// call ``retake()`` instead.
  package func take() {
    isTaken.withLock { isTaken in
      guard !isTaken else { return }
      isTaken = true
      keys.takeKeysSingly()
      StandardOutput.write(Terminal.taking)
    }
  }

  /// Takes control of the screen and the keys again, whatever their current settings are.
  package func retake() {
    giveBack()
    take()
  }

  /// Restores the previous screen and the settings of the keys.
  package func giveBack() {
    isTaken.withLock { isTaken in
      guard isTaken else { return }
      isTaken = false
      // The settings of the keys are restored first, because a failed write ends the program.
      keys.restore()
      StandardOutput.write(Terminal.giving)
    }
  }

  /// Writes on the screen, if the program has control of it.
  package func write(_ text: String) {
    isTaken.withLock { isTaken in
      if isTaken { StandardOutput.write(text) }
    }
  }

  /// Restores the terminal and stops the program until the user continues it, like the default
  /// action of Ctrl-Z.
  ///
  /// The method does nothing if no shell could continue the program, for example if a terminal
  /// window runs the program directly.
  package func suspend() {
    let shell = getppid()
    guard getsid(shell) == getsid(0), getpgid(shell) != getpgrp() else { return }
    giveBack()
    kill(0, SIGTSTP)
  }

  /// Reads keys on a separate thread, until the input ends.
  ///
  /// - Parameters:
  ///   - press: Called with each key.
  ///   - end: Called when the terminal is closed.
  package func readKeys(
    press: @escaping @Sendable (Key) -> Void, end: @escaping @Sendable () -> Void
  ) {
    let thread = Thread {
      var decoder = KeyDecoder()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&input, 1, decoder.isWaiting ? Terminal.patience : -1)
        if ready == 0 {
          decoder.flush().forEach(press)
          continue
        }
        let count = ready > 0 ? read(STDIN_FILENO, &buffer, buffer.count) : -1
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return end() }
        decoder.feed(buffer.prefix(count)).forEach(press)
      }
    }
    thread.name = "keys"
    thread.start()
  }

  /// The number of milliseconds during which an Esc can be the beginning of another key's escape
  /// sequence.
  private static let patience: Int32 = 40
}
