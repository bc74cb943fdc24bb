/// Whether values are alike, as far as that can be told without looking into them.
///
/// Alike are values that are equal by their own `==`, numbers that are not a number, and an object and itself.
struct Likeness<Value> {
  /// The `==` of the type; `nil` when it has none, and each value is asked for its own.
  private let isEqual: ((Value, Value) -> Bool)?

  init() {
    func own<Known: Equatable>(_: Known.Type) -> ((Value, Value) -> Bool)? {
      let isEqual: (Known, Known) -> Bool = { $0 == $1 }
      return isEqual as Any as? (Value, Value) -> Bool
    }
    isEqual = (Value.self as? any Equatable.Type).flatMap { own($0) }
  }

  func callAsFunction(_ old: Value, _ new: Value) -> Bool {
    isEqual?(old, new) ?? areEqual(old, new) || isSame(old, new) || isNaN(old) && isNaN(new)
  }

  /// Whether two values are equal by an `==` of their own.
  func areEqual(_ old: Any, _ new: Any) -> Bool {
    func isEqual<Known: Equatable>(_ old: Known) -> Bool { new as? Known == old }
    return (old as? any Equatable).map { isEqual($0) } ?? false
  }

  private func isSame(_ old: Any, _ new: Any) -> Bool {
    type(of: old) is AnyClass && type(of: new) is AnyClass && old as AnyObject === new as AnyObject
  }

  private func isNaN(_ value: Any) -> Bool {
    (value as? any FloatingPoint)?.isNaN ?? false
  }
}
