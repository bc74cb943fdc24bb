import FluxCore
import Foundation

/// The parts that a value shows by reflection.
///
/// These are the properties of a structure and of an object, those that a class inherits first; what belongs to a case of
/// an enumeration; the elements of a collection and the entries of a dictionary; and what an optional holds. They come
/// in the value's own order, and each is made when it is asked for: of a very large collection the first few cost no
/// more than those of a small one. What a key or an id says of itself is made with its part.
///
/// Dates, durations, data, decimal numbers, URLs and UUIDs have no parts that one would want to see, and count as whole.
public struct ValueParts: Sequence {
  /// What the parts of a value are.
  public enum Kind: Sendable {
    /// There are none.
    case whole
    /// The value that an optional holds, if it holds one.
    case wrapped
    /// Stored properties.
    case properties
    /// The values of a tuple.
    case tuple
    /// What belongs to a case of an enumeration.
    case payload
    /// The elements of a collection, in its order.
    case elements
    /// The entries of a dictionary, in no order.
    case entries
  }

  /// What the parts are.
  public let kind: Kind
  /// How many there are.
  public let count: Int

  private let whole: ValuePart
  private let levels: [Mirror.Children]
  /// Whether elements are told apart by their ids, as in differences; an array may hold an element twice.
  private let hasIDs: Bool
  /// What keys and ids leave out.
  private let labelRedaction: Redaction
  /// What the properties of an element do not show.
  private let identity: SecretIdentity?

  init(of whole: ValuePart, showsSecrets: Bool = false) {
    self.whole = whole
    let mirror = Mirror(reflecting: whole.value)
    let isHidden = whole.isSecret && !showsSecrets
    labelRedaction = showsSecrets ? .none : whole.redaction
    levels = isHidden || Self.isWhole(whole.value) ? [] : mirror.levels
    count = levels.reduce(0) { $0 + $1.count }
    kind =
      switch mirror.displayStyle {
      case _ where isHidden: .whole
      case .collection, .set: .elements
      case .dictionary: .entries
      case .optional: .wrapped
      case _ where count == 0: .whole
      case .tuple: .tuple
      case .enum: .payload
      default: .properties
      }
    hasIDs = whole.value is any ChangeTracking
    identity = kind == .properties && !showsSecrets ? SecretIdentity(of: whole) : nil
  }

  /// The parts, from the first on.
  public func makeIterator() -> some IteratorProtocol<ValuePart> {
    levels.lazy.flatMap { $0.lazy.enumerated() }.map { part($0.element, position: $0.offset) }.makeIterator()
  }

  /// Whether the parts of a value say less than it says itself.
  private static func isWhole(_ value: Any) -> Bool {
    value is Date || value is URL || value is UUID || value is Decimal || value is Data || value is Duration
  }

  private func part(_ child: Mirror.Child, position: Int) -> ValuePart {
    switch kind {
    case .wrapped:
      ValuePart(child.value, label: whole.label, at: whole.place, redacting: whole.redaction)
    case .elements: element(child.value, position: position)
    case .entries: entry(child.value, position: position)
    case .whole, .properties, .tuple, .payload: property(child, position: position)
    }
  }

  private func element(_ value: Any, position: Int) -> ValuePart {
    let position = KeyText(position: position)
    guard hasIDs, let id = KeyText(idOf: [value], in: whole.place, redacting: labelRedaction) else {
      return part(value, of: position, at: position.place(in: whole.place), name: nil)
    }
    let place = id.place(in: whole.place)
    guard id.isSecret else { return part(value, of: id, at: place, name: nil) }
    return part(
      value, of: position, at: PartPath(shown: position.place(in: whole.place).shown, full: place.full),
      name: nil)
  }

  /// An entry of a dictionary, which its mirror tells as a pair.
  private func entry(_ pair: Any, position: Int) -> ValuePart {
    let pair = Array(Mirror(reflecting: pair).children)
    guard pair.count == 2 else {
      let position = KeyText(position: position)
      return part(pair, of: position, at: position.place(in: whole.place), name: nil)
    }
    let key = KeyText(pair[0].value, of: [pair[1].value], in: whole.place, redacting: labelRedaction)
    return part(pair[1].value, of: key, at: key.place(in: whole.place), name: key.name)
  }

  private func part(_ value: Any, of key: KeyText, at place: PartPath, name: String?) -> ValuePart {
    ValuePart(
      value, label: key.text, at: place, isSecret: whole.redaction.hides(name, at: place),
      labelHidesSomething: key.hidesSomething, redacting: whole.redaction)
  }

  private func property(_ child: Mirror.Child, position: Int) -> ValuePart {
    let name = Mirror.name(of: child, at: position, inTuple: kind == .tuple)
    let place = whole.place.property(name)
    let isSecret = whole.redaction.hides(name, at: place) || identity?.isShown(by: child.value) == true
    return ValuePart(
      child.value, label: name, at: place, isSecret: isSecret, redacting: whole.redaction)
  }
}

extension Mirror {
  /// What a value shows, what its class inherits first.
  var levels: [Children] { (superclassMirror?.levels ?? []) + [children] }

  /// What a property, or a part of a tuple, is called in a path: a part without a name by its position, which in a tuple
  /// stands behind a dot.
  static func name(of child: Child, at position: Int, inTuple: Bool) -> String {
    var name = child.label ?? "\(position)"
    if inTuple, name.hasPrefix(".") { name.removeFirst() }
    return name
  }
}
