/// A type of action, for an exact comparison with the type of an action.
///
/// The `type(of:)` function calls into the runtime, because the class of an object can be a
/// subclass of its type in the existential. For a value, the existential itself contains the
/// exact type.
@usableFromInline
package struct ActionType: Sendable {
  @usableFromInline let identity: UInt
  @usableFromInline let isClass: Bool

  @inlinable
  package init(_ type: any Any.Type) {
    identity = UInt(bitPattern: ObjectIdentifier(type))
    isClass = type is AnyObject.Type
  }

  /// Returns a Boolean value that indicates whether an action is of exactly this type.
  @inlinable @inline(__always)
  package func matches(_ action: any Action) -> Bool {
    (isClass ? UInt(bitPattern: ObjectIdentifier(type(of: action))) : erasedType(of: action)) == identity
  }

  /// Returns a function that sends actions of this type to one function, and all others to
  /// another one.
  @usableFromInline
  package func branch(
    to handle: @escaping DispatchFunction, otherwise next: @escaping DispatchFunction
  ) -> DispatchFunction {
    let handler = BoxedDispatch(handle)
    let identity = identity
    guard isClass else {
      return { action in
        if erasedType(of: action) != identity { next(action) } else { handler.function(action) }
      }
    }
    return { action in
      if UInt(bitPattern: ObjectIdentifier(type(of: action))) != identity {
        next(action)
      } else {
        handler.function(action)
      }
    }
  }
}

/// A function in a box, so that the path of all other actions does not load it.
final class BoxedDispatch: Sendable {
  let function: DispatchFunction

  init(_ function: @escaping DispatchFunction) {
    self.function = function
  }
}

extension Action {
  /// Returns the action as a type that the caller has compared with the action's own type.
  ///
  /// Because of that comparison, the conversion is a load and not a cast.
  @inlinable @inline(__always)
  package func knownToBe<Known>(_ type: Known.Type) -> Known {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee }
  }
}

/// Returns the type of an action in its existential, which is the exact type unless the action
/// is an object.
///
/// The function reads the type at its place in memory, after the three words of the value. A
/// generic function that opens the existential and uses `Self` returns the same type. However,
/// such a function first locates the value, which takes longer than all the rest.
@inlinable @inline(__always)
func erasedType(of action: any Action) -> UInt {
  withUnsafePointer(to: action) {
    UnsafeRawPointer($0).load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self)
  }
}
