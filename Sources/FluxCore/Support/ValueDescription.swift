/// A namespace for functions that describe values like `String(describing:)`, but without module
/// names.
///
/// The standard library describes the type of a whole value as `Load`, and the type of a nested
/// value as `Films.Load`. A value that describes itself (`CustomStringConvertible`) keeps its
/// own description.
package enum ValueDescription {
  /// Returns the description of a value.
  package static func text(of value: Any) -> String { text(of: value, isPart: false) }

  /// Returns the description of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isPart: A Boolean value that indicates whether the value is a part of another value. A
  ///     string that is a part of another value is described with quotation marks.
  private static func text(of value: Any, isPart: Bool) -> String {
    let facts = TypeFacts.ofValue(value)
    guard facts.isExact, !facts.isStandardContainer else { return reflectedText(of: value, isPart: isPart) }
    if facts.isString, let string = value as? String { return isPart ? string.debugDescription : string }
    if isPart {
      if let text = facts.ownDebugDescription(of: value) ?? facts.ownDescription(of: value) { return text }
    } else if !facts.isStreamable {
      if let text = facts.ownDescription(of: value) ?? facts.ownDebugDescription(of: value) { return text }
    }
    guard !facts.isStreamable, case .fields(let fields) = facts.parts else {
      return reflectedText(of: value, isPart: isPart)
    }
    var text = facts.name + "("
    for (position, field) in fields.enumerated() {
      if position > 0 { text += ", " }
      text += field.name
      text += ": "
      text += self.text(of: field.value(in: value), isPart: true)
    }
    return text + ")"
  }

  /// Returns the description of a value whose parts a mirror finds.
  private static func reflectedText(of value: Any, isPart: Bool) -> String {
    let mirror = Mirror(reflecting: value)
    switch (mirror.displayStyle, value) {
    case (_, is any StandardContainer): return container(value, mirror, isPart: isPart)
    case (.optional, _):
      return mirror.children.first.map { "Optional(\(text(of: $0.value, isPart: true)))" } ?? "nil"
    case (_, let type as Any.Type): return "\(type)"
    case (_, is any CustomStringConvertible), (_, is any CustomDebugStringConvertible),
      (_, is any TextOutputStreamable):
      return isPart ? String(reflecting: value) : String(describing: value)
    case (.tuple, _): return list(mirror)
    case (.struct, _): return "\(type(of: value))\(list(mirror))"
    case (.class, _): return "\(type(of: value))"
    case (.enum, _): return enumeration(value, mirror, isPart: isPart)
    default: return isPart ? String(reflecting: value) : String(describing: value)
    }
  }

  private static func list(_ mirror: Mirror) -> String {
    let parts = mirror.children.map { child in
      let text = text(of: child.value, isPart: true)
      // The mirror gives each unlabeled element of a tuple a label that begins with a dot.
      guard let label = child.label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  private static func container(_ value: Any, _ mirror: Mirror, isPart: Bool) -> String {
    let parts = mirror.children.map { child in
      let entry = mirror.displayStyle == .dictionary ? Array(Mirror(reflecting: child.value).children) : []
      guard entry.count == 2 else { return text(of: child.value, isPart: true) }
      return "\(text(of: entry[0].value, isPart: true)): \(text(of: entry[1].value, isPart: true))"
    }
    let list = parts.isEmpty && mirror.displayStyle == .dictionary ? ":" : parts.joined(separator: ", ")
    return isPart && mirror.displayStyle == .set ? "Set([\(list)])" : "[\(list)]"
  }

  private static func enumeration(_ value: Any, _ mirror: Mirror, isPart: Bool) -> String {
    let type = isPart ? "\(type(of: value))." : ""
    guard let payload = mirror.children.first, let name = payload.label else { return "\(type)\(value)" }
    let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
    let text = text(of: payload.value, isPart: true)
    return isTuple ? "\(type)\(name)\(text)" : "\(type)\(name)(\(text))"
  }
}

/// The standard library's containers whose descriptions include the types of their elements.
protocol StandardContainer {}

extension Array: StandardContainer {}
extension Set: StandardContainer {}
extension Dictionary: StandardContainer {}
