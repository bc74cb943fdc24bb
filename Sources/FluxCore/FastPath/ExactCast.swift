// Casts that compare two addresses, where the value is almost always of the given type. A dynamic
// cast takes about 400 instructions.

/// Returns a value as a type if the value is exactly of that type, or if it can be cast to the
/// type.
@inlinable @inline(__always)
package func cast<Known>(_ value: any Sendable, to type: Known.Type) -> Known? {
  guard Swift.type(of: value) == Known.self else { return value as? Known }
  return exactly(value, Known.self)
}

/// Returns a value as a type that the caller has already verified to be the type of the value.
@inlinable @inline(__always)
package func exactly<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
  assert(Value.self == Known.self)
  return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee }
}
