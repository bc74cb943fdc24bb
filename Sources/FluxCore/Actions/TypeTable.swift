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
  func find(_ key: UInt) -> Int {
    keys.withUnsafeBufferPointer { keys in
      let mask = keys.count &- 1
      // The upper half of the product depends on all bits of the address.
      var index = Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
      while true {
        let found = keys[index]
        if found == key || found == 0 { return index }
        index = (index &+ 1) & mask
      }
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
    if 2 * (count + 1) > keys.count { grow() }
    let place = find(key)
    keys[place] = key
    values[place] = value
    count += 1
  }

  /// Doubles the room.
  @inlinable
  mutating func grow() {
    let old = (keys: keys, values: values)
    keys = Array(repeating: 0, count: 2 * old.keys.count)
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
