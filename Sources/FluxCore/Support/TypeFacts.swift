/// The facts about a type that determine how its values are compared and described.
///
/// A cast to a protocol searches the conformances of a type, and a `Mirror` searches its stored
/// properties. Both take thousands of instructions for each value. The facts are therefore
/// determined once for each type.
///
/// A conformance that is isolated to an actor does not count, because values are compared and
/// described on any thread.
package final class TypeFacts: Sendable {
  /// The parts that a mirror shows of each value of a type.
  package enum Parts: Sendable {
    /// The stored properties of a structure, or no properties for a number or a string.
    case fields([StoredField])
    /// The payload of an enumeration case.
    case payload
    /// Parts that differ from value to value, so that only a mirror finds them.
    case mirrored
  }

  package let type: any Any.Type
  /// The name of the type without its module.
  package let name: String
  /// A Boolean value that indicates whether a cast of a value depends only on the type.
  ///
  /// The value is `false` for classes, whose objects can be of a subclass. The value is also
  /// `false` for optionals, existential types, and `AnyHashable`, because a cast also unwraps
  /// their values. The other facts about such a type do not apply to its values.
  package let isExact: Bool
  /// The parts that a mirror shows of each value.
  package let parts: Parts

  package let equatable: (any (Equatable & SendableMetatype).Type)?
  package let isFloatingPoint: Bool
  package let changeTracking: (any (ChangeTracking & SendableMetatype).Type)?
  package let describable: (any (CustomStringConvertible & SendableMetatype).Type)?
  let debugDescribable: (any (CustomDebugStringConvertible & SendableMetatype).Type)?
  let isStreamable: Bool
  let isStandardContainer: Bool

  package var isString: Bool { type == String.self }

  private init(_ type: any Any.Type) {
    self.type = type
    name = "\(type)"
    let kind = kind(of: type)
    isExact = (kind == Kind.structure || kind == Kind.enumeration) && type != AnyHashable.self
    parts = Parts(of: type, kind)
    equatable = type as? any (Equatable & SendableMetatype).Type
    isFloatingPoint = type is any FloatingPoint.Type
    changeTracking = type as? any (ChangeTracking & SendableMetatype).Type
    describable = type as? any (CustomStringConvertible & SendableMetatype).Type
    debugDescribable = type as? any (CustomDebugStringConvertible & SendableMetatype).Type
    isStreamable = type is any TextOutputStreamable.Type
    isStandardContainer = type is any StandardContainer.Type
  }

  /// Returns whether two values of the type are equal, or `nil` if the type is not `Equatable`.
  func areEqual(at old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool? {
    func areEqual<Known: Equatable>(_: Known.Type) -> Bool {
      old.assumingMemoryBound(to: Known.self).pointee == new.assumingMemoryBound(to: Known.self).pointee
    }
    return equatable.map { areEqual($0) }
  }

  /// Returns whether two values of the type are equal, or `nil` if the type is not `Equatable`.
  package func areEqual(_ old: Any, _ new: Any) -> Bool? {
    withBytes(of: old) { old in withBytes(of: new) { new in areEqual(at: old, new) } }
  }

  /// Returns whether two values are equal, or `nil` if the type is not `Equatable`.
  ///
  /// - Precondition: `Value` is the type that the facts are about.
  package func areEqual<Value>(unboxed old: Value, _ new: Value) -> Bool? {
    withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { new in areEqual(at: old, new) } }
  }

  /// Returns the value's own description, which takes precedence over its parts.
  package func ownDescription(of value: Any) -> String? {
    func description<Known: CustomStringConvertible>(_: Known.Type) -> String {
      withBytes(of: value) { $0.assumingMemoryBound(to: Known.self).pointee.description }
    }
    return describable.map { description($0) }
  }

  func ownDebugDescription(of value: Any) -> String? {
    func description<Known: CustomDebugStringConvertible>(_: Known.Type) -> String {
      withBytes(of: value) { $0.assumingMemoryBound(to: Known.self).pointee.debugDescription }
    }
    return debugDescribable.map { description($0) }
  }
}

// MARK: - Cache

extension TypeFacts {
  /// The maximum number of types whose facts are kept, because a program can create generic
  /// types without limit.
  private static let most = 4_096

  private static let known = Locked(TypeTable<TypeFacts>())

  /// Returns the facts about a type.
  ///
  /// If two threads ask for a new type at the same time, both receive the same object.
  package static func of(_ type: any Any.Type) -> TypeFacts {
    if let facts = known.withLock({ $0[type: type] }) { return facts }
    let facts = TypeFacts(type)
    return known.withLock { known in
      if let first = known[type: type] { return first }
      if known.count >= most { known = TypeTable() }
      known.insert(facts, for: type) { old, _ in old }
      return facts
    }
  }

  /// Returns the facts about the type of a value, which for an object in a variable of its
  /// superclass can be the superclass.
  package static func ofValue(_ value: Any) -> TypeFacts {
    func open<Value>(_: Value) -> TypeFacts { of(Value.self) }
    return _openExistential(value, do: open)
  }

  /// Returns the facts about the type of both values, or `nil` if their types differ or are not
  /// exact.
  package static func ofBoth(_ old: Any, _ new: Any) -> TypeFacts? {
    func open<Value>(_: Value) -> any Any.Type { Value.self }
    let type = _openExistential(old, do: open)
    guard _openExistential(new, do: open) == type else { return nil }
    let facts = of(type)
    return facts.isExact ? facts : nil
  }
}

extension TypeFacts.Parts {
  fileprivate init(of type: any Any.Type, _ kind: UInt) {
    if Self.isScalar(type) {
      self = .fields([])
    } else if type is any CustomReflectable.Type {
      self = .mirrored
    } else if kind == Kind.structure {
      self = StoredField.all(of: type).map(Self.fields) ?? .mirrored
    } else {
      self = kind == Kind.enumeration ? .payload : .mirrored
    }
  }

  /// Returns whether a type is a Boolean, numeric, string, or character type of the standard
  /// library.
  ///
  /// These types have custom mirrors, which are always empty.
  private static func isScalar(_ type: any Any.Type) -> Bool {
    let scalars: [any Any.Type] = [
      Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
      UInt32.self, UInt64.self, Float.self, Double.self, String.self, Substring.self, Character.self,
    ]
    return scalars.contains { $0 == type }
  }
}

// MARK: - Kinds of metadata

private enum Kind {
  static let structure: UInt = 0x200
  static let enumeration: UInt = 0x201
}

/// Returns the kind of a type's metadata, which the binary interface of Swift defines.
@_silgen_name("swift_getMetadataKind")
private func kind(of type: any Any.Type) -> UInt
