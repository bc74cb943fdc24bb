/// A value behind one reference, with copy-on-write.
///
/// A copy costs one retain. A change of a shared value copies the value first. An array with one
/// element has this behavior, and is `Sendable` without unchecked conformances.
@frozen @usableFromInline
package struct CopyOnWrite<Value> {
  @usableFromInline var box: ContiguousArray<Value>

  @inlinable
  package init(_ value: Value) {
    box = [value]
  }

  @inlinable @inline(__always)
  package var value: Value {
    _read { yield box[0] }
    _modify { yield &box[0] }
  }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
