/// Values by type of action, for look-up on the way of every action.
///
/// A hash table with open addressing. The address of a type is all there is to hash, which takes a multiplication;
/// `Dictionary`, which has to withstand keys that an enemy chose, takes some 300 instructions for a look-up.
@usableFromInline
package struct TypeTable<Value: Sendable>: Sendable {
  /// The addresses of the types, 0 where there is none: a power of two of them, at least one of which is 0.
  @usableFromInline var keys: [UInt]
  /// The values, each where its type is.
  @usableFromInline var values: [Value?]
  @usableFromInline var count = 0
  /// Whether one of the types is a class.
  @usableFromInline var hasClasses = false

  @inlinable
  package init() {
    keys = [0]
    values = [nil]
  }

  /// The value for the exact type of an action.
  @inlinable
  package subscript(action: any Action) -> Value? {
    @inline(__always) get { values[find(key(of: action))] }
  }

  /// Whether there is a value for the exact type of an action.
  @inlinable @inline(__always)
  package func contains(_ action: any Action) -> Bool { keys[find(key(of: action))] != 0 }

  /// Whether there is a value for a type.
  @inlinable
  package func contains(_ type: any Any.Type) -> Bool {
    keys[find(UInt(bitPattern: ObjectIdentifier(type)))] != 0
  }

  @inlinable @inline(__always)
  func key(of action: any Action) -> UInt {
    hasClasses ? UInt(bitPattern: ObjectIdentifier(type(of: action))) : erasedType(of: action)
  }

  /// Where a type is, or where it would have to go.
  @inlinable @inline(__always)
  func find(_ key: UInt) -> Int { findKey(key, in: keys) }

  /// A function that sends the actions of these types one way, and all others another.
  package func branch(
    to handle: @escaping DispatchFunction, otherwise next: @escaping DispatchFunction
  ) -> DispatchFunction {
    guard hasClasses else { return FluxCore.branch(on: keys, to: handle, otherwise: next) }
    return { action in
      if contains(action) { handle(action) } else { next(action) }
    }
  }

  /// Adds a value, or makes one of that which is there and the new one.
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

  /// Doubles the room.
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

  /// The table with other values.
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

/// Where to look for a type first, to be cut to the size of the table.
///
/// The upper half of the product depends on all bits of the address.
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

/// Not in the generic table, so that the function carries no more than it needs.
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

/// A table in which each key stands where it is looked for first, so that nobody has to look twice.
///
/// - Returns: The table, or `nil` if it would have to be very large.
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
