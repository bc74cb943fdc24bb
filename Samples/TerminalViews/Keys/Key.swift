/// A key that the user pressed.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter pressed with Ctrl, as a small one.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}
