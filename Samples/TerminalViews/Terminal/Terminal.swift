import Foundation
import SampleTerminal
import Synchronization

/// The terminal that the program runs in, whose whole screen it draws.
package final class Terminal: Sendable {
  /// How a screen for programs is taken, and given back: without wrapped lines, and with the cursor seen.
  private static let taking = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l"
  private static let giving = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let isTaken = Mutex(false)
  private let keys = KeyMode()

  package init() {}

  /// Whether somebody sits there, and the terminal can do what is needed to draw.
  package static var canDraw: Bool {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !["", "dumb", "unknown"].contains(kind)
  }

  /// How large it is; 80 x 24 if it does not know.
  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Takes the screen and the keys; does nothing while they are taken.
  ///
  /// After the program was stopped from outside, others may have used the terminal: ``retake()``.
  package func take() {
    isTaken.withLock { isTaken in
      guard !isTaken else { return }
      isTaken = true
      keys.takeKeysSingly()
      StandardOutput.write(Terminal.taking)
    }
  }

  /// Takes the screen and the keys again, whatever has become of them.
  package func retake() {
    giveBack()
    take()
  }

  /// Gives back the screen as it was before, and the keys.
  package func giveBack() {
    isTaken.withLock { isTaken in
      guard isTaken else { return }
      isTaken = false
      // The keys first: writing may fail, and ends the program then.
      keys.restore()
      StandardOutput.write(Terminal.giving)
    }
  }

  /// Writes on the screen, if it is taken.
  package func write(_ text: String) {
    isTaken.withLock { isTaken in
      if isTaken { StandardOutput.write(text) }
    }
  }

  /// Gives the terminal back and stops the program until the user continues it, as Ctrl-Z does by itself.
  ///
  /// Does nothing where nobody could continue it, as in a window without a shell.
  package func suspend() {
    let shell = getppid()
    guard getsid(shell) == getsid(0), getpgid(shell) != getpgrp() else { return }
    giveBack()
    kill(0, SIGTSTP)
  }

  /// Reads keys on a thread of its own, and says so when there are no more.
  ///
  /// - Parameters:
  ///   - press: Told of each key.
  ///   - end: Told that the terminal is gone.
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

  /// For how many milliseconds an Esc may be the beginning of another key's name.
  private static let patience: Int32 = 40
}
