/// Returns whether two values are equal by the `==` operator of the first value's type, or `nil` if
/// that type is not `Equatable`.
package func areDynamicallyEqual(_ first: Any, _ second: Any) -> Bool? {
  (first as? any Equatable)?.isEqual(to: second)
}

/// Returns a Boolean value that indicates whether two errors are equal.
///
/// Errors that are not `Equatable` are equal if they have the same type and the same description.
package func areErrorsEqual(_ first: (any Error)?, _ second: (any Error)?) -> Bool {
  switch (first, second) {
  case (nil, nil): true
  case (let first?, let second?):
    areDynamicallyEqual(first, second)
      ?? (type(of: first) == type(of: second) && "\(first)" == "\(second)")
  case (nil, _), (_, nil): false
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
