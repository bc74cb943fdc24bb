/// The values that a route contains, which are found by reflection.
enum ReflectedValues {
  private struct Mismatch: Error {}

  /// Returns the lists of values that can be the parameters of a route.
  ///
  /// These are the associated values of an enumeration case, or the stored properties of a
  /// structure.
  static func candidates(of route: Any) -> [[Any]] {
    let mirror = Mirror(reflecting: route)
    guard mirror.displayStyle == .enum else { return [mirror.children.map(\.value)] }
    guard let payload = mirror.children.first?.value else { return [] }
    // Several associated values are one tuple.
    let tuple = Mirror(reflecting: payload)
    return tuple.displayStyle == .tuple ? [tuple.children.map(\.value), [payload]] : [[payload]]
  }

  /// Returns values as the types of the parameters, or `nil` if a value has another type.
  static func cast<First, each Other>(
    _ values: [Any], to first: First.Type, _ others: repeat (each Other).Type
  ) -> (First, (repeat each Other))? {
    var rest = values[...]
    func next<Value>(_ type: Value.Type) throws -> Value {
      guard let value = rest.popFirst() as? Value else { throw Mismatch() }
      return value
    }
    guard let first = try? next(first), let others = try? (repeat next(each others)), rest.isEmpty else {
      return nil
    }
    return (first, others)
  }
}
