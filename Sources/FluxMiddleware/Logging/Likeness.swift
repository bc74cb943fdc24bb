import FluxCore

/// A comparison that determines whether two values are alike, without examining their parts.
///
/// Two values are alike if their own `==` returns `true`, if both are NaN, or if both are the
/// same object.
struct Likeness<Value> {
  /// The `==` operator of the type, or `nil` if the type has no such operator.
  ///
  /// If the value is `nil`, the `==` operators of the dynamic types are used.
  private let isEqual: ((Value, Value) -> Bool)?
  /// A function that returns the first position in a range at which the elements of two buffers
  /// are not equal, or `nil` if the type has no `==` operator.
  private let firstUnequal: ((Row, Row, Range<Int>) -> Int?)?

  typealias Row = UnsafeBufferPointer<Value>

  init() {
    func own<Known: Equatable>(_: Known.Type) -> ((Value, Value) -> Bool)? {
      let isEqual: (Known, Known) -> Bool = { $0 == $1 }
      return isEqual as Any as? (Value, Value) -> Bool
    }
    func first<Known: Equatable>(_: Known.Type) -> ((Row, Row, Range<Int>) -> Int?)? {
      // One call compares all elements of two buffers, because a function call for each element
      // would take more time than most comparisons.
      let firstUnequal: (UnsafeBufferPointer<Known>, UnsafeBufferPointer<Known>, Range<Int>) -> Int? = {
        old, new, range in
        var position = range.lowerBound
        while position < range.upperBound {
          if old[position] != new[position] { return position }
          position += 1
        }
        return nil
      }
      return firstUnequal as Any as? (Row, Row, Range<Int>) -> Int?
    }
    let type = Value.self as? any Equatable.Type
    isEqual = type.flatMap { own($0) }
    firstUnequal = type.flatMap { first($0) }
  }

  /// Returns the first position in a range at which two elements are not alike, or `nil` if all
  /// elements are alike.
  func firstUnlike(_ old: Row, _ new: Row, in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      if let firstUnequal {
        guard let unequal = firstUnequal(old, new, position..<range.upperBound) else { return nil }
        position = unequal
      } else if areEqual(old[position], new[position]) {
        position += 1
        continue
      }
      if !areAlikeThoughUnequal(old[position], new[position]) { return position }
      position += 1
    }
    return nil
  }

  func callAsFunction(_ old: Value, _ new: Value) -> Bool {
    isEqual?(old, new) ?? areEqual(old, new) || areAlikeThoughUnequal(old, new)
  }

  /// Returns whether two values are equal according to the `==` operator of their dynamic type.
  func areEqual(_ old: Any, _ new: Any) -> Bool {
    areDynamicallyEqual(old, new) ?? false
  }

  private func areAlikeThoughUnequal(_ old: Value, _ new: Value) -> Bool {
    isSame(old, new) || isNaN(old) && isNaN(new)
  }

  private func isSame(_ old: Any, _ new: Any) -> Bool {
    type(of: old) is AnyClass && type(of: new) is AnyClass && old as AnyObject === new as AnyObject
  }

  private func isNaN(_ value: Any) -> Bool {
    (value as? any FloatingPoint)?.isNaN ?? false
  }
}
