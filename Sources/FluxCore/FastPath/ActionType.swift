/// The identity of an action type, for comparison with the dynamic type of an action.
///
/// The `type(of:)` function calls into the runtime, because the existential of an object can
/// contain a superclass of the object's class. For a value that is not an object, the existential
/// contains the exact type.
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

  /// Returns a function that sends actions of this type to one function, and all other actions
  /// to another function.
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

/// A box for the function that handles matching actions, so that the code for all other actions
/// does not load the function.
final class BoxedDispatch: Sendable {
  let function: DispatchFunction

  init(_ function: @escaping DispatchFunction) {
    self.function = function
  }
}

extension Action {
  /// Returns the action cast to a type that the caller has already verified to be the action's
  /// own type.
  ///
  /// Because the caller has verified the type, the conversion requires only a memory load
  /// instead of a dynamic cast.
  @inlinable @inline(__always)
  package func knownToBe<Known>(_ type: Known.Type) -> Known {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee }
  }
}

/// Returns the type that the existential of an action contains.
///
/// The returned type is the exact type of the action, unless the action is an object.
///
/// The function reads the type directly from memory, where it follows the three words of the
/// value. A generic function that opens the existential and uses `Self` would return the same
/// type. However, a generic function must first locate the value, and this step takes longer than
/// all other steps together.
@inlinable @inline(__always)
func erasedType(of action: any Action) -> UInt {
  withUnsafePointer(to: action) {
    UnsafeRawPointer($0).load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self)
  }
}
