/// A stored property of a structure, which can be read without a `Mirror`.
///
/// For each value, a mirror searches for the type of a property again. A stored field contains
/// the type.
package struct StoredField: Sendable {
  /// The name of the property, which is also the label in a mirror.
  package let name: String
  /// The facts about the declared type of the property.
  package let facts: TypeFacts
  private let offset: Int

  /// Returns the value of the property in a value of the structure.
  package func value(in whole: Any) -> Any {
    withBytes(of: whole) { whole in
      func load<Field>(_: Field.Type) -> Any {
        (whole + offset).assumingMemoryBound(to: Field.self).pointee
      }
      return _openExistential(facts.type, do: load)
    }
  }

  /// Returns whether the property has equal values in two values of the structure, or `nil` if
  /// the type of the property is not `Equatable`.
  package func areEqual(in old: Any, _ new: Any) -> Bool? {
    withBytes(of: old) { old in
      withBytes(of: new) { new in facts.areEqual(at: old + offset, new + offset) }
    }
  }

  /// Returns the stored properties of a structure in the order of their declaration, or `nil` if
  /// one of the properties is a weak or unowned reference.
  static func all(of type: any Any.Type) -> [StoredField]? {
    var fields: [StoredField] = []
    for index in 0..<fieldCount(type) {
      var description = FieldDescription()
      let fieldType = describeField(type, index: index, into: &description)
      defer { description.release?(description.name) }
      guard description.isStrong, let name = description.name else { return nil }
      fields.append(
        StoredField(
          name: String(cString: name), facts: .of(fieldType), offset: fieldOffset(type, index: index)))
    }
    return fields
  }
}

/// Calls a closure with the address of a value.
@inline(__always)
func withBytes<Result>(of value: Any, _ body: (UnsafeRawPointer) -> Result) -> Result {
  func open<Value>(_ value: Value) -> Result { withUnsafePointer(to: value) { body(UnsafeRawPointer($0)) } }
  return _openExistential(value, do: open)
}

// MARK: - Functions of the runtime

// The standard library exports the following functions, and uses them to implement `Mirror`.

private struct FieldDescription {
  var name: UnsafePointer<CChar>?
  var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func describeField(
  _: any Any.Type, index: Int, into: UnsafeMutablePointer<FieldDescription>
) -> any Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_: any Any.Type, index: Int) -> Int
