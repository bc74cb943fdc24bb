/// Returns whether two values are equal by the `==` operator of the first value's type, or `nil` if
/// that type is not `Equatable`.
package func areDynamicallyEqual(_ first: Any, _ second: Any) -> Bool? {
  (first as? any Equatable)?.isEqual(to: second)
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
