/// A type of action, for telling whether an action is of exactly that type.
///
/// `type(of:)` calls into the run-time, since an object may be of a subclass of the type as which it was put into the
/// existential. With values that cannot be, and the existential says it itself.
@usableFromInline
package struct ActionType: Sendable {
  @usableFromInline let identity: UInt
  @usableFromInline let isClass: Bool

  @inlinable
  package init(_ type: any Any.Type) {
    identity = UInt(bitPattern: ObjectIdentifier(type))
    isClass = type is AnyObject.Type
  }

  /// Whether an action is of exactly this type.
  @inlinable @inline(__always)
  package func matches(_ action: any Action) -> Bool {
    (isClass ? UInt(bitPattern: ObjectIdentifier(type(of: action))) : erasedType(of: action)) == identity
  }

  /// A function that sends actions of this type one way, and all others another.
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

/// A function in a box, so that the way of actions that do not take it does not load it.
final class BoxedDispatch: Sendable {
  let function: DispatchFunction

  init(_ function: @escaping DispatchFunction) {
    self.function = function
  }
}

extension Action {
  /// The action as the type that it has been found to be.
  ///
  /// Whoever asks has compared the types, so what stands here is a load, not a cast.
  @inlinable @inline(__always)
  package func knownToBe<Known>(_ type: Known.Type) -> Known {
    withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: Known.self).pointee }
  }
}

/// The type as which an action was put into its existential: its own, unless it is an object.
///
/// Read where Swift keeps it, behind the three words of the value. To open the existential and ask for `Self` gives the
/// same, but first looks where the value is, which takes longer than all the rest.
@inlinable @inline(__always)
func erasedType(of action: any Action) -> UInt {
  withUnsafePointer(to: action) {
    UnsafeRawPointer($0).load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self)
  }
}
