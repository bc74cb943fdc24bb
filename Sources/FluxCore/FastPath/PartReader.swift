/// A path from a state to a part of the state, along which the part is read in place.
///
/// A ``Substate`` is the counterpart for changing the part. Neither the state nor the part is
/// copied, unless the part is computed.
@usableFromInline
package struct PartReader<Whole, Part>: Sendable {
  @usableFromInline typealias Read =
    @Sendable (_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) -> Void

  /// A closure that calls another closure with the part.
  @usableFromInline let read: Read

  @inlinable
  init(_ read: @escaping Read) {
    self.read = read
  }

  /// Creates a path from a closure that returns the part.
  @inlinable
  package init(computing part: @escaping @Sendable (Whole) -> Part) {
    self.init { whole, body in withUnsafePointer(to: part(whole.pointee), body) }
  }

  /// Creates a path from a key path.
  ///
  /// A part that is stored in the whole is read from memory, which takes a tenth of the time of a
  /// key path.
  @inlinable
  package init(_ path: any KeyPath<Whole, Part> & Sendable) {
    if let offset = MemoryLayout<Whole>.offset(of: path) {
      self.init { whole, body in
        body((UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self))
      }
    } else {
      self.init(computing: { $0[keyPath: path] })
    }
  }

  /// Calls a closure with the part of a state, or does nothing if the state is of another type.
  ///
  /// The pointer is valid until the closure returns.
  @inlinable @inline(__always)
  package func callAsFunction(_ state: any FluxState, _ body: (UnsafePointer<Part>) -> Void) {
    state.withPointer(to: Whole.self) { read($0, body) }
  }

  /// Calls a closure with the part of a value.
  ///
  /// The pointer is valid until the closure returns.
  @inlinable @inline(__always)
  package func callAsFunction(reading whole: Whole, _ body: (UnsafePointer<Part>) -> Void) {
    withUnsafePointer(to: whole) { read($0, body) }
  }
}

extension FluxState {
  /// Calls a closure with a pointer to the state if the state is of a type.
  ///
  /// The call compares the types. A cast is necessary only for another type, such as a superclass
  /// of the type of the state.
  @inlinable @inline(__always)
  func withPointer<Known>(to type: Known.Type, _ body: (UnsafePointer<Known>) -> Void) {
    if Self.self == Known.self {
      withUnsafePointer(to: self) { body(UnsafeRawPointer($0).assumingMemoryBound(to: Known.self)) }
    } else if let known = self as? Known {
      withUnsafePointer(to: known, body)
    }
  }
}
