import FluxCore

/// The type of two values that are compared.
///
/// If both values have the same exact type, the answers come from the ``TypeFacts`` of the type.
/// Otherwise, each answer takes a cast of the values.
struct PairType {
  /// The facts about the type of both values, or `nil` if the values determine the answers.
  private let facts: TypeFacts?

  init(_ old: Any, _ new: Any) {
    facts = TypeFacts.ofBoth(old, new)
  }

  /// Creates the type of two values of a property whose declared type is known.
  init(_ old: Any, _ new: Any, declared facts: TypeFacts) {
    self.facts = facts.isExact ? facts : TypeFacts.ofBoth(old, new)
  }

  init<Value>(_: Value.Type) {
    let facts = TypeFacts.of(Value.self)
    self.facts = facts.isExact ? facts : nil
  }

  /// The parts of both values.
  var parts: TypeFacts.Parts { facts?.parts ?? .mirrored }

  func tracksChanges(_ old: Any) -> Bool { changeTracking(old) != nil }

  /// Returns the type of a value that tracks its own changes, or `nil` for other values.
  func changeTracking(_ old: Any) -> (any ChangeTracking.Type)? {
    if let facts { return facts.changeTracking }
    return (old as? any ChangeTracking).map { type(of: $0) }
  }

  /// Returns whether a value can have a custom description.
  func describesItself(_ old: Any) -> Bool { facts.map { $0.describable != nil } ?? true }

  /// Returns whether two values are alike, as ``Likeness`` defines.
  func areAlike(_ old: Any, _ new: Any) -> Bool {
    facts?.areAlike(facts?.areEqual(old, new)) ?? Likeness<Any>()(old, new)
  }

  /// Returns whether two values of the type that this value was created with are alike.
  func areAlike<Value>(unboxed old: Value, _ new: Value) -> Bool {
    facts?.areAlike(facts?.areEqual(unboxed: old, new)) ?? Likeness<Any>()(old, new)
  }

  /// Returns whether two values are equal according to the `==` operator of their type.
  func areEqual(_ old: Any, _ new: Any) -> Bool {
    if let facts { return facts.areEqual(old, new) ?? false }
    return Likeness<Any>().areEqual(old, new)
  }
}

extension TypeFacts {
  /// Returns whether two values are alike that are or are not equal, or `nil` if both might be
  /// NaN.
  fileprivate func areAlike(_ areEqual: Bool?) -> Bool? {
    areEqual != true && isFloatingPoint ? nil : areEqual ?? false
  }
}

extension StoredField {
  /// Returns whether the property has alike values in two structures, or `nil` if the facts about
  /// its declared type do not determine the answer.
  func areAlike(in old: Any, _ new: Any) -> Bool? {
    facts.isExact && facts.changeTracking == nil ? facts.areAlike(areEqual(in: old, new)) : nil
  }
}
