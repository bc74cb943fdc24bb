/// Whether values are alike, as far as that can be told without looking into them.
///
/// Alike are values that are equal by their own `==`, numbers that are not a number, and an object and itself.
struct Likeness<Value> {
  /// The `==` of the type; `nil` when it has none, and each value is asked for its own.
  private let isEqual: ((Value, Value) -> Bool)?
  /// The first position in a range at which two rows are not equal, by the `==` of the type.
  private let firstUnequal: ((Row, Row, Range<Int>) -> Int?)?

  typealias Row = UnsafeBufferPointer<Value>

  init() {
    func own<Known: Equatable>(_: Known.Type) -> ((Value, Value) -> Bool)? {
      let isEqual: (Known, Known) -> Bool = { $0 == $1 }
      return isEqual as Any as? (Value, Value) -> Bool
    }
    func first<Known: Equatable>(_: Known.Type) -> ((Row, Row, Range<Int>) -> Int?)? {
      // All of a row in one call, since each call of a function of this kind takes longer than most comparisons.
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

  /// The first position in a range at which the elements of two rows are not alike; `nil` if all are.
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

  /// Whether two values are equal by an `==` of their own.
  func areEqual(_ old: Any, _ new: Any) -> Bool {
    func isEqual<Known: Equatable>(_ old: Known) -> Bool { new as? Known == old }
    return (old as? any Equatable).map { isEqual($0) } ?? false
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
