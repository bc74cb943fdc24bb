/// The navigation that waits for the decision of a guard, without a lock.
///
/// A navigation is the newest one from its arrival until another navigation arrives. Only the
/// newest navigation can wait.
struct PendingNavigation<Scope: AnyObject & Sendable>: Sendable {
  /// The number of a navigation, in the order of arrival.
  typealias Number = UInt64

  private var newest: Number = 0
  private(set) var scope: Scope?

  /// Records that a navigation arrives.
  ///
  /// - Returns: The number of the navigation, and the scope of the pending navigation, which the
  ///   caller ends.
  mutating func arrive() -> (Number, Scope?) {
    newest += 1
    return (newest, scope.take())
  }

  /// Returns a Boolean value that indicates whether no other navigation has arrived.
  func isNewest(_ number: Number) -> Bool { number == newest }

  /// Makes a navigation wait in a scope.
  ///
  /// - Returns: `false` if another navigation has arrived.
  mutating func wait(_ number: Number, in scope: Scope) -> Bool {
    guard number == newest else { return false }
    self.scope = scope
    return true
  }

  /// Records that a navigation does not wait anymore, and returns its scope.
  mutating func finish(_ number: Number) -> Scope? {
    number == newest ? scope.take() : nil
  }
}
