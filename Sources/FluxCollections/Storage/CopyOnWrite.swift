/// A value behind one reference: copying it is one retain, changing a shared one copies what it holds.
///
/// An array of one is such a box already, and safe to send without any promise of our own.
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
