/// A value behind one reference, with copy-on-write.
///
/// A copy costs one retain. A change of a shared value copies the value first. An array with one
/// element has this behavior, and is `Sendable` without unchecked conformances.
@usableFromInline
struct CopyOnWrite<Value> {
  @usableFromInline var box: ContiguousArray<Value>

  @inlinable
  init(_ value: Value) {
    box = [value]
  }

  @inlinable @inline(__always)
  var value: Value {
    _read { yield box[0] }
    _modify { yield &box[0] }
  }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
