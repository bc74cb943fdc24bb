import Foundation
import Synchronization

/// Whether the terminal gives the program each key by itself, or line by line.
package final class KeyMode: Sendable {
  /// How the terminal was set before; `nil` while it is as it was found.
  private let before = Mutex<termios?>(nil)

  package init() {}

  /// Has each key given to the program: without waiting for a line, without echo, and without signals.
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

  /// Sets the terminal as it was.
  package func restore() {
    before.withLock { before in
      if var settings = before.take() { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }
  }
}
