import Foundation
import Synchronization

/// The input mode of the terminal: single keys or whole lines.
package final class KeyMode: Sendable {
  /// The original settings of the terminal; `nil` while they are active.
  private let before = Mutex<termios?>(nil)

  package init() {}

  /// Passes each key to the program immediately: without waiting for a line, without echo, and
  /// without signals.
  package func takeKeysSingly() {
    before.withLock { before in
      var settings = termios()
      guard before == nil, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      before = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      settings.c_iflag &= ~tcflag_t(IXON)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
  }

  /// Restores the original settings.
  package func restore() {
    before.withLock { before in
      if var settings = before.take() { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }
  }
}
