/// A value that is stored behind a single reference, with copy-on-write semantics.
///
/// Copying a `CopyOnWrite` value costs one retain. If the stored value is shared, a change first
/// copies the stored value. The storage is an array with one element, because an array has
/// copy-on-write semantics, and is `Sendable` without an unchecked conformance.
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

  /// Calls a closure with the value, which is not copied.
  ///
  /// In generic code that is not specialized, a read of ``value`` copies the value.
  @inlinable @inline(__always)
  package func withValue<Result>(_ body: (borrowing Value) -> Result) -> Result {
    box.withUnsafeBufferPointer { body($0[0]) }
  }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
