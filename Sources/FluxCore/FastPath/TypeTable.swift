/// A table that maps action types to values, for the lookup that every action requires.
///
/// The table uses open addressing. Only the address of a type is hashed, which takes one
/// multiplication. A lookup in `Dictionary`, which is protected against malicious keys, takes
/// about 300 instructions.
@usableFromInline
package struct TypeTable<Value: Sendable>: Sendable {
  /// The addresses of the types, with 0 for each unused index.
  ///
  /// The count is a power of two, and at least one index is unused.
  @usableFromInline var keys: [UInt]
  /// The values, each at the index of its type.
  @usableFromInline var values: [Value?]
  @usableFromInline var count = 0
  /// A Boolean value that indicates whether one of the types is a class.
  @usableFromInline var hasClasses = false

  @inlinable
  package init() {
    keys = [0]
    values = [nil]
  }

  /// A Boolean value that indicates whether the table has no values.
  package var isEmpty: Bool { count == 0 }

  /// The value for the exact type of an action.
  @inlinable
  package subscript(action: any Action) -> Value? {
    @inline(__always) get { values[find(key(of: action))] }
  }

  /// The value for a type.
  package subscript(type type: any Any.Type) -> Value? {
    values[find(UInt(bitPattern: ObjectIdentifier(type)))]
  }

  /// Returns a Boolean value that indicates whether there is a value for the exact type of an
  /// action.
  @inlinable @inline(__always)
  package func contains(_ action: any Action) -> Bool { keys[find(key(of: action))] != 0 }

  /// Returns a Boolean value that indicates whether there is a value for a type.
  @inlinable
  package func contains(_ type: any Any.Type) -> Bool {
    keys[find(UInt(bitPattern: ObjectIdentifier(type)))] != 0
  }

  @inlinable @inline(__always)
  func key(of action: any Action) -> UInt {
    hasClasses ? UInt(bitPattern: ObjectIdentifier(type(of: action))) : erasedType(of: action)
  }

  /// Returns the index of a type, or the index at which the type would be inserted.
  @inlinable @inline(__always)
  func find(_ key: UInt) -> Int { findKey(key, in: keys) }

  /// Returns a function that sends actions of these types to one function, and all other
  /// actions to another function.
  package func branch(
    to handle: @escaping DispatchFunction, otherwise next: @escaping DispatchFunction
  ) -> DispatchFunction {
    guard hasClasses else { return FluxCore.branch(on: keys, to: handle, otherwise: next) }
    return { action in
      if contains(action) { handle(action) } else { next(action) }
    }
  }

  /// Inserts a value, or combines the value with the existing value of its type.
  @inlinable
  package mutating func insert(
    _ value: Value, for type: any Any.Type, uniquingWith combine: (Value, Value) -> Value
  ) {
    hasClasses = hasClasses || type is AnyObject.Type
    insert(value, forKey: UInt(bitPattern: ObjectIdentifier(type)), uniquingWith: combine)
  }

  @inlinable
  mutating func insert(_ value: Value, forKey key: UInt, uniquingWith combine: (Value, Value) -> Value) {
    let index = find(key)
    if let old = values[index] {
      values[index] = combine(old, value)
      return
    }
    if 4 * (count + 1) > keys.count { grow() }
    let place = find(key)
    keys[place] = key
    values[place] = value
    count += 1
  }

  /// Doubles the capacity.
  @inlinable
  mutating func grow() {
    let old = (keys: keys, values: values)
    keys = Array(repeating: 0, count: max(4, 2 * old.keys.count))
    values = Array(repeating: nil, count: keys.count)
    for (key, value) in zip(old.keys, old.values) where key != 0 {
      let place = find(key)
      keys[place] = key
      values[place] = value
    }
  }

  /// Adds the values of another table.
  @inlinable
  package mutating func merge(_ other: TypeTable, uniquingWith combine: (Value, Value) -> Value) {
    hasClasses = hasClasses || other.hasClasses
    for (key, value) in zip(other.keys, other.values) {
      if let value { insert(value, forKey: key, uniquingWith: combine) }
    }
  }

  /// Returns a table with the same types and transformed values.
  @inlinable
  package func mapValues<Other>(_ transform: (Value) -> Other) -> TypeTable<Other> {
    var result = TypeTable<Other>()
    result.keys = keys
    result.values = values.map { $0.map(transform) }
    result.count = count
    result.hasClasses = hasClasses
    return result
  }
}

/// Returns a number from which the caller computes the preferred index of a type in a table.
///
/// The number is the upper half of a product, because this half depends on all bits of the
/// address.
@inlinable @inline(__always)
func firstPlace(of key: UInt) -> Int {
  Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
}

@inlinable @inline(__always)
func findKey(_ key: UInt, in keys: [UInt]) -> Int {
  keys.withUnsafeBufferPointer { keys in
    let mask = keys.count &- 1
    var index = firstPlace(of: key) & mask
    while true {
      let found = keys[index]
      if found == key || found == 0 { return index }
      index = (index &+ 1) & mask
    }
  }
}

/// Returns a function that sends actions of the given types to one function, and all other
/// actions to another function.
///
/// This function is not a method of the generic table, so that the returned closure captures
/// only the values that it needs.
private func branch(
  on keys: [UInt], to handle: @escaping DispatchFunction, otherwise next: @escaping DispatchFunction
) -> DispatchFunction {
  let handler = BoxedDispatch(handle)
  guard let places = uncontested(keys.filter { $0 != 0 }) else {
    return { action in
      if keys[findKey(erasedType(of: action), in: keys)] == 0 {
        next(action)
      } else {
        handler.function(action)
      }
    }
  }
  return { action in
    let key = erasedType(of: action)
    let found = places.withUnsafeBufferPointer { $0[firstPlace(of: key) & ($0.count &- 1)] }
    if found != key { next(action) } else { handler.function(action) }
  }
}

/// Returns a table with each key at its preferred index, so that a lookup takes only one
/// comparison.
///
/// - Returns: The table, or `nil` if it would need more than 4,096 entries.
private func uncontested(_ keys: [UInt]) -> [UInt]? {
  var size = 4
  while size <= 4_096 {
    var table = [UInt](repeating: 0, count: size)
    for key in keys { table[firstPlace(of: key) & (size - 1)] = key }
    if keys.allSatisfy({ table[firstPlace(of: $0) & (size - 1)] == $0 }) { return table }
    size *= 2
  }
  return nil
}
