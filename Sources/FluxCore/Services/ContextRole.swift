/// The code that uses a context, which is either the work of an action or a plug-in, and the
/// services and the scope of that code.
///
/// The role fits in one word. The context that the store creates for each action therefore costs
/// as much as a context with a Boolean value.
@usableFromInline
struct ContextRole: Sendable {
  /// The number of an entry in the store's ``ContextTable``, times two, plus one if the code is not
  /// part of the work of an action.
  @usableFromInline let rawValue: Int

  @inlinable @inline(__always)
  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The work of an action, with the services of the store.
  @inlinable @inline(__always) static var action: ContextRole { ContextRole(rawValue: 0) }

  /// A Boolean value that indicates whether the code is part of the work of an action.
  var isForActions: Bool { rawValue & 1 == 0 }

  /// The number of the entry in the store's table.
  var number: ContextTable.Number { ContextTable.Number(rawValue: rawValue >> 1) }

  /// A Boolean value that indicates whether the code uses the store's own services and scope.
  var isOfStore: Bool { rawValue >> 1 == 0 }

  /// A role with the same entry, for the work of an action.
  @inlinable @inline(__always) var ofAction: ContextRole { ContextRole(rawValue: rawValue & ~1) }

  /// A role with the same entry, for code that is not part of the work of an action.
  var ofStore: ContextRole { ContextRole(rawValue: rawValue | 1) }

  /// Returns the role of the same code with another entry.
  func with(_ number: ContextTable.Number) -> ContextRole {
    ContextRole(rawValue: number.rawValue << 1 | rawValue & 1)
  }
}
