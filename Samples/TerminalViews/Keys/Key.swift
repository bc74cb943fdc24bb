/// A key that the user pressed.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter that was pressed with Ctrl, in lowercase.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}
