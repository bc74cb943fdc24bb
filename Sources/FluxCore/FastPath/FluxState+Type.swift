extension FluxState {
  /// Calls a closure with the state if the state is of a type.
  ///
  /// The call compares the types. A cast is necessary only for another type, such as a superclass
  /// of the type of the state.
  @inlinable @inline(__always)
  package func ifOfType<Known>(_ type: Known.Type, _ body: (Known) -> Void) {
    guard Self.self == Known.self else {
      if let known = self as? Known { body(known) }
      return
    }
    withUnsafePointer(to: self) { body(UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee) }
  }
}
