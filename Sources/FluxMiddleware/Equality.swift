/// Returns whether two values are equal by the `==` of their type; values that are not
/// `Equatable` are not equal.
func areEqual<Value>(_ first: Value, _ second: Value) -> Bool {
  guard let first = first as? any Equatable else { return false }
  return first.isEqual(to: second)
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    other as? Self == self
  }
}
